import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the drives of an import go: to standard output, to the one output that was named, or to files that are named for
/// their inputs.
struct ImportDestination {
  private let options: GhostConvert.ImportCommandOptions
  private var names = OutputNames()

  init(_ options: GhostConvert.ImportCommandOptions) { self.options = options }

  var isStandardOutput: Bool {
    options.output == "-"
      || (options.output == nil && options.outputDirectory == nil && options.inputs == ["-"]
        && !options.listing.isOn)
  }

  /// Whether it holds one drive only.
  var holdsOne: Bool { isStandardOutput ? options.blob : options.output != nil }

  /// Whether inputs that hold several files have no place for their drives.
  var lacksFolder: Bool { options.outputDirectory == nil && !isStandardOutput }

  /// The output for a drive. What is there stays, unless it is this very drive.
  ///
  /// - Parameters:
  ///   - number: of the drive among those of its input; nil for the only one.
  ///   - kept: gets the first name that would have been the drive's and belongs to something else.
  /// - Throws: `usage` where the drive would take the place of an input.
  mutating func path(
    of drive: Drive, number: Int?, from origin: InputOrigin, kept: inout String?
  ) throws(TrackError) -> String {
    if isStandardOutput { return "-" }
    if let output = options.output { return output }
    let source = origin.label.path
    let folder =
      options.outputDirectory.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
      ?? (origin.isInContainer ? InputWalk.folder(of: origin.rootPath) : Input.folder(source))
    let stem = origin.isInContainer ? origin.label.stem : Input.baseName(source)
    let isBlob = options.blob
    var inTheWay: String?
    let output = names.unused(
      folder + stem + (number.map { "-\($0)" } ?? ""), ending: isBlob ? "coordinates.json" : "drive.json"
    ) { [options] name in
      // An input is refused below.
      let isFree =
        !InputWalk.exists(name) || Self.holds(name, drive, isBlob: isBlob)
        || Self.isInput(name, origin, options.inputs)
      if !isFree { inTheWay = inTheWay ?? name }
      return isFree
    }
    if Self.isInput(output, origin, options.inputs) {
      throw TrackError(
        .usage, "the drive would take the place of its recording", hint: "name another output with --output")
    }
    kept = inTheWay
    return output
  }

  /// Whether a file is this drive, as an earlier import has written it.
  private static func holds(_ path: String, _ drive: Drive, isBlob: Bool) -> Bool {
    guard var input = try? ByteInput(path: path), let size = input.size, size < 1 << 30 else { return false }
    while (try? input.fill()) == true {}
    guard !isBlob else {
      let blob = drive.coordinatesData
      guard input.available.count == blob.count else { return false }
      for index in input.available.indices where input.available[index] != blob.span[index] { return false }
      return true
    }
    return (try? DriveDocument.decode(input.available))?.id == drive.id
  }

  /// Whether a file is one of the arguments, or the one of a list that is at hand.
  private static func isInput(_ path: String, _ origin: InputOrigin, _ inputs: [String]) -> Bool {
    if origin.isListed { return ByteSink.areSame(path, origin.rootPath) }
    return inputs.contains { ByteSink.areSame(path, $0) }
  }
}
