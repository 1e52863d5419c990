import Testing
import TrackModel

@testable import TrackFormats

@Suite("Tables of several vehicles")
struct CSVTracksTests {
  /// Returns the tracks of a table as their names or numbers, followed by the latitudes.
  private static func tracks(_ text: String, _ said: String = "", chunk: Int = 1 << 20) throws -> [String] {
    let columns = try said.isEmpty ? CSVColumns() : CSVColumns(parsing: said)
    let transcript = Transcript(csv: Array(text.utf8), chunk: chunk, columns: columns)
    #expect(transcript.violations == [])
    var tracks: [String] = []
    for line in transcript.lines {
      let words = line.split(separator: " ")
      switch words.first {
      case "track": tracks.append("")
      case "name", "number": tracks[tracks.count - 1] += words.dropFirst().joined(separator: " ") + ":"
      case "point": tracks[tracks.count - 1] += " \(words[1])"
      default: break
      }
    }
    return tracks
  }

  private static let rows = [
    "A,2024-05-17T06:12:30Z,1,7", "B,2024-05-17T06:12:30Z,51,7", "A,2024-05-17T06:12:31Z,2,7",
    "\"B\",2024-05-17T06:12:31Z,52,7", "A,2024-05-17T06:12:32Z,3,7", "B,2024-05-17T06:12:32Z,53,7",
  ]

  @Test(
    "A column of vehicles, ships, animals or devices makes a track of each, also if their rows alternate",
    arguments: [
      "vehicle_id", "VehicleID", "MMSI", "deviceId", "device_id", "individual-local-identifier", "traj_id",
      "trip_id", "track_name",
    ])
  func objects(_ heading: String) throws {
    for rows in [Self.rows, Self.rows.sorted { $0.contains("A,") && !$1.contains("A,") }] {
      let text = "\(heading),time,lat,lon\n" + rows.joined(separator: "\n") + "\n"
      for chunk in [1, 7, 1 << 20] {
        #expect(try Self.tracks(text, chunk: chunk) == ["\"A\": 1 2 3", "\"B\": 51 52 53"])
      }
    }
  }

  @Test("A named column makes tracks, too, and one value makes one track with its name")
  func named() throws {
    let text = "boat,time,lat,lon\n" + Self.rows.joined(separator: "\n") + "\n"
    #expect(try Self.tracks(text, "track=boat") == ["\"A\": 1 2 3", "\"B\": 51 52 53"])
    #expect(try Self.tracks(text, "track=1") == ["\"A\": 1 2 3", "\"B\": 51 52 53"])
    #expect(try Self.tracks(text) == [" 1 51 2 52 3 53"])
    #expect(try Self.tracks("device_id,lat,lon\n7,1,2\n7,3,4\n") == ["\"7\": 1 3"])
    #expect(try Self.tracks("device_id,track_name,lat,lon\n7,Home,1,2\n7,Home,3,4\n") == ["\"Home\":7: 1 3"])
    #expect(try Self.tracks("trip_id,device_id,lat,lon\n1,7,1,2\n2,7,3,4\n") == ["1: 1", "2: 3"])
    // Ships have names.
    #expect(
      try Self.tracks("MMSI,LAT,LON,SOG,COG,VesselName\n219000873,1,2,0,0,RINA\n2,3,4,0,0,B\n")
        == ["\"RINA\":219000873: 1", "\"B\":2: 3"])
  }

  @Test("Alternating tracks have a limit, and consecutive ones have none", arguments: [1, 7, 4096])
  func limit(chunk: Int) {
    let rows = (0..<100).map { "\($0 % 2),47,\($0)\n" }
    func error(_ rows: [String], _ size: Int) -> TrackError? {
      var options = ReadingOptions()
      options.limits.alternatingTracksSize = size
      var reader = CSVReader(
        ByteInput(bytes: Array(("device_id,lat,lon\n" + rows.joined()).utf8), chunk: chunk), options: options)
      return Transcript(reading: &reader).error
    }
    // 100 rows of at most 8 bytes, with 8 bytes for their lines and 256 for each track.
    #expect(error(rows, 2200) == nil)
    #expect(error(rows, 2000)?.code == .limitExceeded)
    #expect(error(rows, 2000)?.suggestion == .text("sort the rows by device_id"))
    #expect(error(rows.sorted().map { $0 + "\n" }, 0) == nil)
  }

  @Test("Tables of this program keep the order of their rows")
  func kinds() throws {
    #expect(
      try Self.tracks("kind,track,lat,lon\ntrackpoint,1,1,2\ntrackpoint,2,3,4\ntrackpoint,1,5,6\n")
        == ["1: 1", "2: 3", "1: 5"])
  }

  @Test("Warnings of alternating rows have the lines of the file, and a cut last row is left out")
  func lines() throws {
    let text = "vehicle_id,lat,lon\nA,1,2\nB,3,4\n# note\n\nA,x,2\nB,y,4\nA,5,6\nB,7"
    #expect(try Self.tracks(text) == ["\"A\": 1 5", "\"B\": 3"])
    let warnings = CSVTable.warnings(text)
    #expect(warnings.contains("line 6: invalid position, row skipped: \"x\" (lat) (first of 2)"))
    #expect(warnings.contains("line 9: the file ends inside a row; complete rows are kept"))
    // Rows of vehicles, each with a different day.
    #expect(
      CSVTable.points(
        "vehicle_id,date,time,lat,lon\nA,2024-05-17,23:59:59,1,2\nB,2024-05-17,00:00:01,3,4\n")
        == ["point 1 2 2024-05-17T23:59:59Z", "point 3 4 2024-05-17T00:00:01Z"])
  }

  @Test("The unit of the speeds follows from the positions of each vehicle")
  func speeds() throws {
    // A thousandth of a degree in 10 s is 11.12 m/s, 40 km/h.
    let rows = (0..<20).map { "V\($0 % 2),\(1_715_926_350 + $0 / 2 * 10),\($0 % 2 * 40).00\($0 / 2),7,39.6" }
    let points = CSVTable.points("vehicle_id,time,lat,lon,speed\n" + rows.joined(separator: "\n"))
    #expect(points.count == 20)
    #expect(points.allSatisfy { $0.hasSuffix(" speed 11") })
  }
}
