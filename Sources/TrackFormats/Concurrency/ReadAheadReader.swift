import Dispatch
package import TrackModel

/// Reads ahead of its caller on a thread of its own, so that reading and writing take turns no longer.
///
/// Delivers the same events, batches and errors in the same order as the reader that it is given. The thread
/// starts only after some batches: what is small is read without one. It holds three batches, and ends with
/// the input or with this reader.
package struct ReadAheadReader: TrackReader, ~Copyable {
  /// The reader, as long as there is no thread.
  private var reader: (any TrackReader & ~Copyable)?
  private var thread: ReadingThread?
  private var batches = 0
  private let threshold: Int

  /// - Parameter threshold: after how many batches of points the thread starts.
  package init(_ reader: consuming any TrackReader & ~Copyable, threshold: Int = 4) {
    self.reader = consume reader
    self.threshold = threshold
  }

  /// What was recovered from, also in what was read ahead.
  package var warnings: [TrackWarning] {
    if let thread { return thread.warnings }
    switch reader {
    case .some(let reader): return reader.warnings
    case .none: return []
    }
  }

  package var unread: LossReport {
    if let thread { return thread.unread }
    switch reader {
    case .some(let reader): return reader.unread
    case .none: return LossReport()
    }
  }

  package var sharedPoints: Int {
    if let thread { return thread.sharedPoints }
    switch reader {
    case .some(let reader): return reader.sharedPoints
    case .none: return 0
    }
  }

  /// - Precondition: every batch has the capacity of the first.
  package mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if let thread { return try thread.next(into: &batch) }
    if batches >= threshold, let reader = reader.take() {
      let started = ReadingThread(reader, capacity: batch.capacity)
      thread = started
      return try started.next(into: &batch)
    }
    let event = try reader?.next(into: &batch)
    if case .points = event { batches += 1 }
    return event
  }
}

/// The thread, and what it has read.
private final class ReadingThread {
  /// Some events and the rows of the last of them, which belong to one thread at a time.
  private final class Portion: @unchecked Sendable {
    var events: [TrackEvent] = []
    var batch: PointBatch
    /// What comes behind the events where they are the last.
    var ending: Ending?
    var warnings: [TrackWarning] = []
    var unread = LossReport()
    var sharedPoints = 0

    init(capacity: Int) { batch = PointBatch(capacity: capacity) }
  }

  private enum Ending {
    case end
    case failure(TrackError)
  }

  /// A reader on its way to the thread.
  private final class Passenger: @unchecked Sendable {
    var reader: any TrackReader & ~Copyable

    init(_ reader: consuming any TrackReader & ~Copyable) { self.reader = consume reader }
  }

  private let full = HandOver<Portion>()
  private let empty = HandOver<Portion>()
  /// What is delivered at the moment.
  private var portion: Portion?
  private var index = 0
  private(set) var warnings: [TrackWarning] = []
  private(set) var unread = LossReport()
  private(set) var sharedPoints = 0

  private static let portions = 3
  /// How many events without rows travel together.
  private static let maximumEvents = 256

  init(_ reader: consuming any TrackReader & ~Copyable, capacity: Int) {
    warnings = reader.warnings
    unread = reader.unread
    sharedPoints = reader.sharedPoints
    let passenger = Passenger(consume reader)
    for _ in 0..<ReadingThread.portions { empty.give(Portion(capacity: capacity)) }
    DispatchQueue(label: "ghost-convert.reading").async { [full, empty] in
      while let portion = empty.take() {
        ReadingThread.fill(portion, &passenger.reader)
        let isLast = portion.ending != nil
        full.give(portion)
        if isLast { break }
      }
    }
  }

  deinit { empty.close() }

  private static func fill(_ portion: Portion, _ reader: inout any TrackReader & ~Copyable) {
    portion.events.removeAll(keepingCapacity: true)
    do throws(TrackError) {
      while portion.events.count < maximumEvents {
        guard let event = try reader.next(into: &portion.batch) else {
          portion.ending = .end
          break
        }
        portion.events.append(event)
        if case .points = event { break }
      }
    } catch {
      portion.ending = .failure(error)
    }
    portion.warnings = reader.warnings
    portion.unread = reader.unread
    portion.sharedPoints = reader.sharedPoints
  }

  func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    while true {
      if portion == nil {
        portion = full.take()
        index = 0
        if let portion {
          warnings = portion.warnings
          unread = portion.unread
          sharedPoints = portion.sharedPoints
        }
      }
      guard let portion else { return nil }
      if index < portion.events.count {
        defer { index += 1 }
        if case .points = portion.events[index] { swap(&batch, &portion.batch) }
        return portion.events[index]
      }
      switch portion.ending {
      case .end: return nil
      case .failure(let error):
        portion.ending = .end
        throw error
      case nil:
        self.portion = nil
        empty.give(portion)
      }
    }
  }
}
