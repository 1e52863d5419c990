/// A source of tracks, pulled event by event.
///
/// A reader has one owner and is not shared between tasks; the events and batches that it delivers are
/// values.
///
/// ```swift
/// var batch = PointBatch()
/// while let event = try reader.next(into: &batch) {
///   if event == .points { for row in 0..<batch.count { use(batch.coordinate(at: row)) } }
/// }
/// ```
public protocol TrackReader: ~Copyable {
  /// Delivers the next event.
  ///
  /// Empties the batch first; with ``TrackEvent/points`` it holds the rows, with every other event it is
  /// empty. Memory stays bounded whatever the size of the file: no more rows than the batch's capacity at a
  /// time.
  ///
  /// What is whole is delivered before a fault: the points that came before it first, the error with the next
  /// call. Every delivered coordinate is valid (``Coordinate/isValid``) and every channel value finite; what
  /// is not is left out and counted in ``warnings``.
  ///
  /// - Returns: nil at the end of the stream. After the end or an error, always nil.
  /// - Throws: the fault that makes reading on impossible, or, with ``ReadingOptions/isStrict``, the first
  ///   warning.
  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent?

  /// What was recovered from so far, by code in the order of first occurrence.
  var warnings: [TrackWarning] { get }

  /// What is sound in the input and has no place in the vocabulary of events, such as pictures: for
  /// conversions, which lose it whatever they write. Complete at the end.
  var unread: LossReport { get }

  /// How many points were delivered twice, as the end of a track or segment and as the beginning of the next,
  /// though the input has them once. Complete at the end.
  var sharedPoints: Int { get }
}

extension TrackReader where Self: ~Copyable {
  public var unread: LossReport { LossReport() }
  public var sharedPoints: Int { 0 }
}

/// A destination of tracks.
public protocol TrackWriter: ~Copyable {
  /// Writes the next event; `batch` holds the rows of ``TrackEvent/points`` and is not looked at otherwise.
  ///
  /// Events come in the order of the grammar in ``TrackEvent``; a writer may be given several streams one
  /// after the other, and then takes each further header as an annotation of the file.
  ///
  /// - Throws: where the output cannot be written.
  mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError)

  /// Ends the output. Nothing that was written is sure to be there before.
  mutating func finish() throws(TrackError)

  /// What the format had no place for; complete after ``finish()``.
  var losses: LossReport { get }
}

/// How to read; the same for every format.
public struct ReadingOptions: Sendable, Hashable {
  /// Whether the first warning ends the reading as an error.
  public var isStrict = false
  /// Whether the content is read as a receiver sends it, so that a point is wanted as soon as all of it is
  /// there.
  public var isLive = false
  /// The limits on the size and structure of the input.
  public var limits: ReadingLimits

  public init(isStrict: Bool = false, limits: ReadingLimits = ReadingLimits()) {
    self.isStrict = isStrict
    self.limits = limits
  }
}
