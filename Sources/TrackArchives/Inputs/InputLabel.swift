import TrackModel

/// The names of an input: for messages, and as a safe file name for outputs.
public struct InputLabel: Sendable, Hashable {
  /// The path of the file followed by the names of nested entries: `export.zip/activities/1.gpx`. Never used
  /// as a path to write to.
  public let path: String
  private let name: String
  /// The folders that contain the entry in its archives, for outputs: each made safe like ``stem``, with a
  /// slash at the end. Empty for a file on disk.
  public let folder: String

  /// The longest label. The middle of longer labels is omitted.
  private static let maximumPath = 400
  private static let maximumStem = 100
  private static let maximumFolders = 32

  /// The name for outputs without folders and extensions: not empty, without separators, control characters
  /// and characters that file systems reject, and at most 100 bytes.
  public var stem: String { InputLabel.stem(of: name) }

  /// Creates the label of a path.
  public init(path: String) { self.init(path, name: path) }

  /// Creates the label of an entry.
  ///
  /// - Parameter outer: the ``folder`` of the archive that contains it, or `nil` for a file in a folder.
  init(_ container: String, entry: String, below outer: String? = nil) {
    let entry = entry.hasPrefix("./") ? String(entry.dropFirst(2)) : entry
    self.init(
      (container == "-" ? "standard input" : container) + "/" + entry, name: entry,
      folder: outer.map { InputLabel.folder(of: entry, below: $0) } ?? "")
  }

  private init(_ path: String, name: String, folder: String = "") {
    self.path = InputLabel.shortened(path)
    self.name = name
    self.folder = folder
  }

  private static func shortened(_ path: String) -> String {
    guard path.utf8.count > maximumPath else { return path }
    return path.prefix(150) + "…" + path.suffix(150)
  }

  static func stem(of path: String) -> String {
    let base = components(path).last.map(String.init) ?? ""
    let stem = FileName.safe(FileName.stem(base), limit: maximumStem)
    return stem.isEmpty ? "track" : stem
  }

  private static func folder(of entry: String, below outer: String) -> String {
    // A Windows drive letter before the folders.
    let names = components(entry).dropLast().filter { !$0.hasSuffix(":") }.map {
      FileName.safe($0, limit: maximumStem)
    }
    return (components(outer).map(String.init) + names.filter { !$0.isEmpty }).prefix(maximumFolders)
      .map { $0 + "/" }.joined()
  }

  private static func components(_ path: String) -> [Substring] {
    path.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.map { Substring($0) }
  }
}
