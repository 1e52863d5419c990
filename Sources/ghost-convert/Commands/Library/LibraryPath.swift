import CommandLineParsing
import TrackArchives
import TrackFormats
import TrackModel

/// Determines the library if the command line does not specify one.
enum LibraryPath {
  /// The environment variable with the library's path.
  static let variable = "GHOST_LIBRARY"
  /// The default name in the current folder.
  static let usualName = "drives.gpkg"

  /// Parses the value of `--library`.
  static func argument(_ text: String) throws(InvalidValue) -> String? {
    if text.isEmpty { throw InvalidValue("expected the name of a file") }
    if text == "-" { throw InvalidValue("a library cannot be a stream; use ./- for a file named -") }
    return text
  }

  /// Returns a hint if an operand is the name of a library, otherwise nil.
  static func operandHint(_ operand: String) -> String? {
    operand.lowercased().hasSuffix(".gpkg") ? "use --library \(operand)" : nil
  }

  /// Parses the prefix of a drive's id.
  static func identifier(_ text: String) throws(InvalidValue) -> String {
    guard let hint = operandHint(text) else { return text }
    throw InvalidValue("expected the id of a drive; \(hint)")
  }

  /// The path from the environment, or the default path. The file may not exist yet.
  static var newPath: String {
    Environment.value(variable) ?? usualName
  }

  /// Returns the path from the option, from the environment, or of the library in the current folder.
  ///
  /// - Throws: `notFound` if none of these exists.
  static func path(_ option: String?) throws(TrackError) -> String {
    if let option { return option }
    if let path = Environment.value(variable) {
      guard path != "-" else {
        throw TrackError(
          .usage, "\(variable) is -, but a library must be a file",
          suggestion: .text("use ./- for a file named -"))
      }
      return path
    }
    guard InputEnumerator.exists(usualName) else {
      throw TrackError(
        .notFound, "no library given, and no \(usualName) in the current folder",
        suggestion: .text(
          "use --library FILE, set \(variable), or create a library with ghost-convert import --library FILE")
      )
    }
    return usualName
  }
}
