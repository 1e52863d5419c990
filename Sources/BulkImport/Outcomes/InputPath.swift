import TrackModel

/// The names that messages and outputs derive from the path of an input.
package enum InputPath {
  /// Returns the name of an input in messages.
  package static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Returns the file name without its folders, its extension and that of a compression.
  package static func stem(_ path: String) -> String {
    if path == "-" { return "stdin" }
    let stem = FileName.stem(path)
    return stem.isEmpty ? path : stem
  }
}
