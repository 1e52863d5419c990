import BulkImport
import CommandLineParsing
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

/// Opens the inputs of a command sequentially.
enum Input {
  /// Opens an input that is one stream of tracks: a file, an archive with one file in it, compressed or not,
  /// or a folder with the films of one drive.
  ///
  /// - Parameters:
  ///   - opening: the options for reading it.
  ///   - isOneOfSeveral: whether there are other inputs, which a named pipe would block.
  /// - Throws: `usage` for a folder or an archive of several files; `unsupported` for a named pipe among
  ///   others.
  static func open(
    _ path: String, _ opening: TrackOpening, isOneOfSeveral: Bool = false
  ) throws(TrackError) -> OpenInput {
    if let reference = LibraryReference(path) {
      return OpenInput(tracks: try reference.open(opening), progress: nil)
    }
    let progress = RunProgress([path])
    var options = EnumerationOptions()
    options.format = opening.format
    options.isOneOfSeveral = isOneOfSeveral
    options.joinsClips = true
    let several = TrackError(
      .usage, "contains several files; one is required", file: InputPath.name(path),
      suggestion: .text("use ghost-convert import, which creates a drive from each"))
    guard !InputEnumerator.holdsSeveral(path, options: options) else { throw several }
    let walk = InputEnumerator([path], options: options, progress: progress.walk)
    var isContainer = false
    var fault: TrackError?
    while let step = walk.next() {
      switch step {
      case .container(let container):
        isContainer = true
        // A pipe cannot be read twice.
        guard path != "-" || container.fileCount <= 1 else { throw several }
      case .skipped, .left: continue
      case .failed(_, let label, let error): fault = fault ?? error.inFile(label.path)
      case .input(let input):
        let content = input.isStreamed ? try walk.takeStream() : try input.open(progress: progress.bytes)
        return OpenInput(
          tracks: try opening.adapted(to: input).open(content, format: input.format), progress: progress)
      }
    }
    if let fault { throw fault }
    throw TrackError(
      .noTracks, isContainer ? "contains no readable tracks" : "no track in the file",
      file: InputPath.name(path)
    )
  }

  /// Opens live input, without reading ahead and without showing progress.
  static func openLive(
    _ input: consuming ByteInput, _ opening: TrackOpening
  ) throws(TrackError) -> OpenInput {
    var opening = opening
    // A regular file is complete, so its contents do not have to be guessed.
    opening.isLive = input.size == nil
    opening.includesTimeBeforeFixes = true
    return OpenInput(tracks: try opening.open(input), progress: nil)
  }

  /// Returns the stem of outputs that are named after an input.
  static func baseName(_ path: String) -> String {
    LibraryReference(path)?.identifier ?? InputPath.stem(path)
  }

  /// Parses `lat=2,lon=3,time=1` in an option.
  static func columns(_ text: String) throws(InvalidValue) -> CSVColumns? {
    do throws(TrackError) {
      return try CSVColumns(parsing: text)
    } catch {
      throw InvalidValue(error.message)
    }
  }

  /// Parses the name of a format given in an option.
  static func format(_ text: String) throws(InvalidValue) -> TrackFormat? {
    if let format = FormatRegistry.withArchives.named(text) { return format }
    throw InvalidValue(
      "expected one of " + FormatRegistry.withArchives.formats.map(\.name).joined(separator: ", "))
  }
}

/// An input whose format is known.
struct OpenInput: TrackReader, ~Copyable {
  private var tracks: OpenTracks
  private let progress: RunProgress?

  init(tracks: consuming OpenTracks, progress: RunProgress?) {
    self.tracks = tracks
    self.progress = progress
  }

  var format: TrackFormat { tracks.format }
  var warnings: [TrackWarning] { tracks.reader.warnings }

  /// Reads the next event and updates the progress display.
  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    let event = try tracks.reader.next(into: &batch)
    if case .points = event { progress?.update() }
    return event
  }
}
