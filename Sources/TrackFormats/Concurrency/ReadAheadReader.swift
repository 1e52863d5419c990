import Dispatch
package import TrackModel

/// A reader that reads ahead on a separate thread, so that reading and writing run in parallel.
///
/// It delivers the same events, batches and errors in the same order as the underlying reader. The thread
/// starts only after some batches, so small files are read without one, as are those with segments of a few
/// points, each of which is a batch: handing it over takes longer than reading it. The thread uses eight
/// batches, and ends with the input or with this reader.
package struct ReadAheadReader: TrackReader, ~Copyable {
  /// The underlying reader until the thread starts.
  private var reader: (any TrackReader & ~Copyable)?
  private var thread: ReadingThread?
  private var batches = 0
  private var rows = 0
  private let threshold: Int

  /// The mean number of rows in a batch from which reading takes longer than handing over.
  private static let worthwhileRows = 128

  /// - Parameter threshold: the number of batches of points after which the thread starts.
  package init(_ reader: consuming any TrackReader & ~Copyable, threshold: Int = 4) {
    self.reader = consume reader
    self.threshold = threshold
  }

  /// The warnings so far, possibly including warnings about content that was read ahead.
  package var warnings: [TrackWarning] {
    if let thread { return thread.warnings }
    switch reader {
    case .some(let reader): return reader.warnings
    case .none: return []
    }
  }

  package var unsupportedContent: LossReport {
    if let thread { return thread.unsupportedContent }
    switch reader {
    case .some(let reader): return reader.unsupportedContent
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
    // Tests have batches of a few rows.
    let least = min(Self.worthwhileRows, batch.capacity)
    if batches >= threshold, rows >= batches * least, let reader = reader.take() {
      let started = ReadingThread(reader, capacity: batch.capacity)
      thread = started
      return try started.next(into: &batch)
    }
    let event = try reader?.next(into: &batch)
    if case .points = event {
      batches += 1
      rows += batch.count
    }
    return event
  }
}

/// The thread and the portions that it has read.
private final class ReadingThread {
  /// Some events and the rows of the last of them. Only one thread at a time accesses it.
  private final class Portion: @unchecked Sendable {
    var events: [TrackEvent] = []
    var batch: PointBatch
    /// The end of the input after the events, if they are the last.
    var ending: Ending?
    var warnings: [TrackWarning] = []
    var unsupportedContent = LossReport()
    var sharedPoints = 0

    init(capacity: Int) { batch = PointBatch(capacity: capacity) }
  }

  private enum Ending {
    case end
    case failure(TrackError)
  }

  /// A box that transfers a reader to the thread.
  private final class SendableBox: @unchecked Sendable {
    var reader: any TrackReader & ~Copyable

    init(_ reader: consuming any TrackReader & ~Copyable) { self.reader = consume reader }
  }

  private let full = BlockingQueue<Portion>()
  private let empty = BlockingQueue<Portion>()
  /// The portion that is being delivered.
  private var portion: Portion?
  private var index = 0
  private(set) var warnings: [TrackWarning] = []
  private(set) var unsupportedContent = LossReport()
  private(set) var sharedPoints = 0

  /// Fewer make one thread wait for the other whenever some rows take longer than usual.
  private static let portions = 8
  /// The largest number of events without rows in a portion.
  private static let maximumEvents = 256

  init(_ reader: consuming any TrackReader & ~Copyable, capacity: Int) {
    warnings = reader.warnings
    unsupportedContent = reader.unsupportedContent
    sharedPoints = reader.sharedPoints
    let box = SendableBox(consume reader)
    for _ in 0..<ReadingThread.portions { empty.give(Portion(capacity: capacity)) }
    DispatchQueue(label: "ghost-convert.reading").async { [full, empty] in
      while let portion = empty.take() {
        ReadingThread.fill(portion, &box.reader)
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
    portion.unsupportedContent = reader.unsupportedContent
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
          unsupportedContent = portion.unsupportedContent
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
