import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import BulkImport

@Suite("Points of a track, divided by time")
struct TrackPointsTests {
  private static let origin = DriveElement.unknownStart.microseconds + 86_400_000_000 * 400
  private static let names = [ExtraValues.Name("RPM", unit: "1/min"), ExtraValues.Name("gear")]

  /// Returns a track to the east with a point every two seconds. The heart rate is 100 plus the seconds, the
  /// course changes from 359° to 1° and back, and points from 10 s on have no elevation.
  private func points(_ seconds: [[Int]]) throws -> (TrackPoints, TimedDrive) {
    var points = TrackPoints()
    var recordings = RecordingBuilder()
    var recording: Recording?
    var batch = PointBatch()
    func add(_ event: TrackEvent) {
      points.add(event, batch)
      recording = recordings.add(event, batch) ?? recording
    }
    add(.beginTrack(TrackInfo(name: "ride")))
    for segment in seconds {
      add(.beginSegment)
      for second in segment {
        batch.append(
          latitude: 0, longitude: Double(second) * 1e-4, time: Self.origin + Int64(second) * 1_000_000)
        batch.set(.heartRate, 100 + Double(second))
        batch.set(.course, second.isMultiple(of: 4) ? 359 : 1)
        if second < 10 { batch.set(.elevation, 500 + 2 * Double(second)) }
        var details = PointDetails()
        details.extraValues = ExtraValues(Self.names, [1000 + 10 * Double(second), second < 4 ? .nan : 3])
        batch.set(details)
      }
      add(.points)
      batch.removeAll()
      add(.endSegment)
    }
    add(.endTrack)
    let trace = try TimedDrive(try #require(recording), label: "ride")
    return (points.timed(by: trace), trace)
  }

  private func part(_ points: TrackPoints, _ start: Double, _ end: Double) -> [PointColumns] {
    points.part(
      from: start, to: end,
      places: (
        Coordinate(latitude: 0, longitude: start * 1e-4), Coordinate(latitude: 0, longitude: end * 1e-4)
      ))
  }

  private func seconds(_ columns: PointColumns) -> [Double] {
    columns.times.map { Double($0 - Self.origin) / 1e6 }
  }

  @Test("A part has the points between its ends, and points with interpolated values at its ends")
  func ends() throws {
    let (points, _) = try points([Array(stride(from: 0, through: 20, by: 2))])
    let part = part(points, 2.5, 9)
    #expect(part.count == 1)
    #expect(seconds(part[0]) == [2.5, 4, 6, 8, 9])
    #expect(part[0].longitudes.first == 2.5e-4 && part[0].longitudes.last == 9 * 1e-4)
    // Counts are rounded: 102.5 and 109.
    #expect((0..<5).map { part[0].value(.heartRate, at: $0) } == [103, 104, 106, 108, 109])
    #expect((0..<4).map { part[0].value(.elevation, at: $0) } == [505, 508, 512, 516])
    // The point at 10 s has no elevation.
    #expect(part[0].value(.elevation, at: 4) == nil)
    // A quarter of the way from 1° to 359°, through north.
    #expect(part[0].value(.course, at: 0) == 0.5)
    let extra = (0..<5).compactMap { part[0].details(at: $0).extraValues }
    #expect(extra.map { $0.values[0] } == [1025, 1040, 1060, 1080, 1090])
    #expect(extra[0].values[1].isNaN && extra[4].values[1] == 3)
  }

  @Test("A part that begins or ends at a point has no other point there")
  func recordedEnds() throws {
    let (points, _) = try points([Array(stride(from: 0, through: 20, by: 2))])
    #expect(part(points, 4, 8).map(seconds) == [[4, 6, 8]])
    // Within the rounding error of a difference of seconds.
    #expect(part(points, 4 + 4e-7, 8 - 4e-7).map(seconds) == [[4, 6, 8]])
    #expect(part(points, 4.5, 5.5).map(seconds) == [[4.5, 5.5]])
  }

  @Test("The segments of a track remain separate")
  func segments() throws {
    let (points, _) = try points([[0, 2, 4], [10, 12, 14], [20, 22]])
    #expect(part(points, 3, 13).map(seconds) == [[3, 4], [10, 12, 13]])
    #expect(part(points, 6, 16).map(seconds) == [[6, 10, 12, 14, 16]])
  }

  @Test("Points that the drive leaves out are left out, and repeated fixes are kept")
  func omissions() throws {
    let (_, trace) = try points([[0, 2, 6, 8]])
    var points = TrackPoints()
    var batch = PointBatch()
    points.add(.beginTrack(TrackInfo()), batch)
    points.add(.beginSegment, batch)
    // A fix elsewhere at 4 s, a repetition of the fix at 2 s, and a row without a time.
    for (second, longitude) in [(0, 0), (2, 2e-4), (3, 2e-4), (4, 1), (6, 6e-4), (8, 8e-4)] {
      batch.append(latitude: 0, longitude: longitude, time: Self.origin + Int64(second) * 1_000_000)
    }
    batch.append(latitude: 0, longitude: 8e-4)
    points.add(.points, batch)
    #expect(part(points.timed(by: trace), 0, 8).map(seconds) == [[0, 2, 3, 6, 8]])
  }

  @Test("Points without times have the times of the drive")
  func untimed() throws {
    var segment = Recording.Segment()
    var points = TrackPoints()
    var batch = PointBatch()
    points.add(.beginRoute(TrackInfo()), batch)
    for row in 0...4 {
      let place = Coordinate(latitude: 0, longitude: Double(row) * 1e-4)
      segment.append(place, time: nil)
      batch.append(latitude: place.latitude, longitude: place.longitude)
      batch.set(.elevation, 10 * Double(row))
    }
    points.add(.points, batch)
    var options = ImportOptions()
    options.duration = 8
    let trace = try TimedDrive(Recording(kind: .track, segments: [segment]), label: "a", options: options)
    let part = part(points.timed(by: trace), 3, 6)[0]
    let start = DriveElement.unknownStart.microseconds
    #expect(part.times.map { Double($0 - start) / 1e6 } == [3, 4, 6])
    #expect((0..<3).map { part.value(.elevation, at: $0) } == [15, 20, 30])
  }
}
