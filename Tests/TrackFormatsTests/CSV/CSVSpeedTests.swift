import Testing
import TrackModel

@testable import TrackFormats

@Suite("Speeds of tables")
struct CSVSpeedTests {
  /// Metres of a thousandth of a degree on a meridian of the mean radius, 6371.0088 km.
  private static let step = 111.195

  /// Returns the speeds of the points of a table whose rows are a thousandth of a degree and ten seconds
  /// apart.
  private static func speeds(
    _ heading: String, _ cell: String, rows: Int = 10, seconds: Int = 10,
    length: (Int) -> Double = { _ in 1 },
    prefix: String = ""
  ) -> Set<String> {
    var latitude = 46.0
    let rows = (0..<rows).map { row in
      latitude += length(row) / 1000
      return "\(prefix)\(1_715_926_350 + row * seconds),\(latitude),7,\(cell)"
    }
    let table =
      "\(prefix.isEmpty ? "" : "kind,")time,lat,lon,\(heading)\n" + rows.joined(separator: "\n") + "\n"
    return Set(
      CSVTable.points(table).map { point in
        point.firstRange(of: "speed ").map { String(point[$0.upperBound...]) } ?? "none"
      })
  }

  @Test(
    "A unit that is not stated follows from the positions and times",
    arguments: [
      // 11.1195 m/s are 40.03 km/h, 24.87 mph and 21.61 knots. The numbers differ from them by a few percent.
      ("11.5", "11.5"), ("41.4", "11.5"), ("25", "11.176"), ("22.5", "11.575"), ("39.6", "11"),
      ("11 m/s", "11"),
      // 0.4 m/s, 6 m/s, 15 m/s and 35 km/h or miles per hour are no units.
      ("0.4", "0.4"), ("6", "6"), ("15", "15"), ("33", "33"), ("80", "80"),
    ])
  func units(cell: String, speed: String) {
    #expect(Self.speeds("speed", cell) == [speed])
    #expect(Self.speeds("Velocity", cell, rows: 5) == [speed])
  }

  @Test("Units of headings, of the user, and of tables of this program are not examined")
  func stated() throws {
    for heading in ["speed (m/s)", "speed_mps", "GPS Speed [m/s]"] {
      #expect(Self.speeds(heading, "39.6") == ["39.6"])
    }
    #expect(Self.speeds("speed (km/h)", "9") == ["2.5"])
    #expect(Self.speeds("speed", "39.6", prefix: "trackpoint,") == ["39.6"])
    let table =
      "time,lat,lon,Tempo\n" + (0..<9).map { "\(1_715_926_350 + $0 * 10),46.00\($0),7,40\n" }.joined()
    let points = try CSVTable.points(table, CSVColumns(parsing: "speed=Tempo"))
    #expect(points.allSatisfy { $0.hasSuffix(" speed 40") })
    #expect(
      CSVTable.points(table.replacing("Tempo", with: "Speed")).allSatisfy {
        $0.hasSuffix(" speed 11.11111111111111")
      })
  }

  @Test("Short paths, rare positions and winding roads show no unit")
  func unclear() {
    #expect(Self.speeds("speed", "39.6", rows: 3) == ["39.6"])
    // Three parts of 22 m, and 1.24 m/s, which are 4.45 km/h.
    #expect(Self.speeds("speed", "8", rows: 4, length: { _ in 0.2 }) == ["8"])
    #expect(Self.speeds("speed", "4.45", seconds: 90) == ["4.45"])
    #expect(Self.speeds("speed", "7.2", seconds: 60) == ["2"])
    // The median is that of km/h, but the parts differ.
    #expect(Self.speeds("speed", "40", rows: 20, length: { [0.4, 0.7, 1.0, 1.6, 2.3][$0 % 5] }) == ["40"])
  }
}
