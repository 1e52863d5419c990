import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Runs Garmin's FIT SDK for Python and fitdecode, if they are installed.
enum FITPython {
  /// Makes packages that `Scripts/setup` installed take precedence over those of the system.
  static let interpreter: OtherProgram? = {
    let own = Fixture.packageRoot.appending(path: ".build/python/bin/python3").path()
    return [OtherProgram(path: own), OtherProgram("python3")].first { python in
      (try? python.run(["-c", "import fitdecode, garmin_fit_sdk"]))?.status == 0
    }
  }()

  struct Found: Decodable {
    /// The messages that Garmin's reader found, by message name.
    let messages: [String: [[String: Value]]]
    /// The number of messages that fitdecode found, by message name.
    let counts: [String: Int]
    /// The points that fitdecode found: latitude and longitude in semicircles, timestamp in seconds.
    let records: [[Int]]
    let errors: [String]

    func count(of message: String) -> Int? { messages[message]?.count }
  }

  enum Value: Decodable, Equatable {
    case number(Double), text(String), other

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .other
      }
    }

    var number: Double? { if case .number(let number) = self { number } else { nil } }
  }

  static func read(_ files: [[UInt8]]) throws -> [Found] {
    let folder = try TemporaryFolder()
    let paths = try files.enumerated().map { index, bytes in
      let path = folder.file("\(index).fit")
      try Data(bytes).write(to: URL(filePath: path))
      return path
    }
    let script = Fixture.packageRoot.appending(path: "Tests/read-fit").path()
    let result = try #require(interpreter).run([script] + paths)
    #expect(result.status == 0)
    return try result.output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Found.self, from: $0)
    }
  }
}

@Suite(
  "FIT files in Garmin's SDK and fitdecode",
  .enabled(
    if: FITPython.interpreter != nil,
    "Python has no garmin-fit-sdk and fitdecode; Scripts/setup installs them"))
struct FITIndependentReadersTests {
  private static func document(_ seed: UInt64) -> TrackDocument { FITWriting.activities(seed: seed) }

