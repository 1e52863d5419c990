package import TrackArchives
public import TrackFormats
package import TrackModel
public import TrackTransforms

/// The options for reading the inputs of a command.
public struct TrackOpening: Sendable {
  /// The format specified by the user, used instead of detection.
  public var format: TrackFormat?
  /// The columns of tables with missing or wrong headings.
  public var columns: CSVColumns?
  /// Whether tables without a heading are read: their columns are specified.
  package var acceptsAnyTable: Bool { columns?.assignsColumns == true }
  /// Whether the first warning of an input is an error (`ReadingOptions.isStrict`).
  public var isStrict = false
  /// Whether the input is live (`ReadingOptions.isLive`).
  public var isLive = false
  /// See `ReadingOptions.includesTimeBeforeFixes`.
  public var includesTimeBeforeFixes = false
  /// The channels that are needed, before the stages (`ReadingOptions.channels`).
  package var channels = ChannelSet.all
  /// See `ReadingOptions.clockStart`.
  private var clockStart: Instant?
  /// The films that continue the input.
  private var nextClips: [String] = []
  /// See `ReadingOptions.reportsUnknownStart`.
  package var reportsUnknownStart = true
  /// Whether a large input is read on a separate thread.
  public var readsAhead = false
  /// Returns new stages for each input.
  public var stages: @Sendable () -> [any TrackStage] = { [] }

  /// Creates options that detect the format and read leniently, without stages.
  public init() {}

  /// Detects the format of an input and opens a reader.
  package func open(_ input: consuming ByteInput, format known: TrackFormat? = nil) throws(TrackError)
    -> OpenTracks
  {
    var bytes = input
    let damage = bytes.damage
    let found: TrackFormat
    do throws(TrackError) {
      found =
        if let named = known ?? format { named } else if isLive {
          try FormatRegistry.withArchives.detectLive(&bytes)
        } else {
          try FormatRegistry.withArchives.detect(&bytes)
        }
    } catch {
      // A table cannot be recognized without a heading. Specified columns imply one.
      guard columns != nil else { throw damage?.error ?? error }
      found = .csv
    }
    var options = ReadingOptions(isStrict: isStrict)
    options.isLive = isLive
    options.includesTimeBeforeFixes = includesTimeBeforeFixes
    options.channels = channels
    options.clockStart = clockStart
    options.reportsUnknownStart = reportsUnknownStart
    var reader: any TrackReader & ~Copyable
    if let columns, found == .csv || found == .tsv {
      reader = CSVReader(bytes, options: options, columns: columns)
    } else {
      reader = try found.reader(bytes, options: options)
    }
    if !nextClips.isEmpty { reader = ClipsReader(reader, next: nextClips, options: options) }
    if let damage { reader = TruncationTolerantReader(reader, damage, isStrict: isStrict) }
    return OpenTracks(
      reader: StagedReader(readsAhead ? ReadAheadReader(reader) : reader, stages(), isStrict: isStrict),
      format: found)
  }

  /// Returns the options for an input of an export, with the tracks and points to keep according to its
  /// tables.
  package func adapted(to input: DiscoveredInput) -> TrackOpening {
    var opening = self
    opening.nextClips = input.nextClips
    if case .known(let notes) = input.notes { opening.clockStart = notes.clockStart }
    var first: [any TrackStage] = []
    if case .known(let notes) = input.notes, !notes.pauses.isEmpty { first.append(PauseStage(notes.pauses)) }
    if case .recording(let months) = input.notes { first.append(UncoveredMonthsStage(months)) }
    var kind: String?
    if stages().contains(where: { $0 is KindStage }) {
      kind = input.notes.notes(start: input.notes.needsStart ? firstTime(of: input) : nil)?.type
    }
    opening.stages = { [stages, first, kind] in
      first + stages().map { ($0 as? KindStage)?.knowing(kind) ?? $0 }
    }
    return opening
  }

  /// Returns the first time of an input that can be opened twice, used to find its notes, or nil.
  package func firstTime(of input: DiscoveredInput) -> Instant? {
    var opening = self
    opening.stages = { [] }
    opening.isStrict = false
    guard !input.isStreamed, var tracks = try? opening.open(input.open(), format: input.format) else {
      return nil
    }
    var batch = PointBatch()
    while let event = try? tracks.reader.next(into: &batch) {
      guard case .points = event else { continue }
      for row in 0..<batch.count where batch.times[row] != Instant.absent {
        return Instant(microseconds: batch.times[row])
      }
    }
    return nil
  }
}

/// An opened input with a known format.
package struct OpenTracks: ~Copyable {
  package var reader: StagedReader
  package let format: TrackFormat

  /// - Parameter format: the format of all tracks of the reader.
  package init(reader: consuming StagedReader, format: TrackFormat) {
    self.reader = reader
    self.format = format
  }
}
