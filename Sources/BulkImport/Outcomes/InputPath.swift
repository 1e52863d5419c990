import TrackModel

/// The names that messages and outputs derive from the path of an input.
package enum InputPath {
  /// Returns the name of an input in messages.
  package static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Returns the file name without its folders, its extension and that of a compression.
  package static func stem(_ path: String) -> String {
    if path == "-" { return "stdin" }
    var name = String(FileName.last(path))
    if name.isEmpty { return path }
    for ending in [".gz", ".xz", ".zst", ".bz2"] where name.count > ending.count && name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    let stem = name[..<dot]
    return String(stem.hasSuffix(".drive") ? stem.dropLast(6) : stem)
  }
}
