import TestSupport
import TrackModel

/// Everything that a reader delivers, in a form that does not depend on how the input was cut into pieces.
struct StreamRecord: Equatable {
  enum Step: Equatable {
    case event(TrackEvent)
    /// Rows of adjacent `points` events: how many, a hash of their columns, and their details.
    case points(count: Int, hash: UInt64, details: [PointBatch.RowDetails])
  }

  private(set) var steps: [Step] = []
  private(set) var warnings: [TrackWarning] = []
  private(set) var error: TrackError?

  /// Reads a stream to its end and checks the contract of ``TrackReader``.
  init<Reader: TrackReader & ~Copyable>(reading reader: inout Reader, capacity: Int) throws {
    var batch = PointBatch(capacity: capacity)
    var grammar = StreamGrammar()
    do throws(TrackError) {
      while let event = try reader.next(into: &batch) {
        grammar.take(event, rows: batch.count)
        append(event, batch)
        if invalid != nil { break }
      }
      grammar.finish()
    } catch {
      self.error = error
    }
    if let invalid { throw FuzzFinding(invalid) }
    if let violation = grammar.violations.first { throw FuzzFinding("grammar: \(violation)") }
    for _ in 0..<2 {
      guard let late = try? reader.next(into: &batch) else { continue }
      throw FuzzFinding("after the end: \(late)")
    }
    warnings = reader.warnings
  }

  /// The first invalid coordinate or value.
  private var invalid: String?

  private mutating func append(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    if case .waypoint(let waypoint) = event, !waypoint.coordinate.isValid {
      invalid = "an invalid waypoint \(waypoint.coordinate)"
    }
    guard case .points = event else {
      steps.append(.event(event))
      return
    }
    var (count, hash, details) = (0, UInt64(0), [PointBatch.RowDetails]())
    if case .points(let oldCount, let oldHash, let oldDetails)? = steps.last {
      (count, hash, details) = (oldCount, oldHash, oldDetails)
      steps.removeLast()
    }
    for row in 0..<batch.count {
      let coordinate = batch.coordinate(at: row)
      if !coordinate.isValid { invalid = "an invalid point \(coordinate)" }
      Self.mix(coordinate.latitude.bitPattern, into: &hash)
      Self.mix(coordinate.longitude.bitPattern, into: &hash)
      Self.mix(UInt64(bitPattern: batch.times[row]), into: &hash)
      for channel in batch.channels.channels {
        guard let value = batch.value(channel, at: row) else { continue }
        if !value.isFinite { invalid = "\(channel) is \(value)" }
        Self.mix(UInt64(truncatingIfNeeded: channel.hashValue) ^ value.bitPattern, into: &hash)
      }
    }
    for detail in batch.details {
      details.append(PointBatch.RowDetails(row: count + detail.row, details: detail.details))
    }
    steps.append(.points(count: count + batch.count, hash: hash, details: details))
  }

  private static func mix(_ word: UInt64, into hash: inout UInt64) {
    hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
  }

  /// The first difference to another record; nil if they are equal.
  ///
  /// - Parameter places: whether warnings and errors must have the same places as well.
  func difference(to other: StreamRecord, places: Bool = true) -> String? {
    if let index = zip(steps, other.steps).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset
    {
      return "step \(index): \(steps[index]) or \(other.steps[index])"
    }
    if steps.count != other.steps.count { return "\(steps.count) or \(other.steps.count) steps" }
    if places ? error != other.error : error?.code != other.error?.code {
      return "error \(error.map { "\($0)" } ?? "none") or \(other.error.map { "\($0)" } ?? "none")"
    }
    let isSame =
      places ? warnings == other.warnings : warnings.map(\.code) == other.warnings.map(\.code)
    if !isSame { return "warnings \(warnings) or \(other.warnings)" }
    return nil
  }

  /// Whether the input ended early and its complete data was delivered.
  var isCut: Bool { error == nil && warnings.contains { $0.code == .truncated } }

  /// How many points of tracks and routes there are.
  var pointCount: Int {
    steps.reduce(0) { sum, step in if case .points(let count, _, _) = step { sum + count } else { sum } }
  }
}
