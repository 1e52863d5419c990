import TrackArchives
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
  private let protection: InputProtection
  private var names = OutputNames()
  /// What lies under names that were not free for another drive, by what it is. It may be a drive that comes later.
  private var passedOver: [String: String] = [:]

  init(_ options: GhostConvert.ImportCommandOptions) {
    self.options = options
    protection = InputProtection(
      options.inputs.filter { !InputWalk.mayHoldSeveral($0) }, isOff: options.force)
  }

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
    if let output = options.output {
      try protection.check(output, input: origin.file)
      return output
    }
    let source = origin.label.path
    let folder =
      options.outputDirectory.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + subfolder(origin) }
      ?? (origin.isInContainer ? InputWalk.folder(of: origin.rootPath) : Input.folder(source))
    let stem = origin.isInContainer ? origin.label.stem : Input.baseName(source)
    let output = unused(
      folder + stem + (number.map { "-\($0)" } ?? ""), for: drive, from: origin, kept: &kept)
    try protection.check(output, input: origin.file)
    return output
  }

  /// The folder of an input below its input folder.
  private func subfolder(_ origin: InputOrigin) -> String {
    options.flat ? "" : InputWalk.subfolder(of: origin.file, below: origin.rootPath)
  }

  private mutating func unused(
    _ stem: String, for drive: Drive, from origin: InputOrigin, kept: inout String?
  ) -> String {
    let isBlob = options.blob
    let wanted = isBlob ? ContentHash(drive.coordinatesData.span).description : drive.id.uuidString
    if let known = passedOver[wanted], known.hasPrefix(stem), names.reserve(known) { return known }
    var passed: [String: String] = [:]
    var inTheWay: String?
    let output = names.unused(stem, ending: isBlob ? "coordinates.json" : "drive.json") { [protection] name in
      // An input is refused in the end.
      guard InputWalk.exists(name), (try? protection.check(name, input: origin.file)) != nil else {
        return true
      }
      let found = Self.drive(in: name, isBlob: isBlob)
      guard found != wanted else { return true }
      if let found { passed[found] = name }
      inTheWay = inTheWay ?? name
      return false
    }
    passedOver.merge(passed) { first, _ in first }
    kept = inTheWay
    return output
  }

  /// Which drive an earlier import has written to a file; nil where it is something else.
  private static func drive(in path: String, isBlob: Bool) -> String? {
    guard var input = try? ByteInput(path: path), let size = input.size, size < 1 << 30 else { return nil }
    while (try? input.fill()) == true {}
    if isBlob { return ContentHash(input.available).description }
    return (try? DriveDocument.decode(input.available))?.id.uuidString
  }
}