  @Test("Other readers accept activities and find every record unchanged")
  func activities() throws {
    let seed = SeededGenerator.printedSeed()
    let documents = (0..<8 as Range<UInt64>).map { Self.document(seed &+ $0) }
    let found = try FITPython.read(try documents.map { try FITWriting.fit($0).bytes })
    #expect(found.count == documents.count)
    for (document, found) in zip(documents, found) {
      #expect(found.errors == [])
      let points = document.tracks.flatMap { $0.segments.map(\.points) }
      let records = found.messages["record"] ?? []
      #expect(records.count == points.reduce(0) { $0 + $1.count })
      #expect(found.records.count == records.count)
      #expect(found.count(of: "session") == document.tracks.count)
      #expect(found.count(of: "lap") == document.tracks.count)
      #expect(found.count(of: "activity") == 1 && found.count(of: "file_id") == 1)
      // The timer starts and stops once per segment.
      #expect(found.count(of: "event") == 2 * points.count)
      var index = 0
      for points in points {
        for row in 0..<points.count {
          guard index < records.count, index < found.records.count else { break }
          let record = records[index]
          let raw = found.records[index]
          let degrees = 180 / 2_147_483_648.0
          #expect(abs(Double(raw[0]) * degrees - points.latitudes[row]) < 1e-8)
          #expect(abs(Double(raw[1]) * degrees - points.longitudes[row]) < 1e-8)
          let second = (points.times[row] + 4) / 1_000_000 - 631_065_600
          #expect(Int64(raw[2]) == second && record["timestamp"]?.number == Double(second))
          #expect(abs((record["distance"]?.number ?? -1) - (points.value(.distance, at: row) ?? 0)) < 1e-6)
          let names: [(Channel, String)] = [
            (.elevation, "altitude"), (.speed, "enhanced_speed"), (.heartRate, "heart_rate"),
            (.power, "power"),
            (.temperature, "temperature"), (.horizontalAccuracy, "gps_accuracy"), (.depth, "depth"),
          ]
          for (channel, name) in names {
            let value = points.value(channel, at: row)
            let read = record[name]?.number
            #expect((value == nil) == (read == nil), "\(name): \(String(describing: read))")
            if let value, let read { #expect(abs(value - read) < 1e-6, "\(name)") }
          }
          index += 1
        }
      }
    }
  }

  @Test("Tracks that touch become sessions of one activity")
  func touchingSessions() throws {
    var document = TrackDocument()
    for leg in 0..<5 {
      var points = PointColumns()
      for second in leg * 60...leg * 60 + 60 {
        points.append(
          Coordinate(latitude: 47 + Double(second) / 10_000, longitude: 8),
          time: Instant(microseconds: (1_715_925_600 + Int64(second)) * 1_000_000))
      }
      document.tracks.append(
        TrackDocument.Track(info: TrackInfo(), segments: [TrackDocument.Segment(points: points)]))
      document.tracks[leg].info.type = leg == 1 ? "transition" : "cycling"
    }
    let found = try #require(try FITPython.read([try FITWriting.fit(document, kind: .activity).bytes]).first)
    #expect(found.errors == [])
    let sessions = try #require(found.messages["session"])
    #expect(sessions.map { $0["total_elapsed_time"]?.number } == [60, 60, 60, 60, 60])
    #expect(sessions.map { $0["total_timer_time"]?.number } == [60, 60, 60, 60, 60])
    let start = 1_715_925_600.0 - 631_065_600
    let starts: [Double] = [start, start + 60, start + 120, start + 180, start + 240]
    #expect(sessions.map { $0["start_time"]?.number } == starts)
    #expect(found.count(of: "file_id") == 1)
    #expect(found.messages["activity"]?.map { $0["num_sessions"]?.number } == [5])
    #expect(found.records.count == 5 * 61 && found.counts["session"] == 5)
  }

  @Test("A session has the elapsed time and the timer time")
  func times() throws {
    let document = Self.document(5)
    let found = try FITPython.read([try FITWriting.fit(document).bytes])
    let sessions = try #require(found.first?.messages["session"])
    for (track, session) in zip(document.tracks, sessions) {
      let span = try #require(track.info.timeSpan)
      let elapsed = try #require(span.end).seconds(since: try #require(span.begin))
      #expect(session["total_elapsed_time"]?.number == elapsed)
      #expect(session["total_timer_time"]?.number == track.info.laps[0].timerTime)
      #expect(session["start_time"]?.number == (span.begin?.secondsSince1970 ?? 0) - 631_065_600)
      if let type = track.info.type { #expect(session["sport"] == .text(type)) }
    }
  }

  @Test("Other readers accept a course with its lap and its course points")
  func course() throws {
    var document = FITWriting.activities(seed: 3)
    document.tracks = [document.tracks[0]]
    document.tracks[0].info = TrackInfo(name: "Über die Höhe")
    let segment = document.tracks[0].segments[0].points
    for (row, name) in [(0, "Start"), (segment.count - 1, "Ende")] {
      var details = PointDetails(name: name)
      details.type = "Danger"
      document.waypoints.append(Waypoint(coordinate: segment.coordinate(at: row), details: details))
    }
    let found = try #require(try FITPython.read([try FITWriting.fit(document).bytes]).first)
    #expect(found.errors == [])
    #expect(found.messages["course"]?.first?["name"] == .text("Über die Höhe"))
    #expect(found.count(of: "lap") == 1 && found.messages["session"]?.isEmpty == true)
    #expect(found.messages["file_id"]?.first?["type"] == .text("course"))
    let points = try #require(found.messages["course_point"])
    let names = Set(points.map { $0["name"] })
    #expect(names == [.text("Start"), .text("Ende")])
    #expect(points.allSatisfy { $0["type"] == .text("danger") })
    #expect(found.count(of: "event") == 2)
  }
}

extension FITPython.Value: Hashable {}
