import Synchronization
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Reading ahead")
struct ReadAheadReaderTests {
  /// A track of numbered points, with waypoints before each batch and an optional error at the end.
  private struct Numbers: TrackReader, ~Copyable {
    let batches: Int
    let rows: Int
    let waypoints: Int
    let fault: TrackError?
    var warnings: [TrackWarning] = []
    var calls: Counter?
    private var events: [TrackEvent] = []
    private var batch = 0
    private var hasThrown = false

    init(batches: Int, rows: Int, waypoints: Int = 0, fault: TrackError? = nil, calls: Counter? = nil) {
      self.batches = batches
      self.rows = rows
      self.waypoints = waypoints
      self.fault = fault
      self.calls = calls
      events = [.beginSegment, .beginTrack(TrackInfo(name: "numbers")), .header(FileInfo())]
    }

    mutating func next(into output: inout PointBatch) throws(TrackError) -> TrackEvent? {
      calls?.count.add(1, ordering: .relaxed)
      output.removeAll()
      if let event = events.popLast() { return event }
      if batch == batches {
        guard let fault, !hasThrown else { return nil }
        hasThrown = true
        throw fault
      }
      for row in 0..<rows {
        output.append(
          latitude: Double(row % 90), longitude: Double(batch % 180), time: Int64(batch * rows + row))
        if row % 2 == 0 { output.set(.heartRate, Double(row)) }
        if row == 3 { output.set(PointDetails(name: "third")) }
      }
      batch += 1
      warnings = [TrackWarning(.invalidValue, "batch", count: batch, place: InputLocation())]
      for index in 0..<waypoints {
        events.append(
          .waypoint(Waypoint(coordinate: Coordinate(latitude: 1, longitude: Double(index % 100)))))
      }
      return .points
    }
  }

  private final class Counter: Sendable {
    let count = Atomic(0)
  }

  /// A part of what a reader delivers.
  private enum Delivery: Equatable {
    case event(TrackEvent)
    case row(Coordinate, time: Int64, heartRate: Double?)
    case details(PointBatch.RowDetails)
    case error(String)
    case end(isOver: Bool, rows: Int)
    case warning(TrackWarning)
  }

  /// Returns everything that a reader delivers.
  private func transcript(_ reader: consuming any TrackReader & ~Copyable, capacity: Int = 64) -> [Delivery] {
    var deliveries: [Delivery] = []
    var batch = PointBatch(capacity: capacity)
    do throws(TrackError) {
      while let event = try reader.next(into: &batch) {
        deliveries.append(.event(event))
        for row in 0..<batch.count {
          deliveries.append(
            .row(
              batch.coordinate(at: row), time: batch.times[row], heartRate: batch.value(.heartRate, at: row)))
        }
        deliveries += batch.details.map { .details($0) }
      }
    } catch {
      deliveries.append(.error("\(error)"))
    }
    // After the end or an error, the reader returns nil.
    for _ in 0..<2 {
      let isOver = (try? reader.next(into: &batch)) == .some(nil)
      deliveries.append(.end(isOver: isOver, rows: batch.count))
    }
    deliveries += reader.warnings.map { .warning($0) }
    return deliveries
  }

  @Test(
    "Events, rows, warnings and errors arrive in the same order",
    arguments: [0, 1, 3, 4, 5, 20], [nil, TrackError(.malformed, "broken")])
  func sameTranscript(batches: Int, fault: TrackError?) {
    // A batch has at most 256 events.
    for (waypoints, threshold) in [(0, 0), (0, 4), (1, 2), (300, 1)] {
      let expected = transcript(Numbers(batches: batches, rows: 17, waypoints: waypoints, fault: fault))
      let ahead = ReadAheadReader(
        Numbers(batches: batches, rows: 17, waypoints: waypoints, fault: fault), threshold: threshold)
      #expect(transcript(ahead, capacity: 17) == expected)
    }
  }

  @Test("Short batches are read without a thread")
  func shortBatches() throws {
    let calls = Counter()
    var reader = ReadAheadReader(Numbers(batches: .max, rows: 3, calls: calls), threshold: 1)
    var batch = PointBatch(capacity: 64)
    for _ in 0..<100 { _ = try reader.next(into: &batch) }
    #expect(calls.count.load(ordering: .relaxed) == 100)
  }

  @Test("Dropping a reader early ends its thread after the buffered batches")
  func dropped() throws {
    let calls = Counter()
    func readSome() throws {
      var reader = ReadAheadReader(Numbers(batches: .max, rows: 8, calls: calls), threshold: 1)
      var batch = PointBatch(capacity: 8)
      for _ in 0..<10 { _ = try reader.next(into: &batch) }
    }
    try readSome()
    // Ten events were requested, and the reader has eight batches.
    #expect(calls.count.load(ordering: .relaxed) <= 10 + 8 + 1)
  }

  @Test("Reading a file ahead gives the same events as reading it directly")
  func file() throws {
    var text = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
    for index in 0..<10_000 {
      text += "<trkpt lat=\"\(index % 90)\" lon=\"\(index % 180)\"><ele>\(index)</ele></trkpt>"
    }
    for end in ["</trkseg></trk></gpx>", "<trkpt lat=\"1\"", "</trk>"] {
      let bytes = Array((text + end).utf8)
      let expected = transcript(GPXReader(ByteInput(bytes: bytes)), capacity: 4096)
      #expect(transcript(ReadAheadReader(GPXReader(ByteInput(bytes: bytes))), capacity: 4096) == expected)
    }
  }
}
