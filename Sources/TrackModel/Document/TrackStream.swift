/// A source of tracks that delivers one event per call.
///
/// A reader has one owner and is not shared between tasks. Its events and batches are values.
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
  /// Empties the batch first. The batch contains rows for ``TrackEvent/points`` and is empty for all other
  /// events. Memory is bounded by the capacity of the batch, regardless of the size of the file.
  ///
  /// Complete data before an error is delivered first; the next call throws the error. Every delivered
  /// coordinate is valid (``Coordinate/isValid``) and every channel value finite. Invalid values are skipped
  /// and counted in ``warnings``.
  ///
  /// - Returns: `nil` at the end of the stream, and in all calls after the end or an error.
  /// - Throws: an error if reading cannot continue, or with ``ReadingOptions/isStrict`` for the first
  ///   warning.
  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent?

  /// The recovered errors so far, by code in the order of first occurrence.
  var warnings: [TrackWarning] { get }

  /// Valid input that events cannot represent, such as pictures, and that every conversion therefore loses.
  /// Complete at the end.
  var unsupportedContent: LossReport { get }

  /// The number of points that occur once in the input but were delivered twice, as the end of a track or
  /// segment and the start of the next. Complete at the end.
  var sharedPoints: Int { get }
}

extension TrackReader where Self: ~Copyable {
  /// Empty, for readers that support all content.
  public var unsupportedContent: LossReport { LossReport() }
  /// Zero, for formats without shared points.
  public var sharedPoints: Int { 0 }
}

/// A destination of tracks.
public protocol TrackWriter: ~Copyable {
  /// Writes the next event. `batch` contains the rows of ``TrackEvent/points`` and is ignored for other
  /// events.
  ///
  /// Events follow the grammar of ``TrackEvent``. A writer accepts several consecutive streams and treats
  /// each further header as an annotation of the file.
  ///
  /// - Throws: if the output cannot be written.
  mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError)

  /// Finishes the output. Before this call, written data may not have reached its destination.
  mutating func finish() throws(TrackError)

  /// The data that the format could not represent. Complete after ``finish()``.
  var losses: LossReport { get }

  /// Warnings about the content that was written. Complete after ``finish()``.
  var warnings: [TrackWarning] { get }
}

extension TrackWriter where Self: ~Copyable {
  /// Empty, for writers without warnings.
  public var warnings: [TrackWarning] { [] }

  /// Writes a track after the header, with points that are produced batch by batch.
  ///
  /// - Parameters:
  ///   - info: the description of the track.
  ///   - segments: the number of segments.
  ///   - batch: the batch to fill. It is empty afterwards.
  ///   - fill: appends the next points of a segment, starting at a row, to the empty batch until it is full.
  ///     Appends nothing after the last point.
  /// - Throws: if the output cannot be written.
  package mutating func writeTrack(
    _ info: TrackInfo, segments: Int, _ batch: inout PointBatch,
    fill: (_ segment: Int, _ row: Int, inout PointBatch) -> Void
  ) throws(TrackError) {
    batch.removeAll()
    try write(.beginTrack(info), batch)
    for segment in 0..<segments {
      try write(.beginSegment, batch)
      var row = 0
      while true {
        fill(segment, row, &batch)
        guard batch.count > 0 else { break }
        row += batch.count
        try write(.points, batch)
        batch.removeAll()
      }
      try write(.endSegment, batch)
    }
    try write(.endTrack, batch)
  }
}

/// Options for reading any format.
public struct ReadingOptions: Sendable, Hashable {
  /// Whether the first warning ends reading with an error.
  public var isStrict = false
  /// Whether the input comes from a live receiver, so that each point is delivered as soon as it is complete.
  public var isLive = false
  /// The limits on the size and structure of the input.
  public var limits: ReadingLimits
  /// The channels that are needed. A reader may leave out the values of others if that is faster.
  public var channels = ChannelSet.all
  /// Whether the time span of a track includes the time before the first fix, if the format has it.
  public var includesTimeBeforeFixes = false
  /// The start from which the times of a table count, if another file contains it.
  public var clockStart: Instant?
  /// Whether times that count from an unknown start are reported. Not needed if the caller gives them a
  /// start.
  public var reportsUnknownStart = true

  /// Creates options. A strict reader reports the first warning as an error.
  public init(isStrict: Bool = false, limits: ReadingLimits = ReadingLimits()) {
    self.isStrict = isStrict
    self.limits = limits
  }
}
