import GhostModel
import TrackArchives
import TrackFormats
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The destination of imported drives: standard output, one file, or files named after their inputs.
public struct DriveDestination {
  /// The kinds of destination.
  public enum Kind: Sendable, Hashable {
    /// Standard output: the drive documents one after the other, or the bytes of a single drive.
    case standardOutput
    /// A single file, which can store one drive.
    case file(String)
    /// A folder. The subfolders of input folders and archives are kept unless `isFlat`.
    case folder(String, isFlat: Bool)
    /// The folder of each input.
    case besideInputs
  }

  /// Checks an output before it is created.
  ///
  /// - Throws: an error if an output must not be written for an input file.
  public typealias Check = @Sendable (_ output: String, _ input: String) throws(TrackError) -> Void

  /// The kind of destination.
  public let kind: Kind
  /// Whether only the bytes of `Drive.coordinatesData` are written.
  public let isBlob: Bool
  private let check: Check
  private var names = OutputNames()
  /// Files with names intended for other drives, by the drives that they contain, which may follow later.
  private var passedOver: [String: String] = [:]

  /// Creates a destination. Nothing is written before the first drive.
  ///
  /// - Parameters:
  ///   - kind: the kind of destination.
  ///   - isBlob: whether only the bytes of `Drive.coordinatesData` are written, and not the document.
  ///   - check: throws if an output must not be written. It is called before each file is created.
  public init(
    _ kind: Kind, isBlob: Bool = false, check: @escaping Check = { (_, _) throws(TrackError) in }
  ) {
    self.kind = kind
    self.isBlob = isBlob
    self.check = check
  }

  /// Whether it can store only one drive.
  var holdsOne: Bool {
    switch kind {
    case .standardOutput: isBlob
    case .file: true
    case .folder, .besideInputs: false
    }
  }

  /// The output, if there is only one.
  var file: String? {
    switch kind {
    case .standardOutput: "-"
    case .file(let path): path
    case .folder, .besideInputs: nil
    }
  }

  /// Whether no folder is given for the drives of an input with several files.
  package var lacksFolder: Bool {
    switch kind {
    case .standardOutput, .folder: false
    case .file, .besideInputs: true
    }
  }

  /// Writes a drive to the next free name. The output gets its final name with ``StagedFile/keep(_:)``.
  ///
  /// - Parameters:
  ///   - number: the number of the drive within its input; nil for a single drive.
  ///   - kept: the preferred name for the drive if another file already has it.
  /// - Returns: the path of the output.
  mutating func write(
    _ drive: Drive, number: Int?, from origin: InputOrigin, to held: StagedFile, kept: inout String?
  ) throws(TrackError) -> String {
    let output = try path(of: drive, number: number, from: origin, kept: &kept)
    if case .folder = kind { try ByteSink.makeFolder(FileName.folder(output)) }
    var sink = try ByteSink(path: output, held: held)
    if isBlob {
      try sink.write(drive.coordinatesData.span)
    } else {
      try DriveDocument.encode(drive) { piece throws(TrackError) in try sink.write(piece) }
    }
    try sink.finish()
    return output
  }

  /// Returns the output for a drive. An existing file is kept unless it contains this drive.
  private mutating func path(
    of drive: Drive, number: Int?, from origin: InputOrigin, kept: inout String?
  ) throws(TrackError) -> String {
    let folder: String
    switch kind {
    case .standardOutput: return "-"
    case .file(let output):
      try check(output, origin.file)
      return output
    case .folder(let path, let isFlat):
      let below =
        isFlat ? "" : InputEnumerator.subfolder(of: origin.label, in: origin.file, below: origin.rootPath)
      folder = FileName.folderPrefix(path) + below
    case .besideInputs:
      folder =
        origin.isInContainer ? InputEnumerator.folder(of: origin.rootPath) : FileName.folder(origin.file)
    }
    let stem = origin.isInContainer ? origin.label.stem : InputPath.stem(origin.file)
    let output = unused(
      folder + stem + (number.map { "-\($0)" } ?? ""), for: drive, from: origin, kept: &kept)
    try check(output, origin.file)
    return output
  }

  private mutating func unused(
    _ stem: String, for drive: Drive, from origin: InputOrigin, kept: inout String?
  ) -> String {
    let isBlob = self.isBlob
    let wanted = isBlob ? ContentHash(drive.coordinatesData.span).description : drive.id.uuidString
    if let known = passedOver[wanted], known.hasPrefix(stem), names.reserve(known) { return known }
    var passed: [String: String] = [:]
    var inTheWay: String?
    let output = names.unused(stem, ending: isBlob ? "coordinates.json" : "drive.json") { [check] name in
      // An input is refused later.
      guard InputEnumerator.exists(name), (try? check(name, origin.file)) != nil else { return true }
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

  /// Returns the drive that an earlier import wrote to a file, or nil.
  private static func drive(in path: String, isBlob: Bool) -> String? {
    guard var input = try? ByteInput(path: path), let size = input.size, size < 1 << 30 else { return nil }
    if isBlob {
      while (try? input.fill()) == true {}
      return ContentHash(input.available).description
    }
    return DriveReader.identifier(in: input).flatMap(UUID.init(uuidString:))?.uuidString
  }
}
