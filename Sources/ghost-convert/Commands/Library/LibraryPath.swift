import CommandLineParsing
import TrackArchives
import TrackFormats
import TrackModel

/// Which library is meant where the command line does not say it.
enum LibraryPath {
  /// The environment variable that names it.
  static let variable = "GHOST_LIBRARY"
  /// What it is called in the current folder.
  static let usualName = "drives.gpkg"

  /// Reads the value of `--library`.
  static func argument(_ text: String) throws(InvalidValue) -> String? {
    if text.isEmpty { throw InvalidValue("expected the name of a file") }
    if text == "-" { throw InvalidValue("a library is a file, no stream; ./- is the file of that name") }
    return text
  }

  /// The hint for a library that is given as an operand; nil for another operand.
  static func operandHint(_ operand: String) -> String? {
    operand.lowercased().hasSuffix(".gpkg") ? "name the library with --library \(operand)" : nil
  }

  /// Reads the beginning of a drive's id.
  static func identifier(_ text: String) throws(InvalidValue) -> String {
    guard let hint = operandHint(text) else { return text }
    throw InvalidValue("expected the id of a drive; \(hint)")
  }

  /// The library that the environment names, or that of the current folder, whether or not it is there yet.
  static var newPath: String {
    Environment.value(variable) ?? usualName
  }

  /// The library that an option names, or the environment, or that lies in the current folder.
  ///
  /// - Throws: `notFound` where there is none of them.
  static func path(_ option: String?) throws(TrackError) -> String {
    if let option { return option }
    if let path = Environment.value(variable) {
      guard path != "-" else {
        throw TrackError(
          .usage, "\(variable) is -, and a library is a file",
          suggestion: .text("./- is the file of that name"))
      }
      return path
    }
    guard InputWalk.exists(usualName) else {
      throw TrackError(
        .notFound, "no library is given, and there is no \(usualName) here",
        suggestion: .text(
          "name one with --library FILE or \(variable); ghost-convert import --library FILE makes one"))
    }
    return usualName
  }
}
