import TrackArchives
package import TrackFormats
package import TrackModel
import TrackTransforms

/// A single input that is open and whose format is known. Reading it updates its progress.
package struct OpenInput: TrackReader, ~Copyable {
  private var tracks: OpenTracks
  private let progress: (any InputProgress)?

  /// Creates the progress of some paths.
  package typealias ProgressMaking = ([String]) -> any InputProgress

  /// Opens an input that is one stream of tracks: a file, an archive with one file in it, compressed or not,
  /// a folder with the films of one drive, or a drive of a library.
  ///
  /// - Parameters:
  ///   - path: the input; `-` is standard input.
  ///   - opening: the options for reading it.
  ///   - isOneOfSeveral: whether there are other inputs, which a named pipe would block.
  ///   - progress: creates the progress of a file.
  /// - Throws: `usage` for a folder or an archive of several files; `unsupported` for a named pipe among
  ///   others.
  package init(
    _ path: String, _ opening: TrackOpening, isOneOfSeveral: Bool = false, progress: ProgressMaking
  ) throws(TrackError) {
    let reference = LibraryReference(path)
    let progress = reference == nil ? progress([path]) : nil
    self.progress = progress
    tracks = try Self.tracks(path, reference, opening, isOneOfSeveral, progress)
  }

  private static func tracks(
    _ path: String, _ reference: LibraryReference?, _ opening: TrackOpening, _ isOneOfSeveral: Bool,
    _ progress: (any InputProgress)?
  ) throws(TrackError) -> OpenTracks {
    if let reference { return try reference.open(opening) }
    var options = EnumerationOptions()
    options.format = opening.format
    options.acceptsAnyTable = opening.acceptsAnyTable
    options.isOneOfSeveral = isOneOfSeveral
    options.joinsClips = true
    let several = TrackError(
      .usage, "contains several files; one is required", file: InputPath.name(path),
      suggestion: .importEachFile)
    guard !InputEnumerator.holdsSeveral(path, options: options) else { throw several }
    let walk = InputEnumerator(
      [path], options: options, progress: progress?.walk ?? EnumerationProgress(roots: 1))
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
        let content = input.isStreamed ? try walk.takeStream() : try input.open(progress: progress?.bytes)
        return try opening.adapted(to: input).open(content, format: input.format)
      }
    }
    if let fault { throw fault }
    throw TrackError(
      .noTracks, isContainer ? "contains no readable tracks" : "no track in the file",
      file: InputPath.name(path))
  }

  /// Opens live input, without reading ahead and without progress.
  package init(live input: consuming ByteInput, _ opening: TrackOpening) throws(TrackError) {
    var opening = opening
    // A regular file is complete, so its contents do not have to be guessed.
    opening.isLive = input.size == nil
    opening.includesTimeBeforeFixes = true
    tracks = try opening.open(input)
    progress = nil
  }

  package var format: TrackFormat { tracks.format }
  package var warnings: [TrackWarning] { tracks.reader.warnings }

  package mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    let event = try tracks.reader.next(into: &batch)
    if case .points = event { progress?.update() }
    return event
  }
}
