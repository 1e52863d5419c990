import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveLibrary

struct RecordedPointsTests {
  static func random(seed: UInt64) -> Recording {
    var generator = SeededGenerator(seed: seed)
    var recording = Recording()
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      var segment = Recording.Segment()
      for _ in 0..<Int.random(in: 0...60, using: &generator) {
        let time = Int64.random(in: -1 << 62...1 << 62, using: &generator)
        segment.append(
          Coordinate(
            latitude: .random(in: -90...90, using: &generator),
            longitude: .random(in: -180...180, using: &generator)),
          time: Bool.random(using: &generator) ? Instant(microseconds: time) : nil,
          horizontalAccuracy: seed % 2 == 0 ? nil : Double(Float.random(in: 0...99, using: &generator)),
          elevation: seed % 3 == 0 || Int.random(in: 0...9, using: &generator) == 0
            ? nil : Double(Int.random(in: -9_999_999...9_999_999, using: &generator)) / 1000)
      }
      recording.segments.append(segment)
    }
    return recording
  }

  @Test("Points are decoded exactly as they were encoded", arguments: 1...40)
  func roundTrip(seed: UInt64) throws {
    let recording = Self.random(seed: seed)
    let decoded = try RecordedPoints.decode(RecordedPoints.encode(recording))
    #expect(decoded.segments.map(\.times) == recording.segments.map(\.times))
    #expect(decoded.segments.map(\.latitudes) == recording.segments.map(\.latitudes))
    #expect(decoded.segments.map(\.longitudes) == recording.segments.map(\.longitudes))
    if seed % 2 == 1 {
      #expect(
        decoded.segments.map { $0.horizontalAccuracies ?? [] }
          == recording.segments.map { $0.horizontalAccuracies ?? [] })
    }
    #expect(decoded.segments.map(Self.elevations) == recording.segments.map(Self.elevations))
  }

  private static func elevations(_ segment: Recording.Segment) -> [Double?] {
    (0..<segment.count).map { row in
      segment.elevations.flatMap { $0[row] == Recording.Segment.unknownElevation ? nil : $0[row] }
    }
  }

  @Test(
    "Elevations are rounded to millimetres, and impossible ones are unknown",
    arguments: [
      (540.123_456_789, 540.123), (-0.0004, 0), (-430.5, -430.5), (8848.86, 8848.86), (1e300, nil),
      (-1e9, nil),
    ] as [(Double, Double?)])
  func elevation(_ given: Double, _ expected: Double?) throws {
    var segment = Recording.Segment()
    segment.append(Coordinate(latitude: 1, longitude: 2), time: nil, elevation: given)
    segment.append(Coordinate(latitude: 1, longitude: 3), time: nil)
    segment.append(Coordinate(latitude: 1, longitude: 4), time: nil, elevation: 7)
    let decoded = try RecordedPoints.decode(RecordedPoints.encode(Recording(segments: [segment])))
    #expect(decoded.segments.map(Self.elevations) == [[expected, nil, 7]])
  }

  @Test(
    "A program that knows only the layout can read the points",
    .enabled(if: OtherProgram("python3").isInstalled),
    arguments: 5...8)
  func otherReader(seed: UInt64) throws {
    let recording = Self.random(seed: seed)
    let library = try TemporaryLibrary()
    var new = NewLibraryDrive.over([
      Coordinate(latitude: 1, longitude: 2), Coordinate(latitude: 3, longitude: 4),
    ])
    new.recording = recording
    do { try DriveLibrary(path: library.path, mode: .creating).add([new]) }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Contrib/recorded-points").standardizedFileURL.path
    let lines = try OtherProgram("python3").printed([script, library.path]).split(whereSeparator: \.isNewline)
    #expect(lines.first == "drive_id,segment,time_us,latitude,longitude,accuracy_m,elevation_m")
    let rows = lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows.count == recording.count)
    var row = rows.startIndex
    for (number, segment) in recording.segments.enumerated() {
      for index in 0..<segment.count where row < rows.endIndex {
        let cells = rows[row]
        row += 1
        #expect(cells[0] == new.drive.id.uuidString && Int(cells[1]) == number)
        #expect(Int64(cells[2]) == (segment.times[index] == Instant.absent ? nil : segment.times[index]))
        #expect(Double(cells[3]) == segment.latitudes[index])
        #expect(Double(cells[4]) == segment.longitudes[index])
        #expect(Double(cells[5]) == segment.horizontalAccuracies?[index])
        #expect(Double(cells[6]) == Self.elevations(segment)[index])
      }
    }
  }

  @Test("Points without an accuracy beside points with one stay without")
  func someAccuracies() throws {
    var first = Recording.Segment()
    first.append(Coordinate(latitude: 1, longitude: 2), time: nil, horizontalAccuracy: 5)
    first.append(Coordinate(latitude: 1, longitude: 3), time: nil, horizontalAccuracy: nil)
    var second = Recording.Segment()
    second.append(Coordinate(latitude: 1, longitude: 4), time: nil)
    let decoded = try RecordedPoints.decode(RecordedPoints.encode(Recording(segments: [first, second])))
    let unknown = Recording.Segment.unknownAccuracy
    #expect(decoded.segments.first?.horizontalAccuracies == [5, unknown])
    #expect(decoded.segments.last?.horizontalAccuracies ?? [unknown] == [unknown])
  }

  @Test(
    "One point per second takes 19 bytes, and up to 2 more if it has an elevation", arguments: [false, true])
  func size(hasElevations: Bool) {
    var segment = Recording.Segment()
    for second in 0..<1000 {
      segment.append(
        Coordinate(latitude: 46.5, longitude: 7.5), time: Instant(microseconds: Int64(second) * 1_000_000),
        elevation: hasElevations ? 500 + 5 * Double(second % 2) : nil)
    }
    #expect(
      RecordedPoints.encode(Recording(segments: [segment])).count <= (hasElevations ? 21_100 : 19_100))
  }

  @Test(
    "Truncated or changed bytes throw an error or result in other points, but never crash", arguments: 1...60)
  func damaged(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var bytes = RecordedPoints.encode(Self.random(seed: seed + 3))
    for _ in 0..<4 {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
    }
    _ = try? RecordedPoints.decode(bytes)
    for _ in 0..<60 {
      let length = Int.random(in: 0..<bytes.count, using: &generator)
      _ = try? RecordedPoints.decode(Array(bytes.prefix(length)))
    }
  }
}
