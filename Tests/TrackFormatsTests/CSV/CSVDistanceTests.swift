import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Distances of tables")
struct CSVDistanceTests {
  /// A thousandth of a degree on a meridian of the mean radius, 6371.0088 km, in metres.
  private static let step = 111.195

  /// Returns the distances of the points of a table whose rows are a thousandth of a degree apart.
  private static func distances(_ heading: String, _ cells: [String]) -> [Double?] {
    let rows = cells.enumerated().map { index, cell in
      "2024-05-17T06:12:\(10 + index)Z,\(46 + Double(index) / 1000),7.4474,\(cell)"
    }
    return CSVTable.points("time,lat,lon,\(heading)\n" + rows.joined(separator: "\n")).map { point in
      point.firstRange(of: "distance ").flatMap { range in
        Double(point[range.upperBound...].prefix { $0 != " " })
      }
    }
  }

  private func expect(
    _ distances: [Double?], _ expected: [Double], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(distances.count == expected.count, sourceLocation: sourceLocation)
    for (distance, expected) in zip(distances, expected) {
      #expect(abs((distance ?? .nan) - expected) < 0.01, sourceLocation: sourceLocation)
    }
  }

  @Test("Totals are metres, or kilometres if these are the distances between the positions")
  func totals() {
    let metres = (0..<20).map { Double($0) * Self.step }
    expect(Self.distances("distance", metres.map { "\($0)" }), metres)
    expect(Self.distances("distance", metres.map { "\($0 / 1000)" }), metres)
    expect(Self.distances("distance (km)", metres.map { "\($0 / 1000)" }), metres)
    expect(Self.distances("distance", metres.map { "\($0) m" }), metres)
  }

  @Test("Totals that restart continue")
  func restarts() {
    let metres = (0..<40).map { Double($0 % 20) * Self.step }
    expect(
      Self.distances("distance", metres.map { "\($0)" }),
      (0..<40).map { Double($0 < 20 ? $0 : $0 - 1) * Self.step })
  }

  @Test("Distances since the last row are added up", arguments: ["111.195", "0.111195", "111.195 m"])
  func perRow(cell: String) {
    expect(
      Self.distances("distance", Array(repeating: cell, count: 20)),
      (0..<20).map { Double($0 + 1) * Self.step })
  }

  @Test("Other numbers are a separate channel")
  func others() {
    let cells = (0..<20).map { "\($0 * 7)" }
    #expect(Self.distances("distance", cells).allSatisfy { $0 == nil })
    let table =
      "lat,lon,distance\n"
      + (0..<20).map { "\(46 + Double($0) / 1000),7,\($0 * 7)" }
      .joined(separator: "\n")
    #expect(CSVTable.warnings(table) == [])
    #expect(Transcript(csv: table).lines.contains("  channels distance 133"))
  }

  @Test("Short paths, tables of this program and named columns are not examined")
  func unexamined() {
    expect(Self.distances("distance", ["5"]), [5])
    let rows = (0..<20).map { "trackpoint,\(46 + Double($0) / 1000),7,\($0 * 7)" }.joined(separator: "\n")
    #expect(CSVTable.points("kind,lat,lon,distance\n" + rows)[19] == "point 46.019 7 distance 133")
  }

  @Test("Each track has its own total")
  func tracks() {
    let rows = (0..<40).map { "\($0 / 20),\(46 + Double($0) / 1000),7,\(Double($0 % 20) * Self.step)" }
    let points = CSVTable.points("track,lat,lon,distance\n" + rows.joined(separator: "\n"))
    #expect(points[20] == "point 46.02 7 distance 0")
  }
}
