import TrackModel

/// What an input is called: in messages as it is, for outputs so that it can be a name of a file.
public struct InputLabel: Sendable, Hashable {
  /// The path of the file, and behind it the names of the entries down to this one:
  /// `export.zip/activities/1.gpx`. A label, never a path to write to.
  public let path: String
  /// The name for outputs, without folders and endings: never empty, without separators, control characters
  /// and what file systems do not take, and no longer than 100 bytes.
  public let stem: String

  /// The longest label; the middle of a longer one is left out.
  private static let maximumPath = 400
  private static let maximumStem = 100

  /// The label of a path.
  public init(path: String) { self.init(path, name: path) }

  /// The label of an entry.
  init(_ container: String, entry: String) {
    let entry = entry.hasPrefix("./") ? String(entry.dropFirst(2)) : entry
    self.init((container == "-" ? "standard input" : container) + "/" + entry, name: entry)
  }

  private init(_ path: String, name: String) {
    self.path = InputLabel.shortened(path)
    stem = InputLabel.stem(of: name)
  }

  private static func shortened(_ path: String) -> String {
    guard path.utf8.count > maximumPath else { return path }
    return path.prefix(150) + "…" + path.suffix(150)
  }

  /// Endings of what is packed around a file.
  private static let packed = ["gz", "xz", "zst", "bz2", "tgz"]

  static func stem(of path: String) -> String {
    let base = path.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    var name = without(base) { packed.contains($0) }
    name = without(name) { _ in true }
    if name.lowercased().hasSuffix(".drive") { name.removeLast(6) }
    var stem = ""
    for character in name {
      let isSafe = character.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
          false
        default: scalar != "\u{FFFD}" && !"<>:\"/\\|?*".unicodeScalars.contains(scalar)
        }
      }
      let next = isSafe ? String(character) : "_"
      guard stem.utf8.count + next.utf8.count <= maximumStem else { break }
      stem += next
    }
    // Hidden files, `..`, and names that Windows would cut.
    while stem.hasPrefix(".") || stem.hasPrefix(" ") { stem.removeFirst() }
    while stem.hasSuffix(".") || stem.hasSuffix(" ") { stem.removeLast() }
    return stem.isEmpty ? "track" : stem
  }

  /// A name without its ending, where that is as wished; a name that is nothing but an ending stays.
  private static func without(_ name: String, _ isWished: (String) -> Bool) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      isWished(name[name.index(after: dot)...].lowercased())
    else { return name }
    return String(name[..<dot])
  }
}
