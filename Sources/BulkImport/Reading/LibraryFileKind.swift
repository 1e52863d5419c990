import TrackArchives
import TrackFormats

/// Detects libraries by their first bytes.
package enum LibraryFileKind {
  /// Returns whether a file exists and is a database, like a library.
  package static func isLibrary(_ path: String) -> Bool {
    guard path != "-", InputEnumerator.size(path) != nil, var input = try? ByteInput(path: path),
      (try? input.fill()) == true
    else { return false }
    return input.available.array.starts(with: FileOpening.databaseMark)
  }
}
