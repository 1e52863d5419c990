import CommandLineParsing
import TrackFormats
import TrackModel

/// The inputs of a command, opened one after the other.
enum Input {
  /// What messages call an input.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// The file's name without folders, ending, and that of a compression behind it.
  static func baseName(_ path: String) -> String {
    if path == "-" { return "stdin" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for ending in [".gz", ".xz", ".zst", ".bz2"] where name.count > ending.count && name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    let stem = name[..<dot]
    return String(stem.hasSuffix(".drive") ? stem.dropLast(6) : stem)
  }

  /// The folder that a path lies in, with the slash behind it; empty for the current one.
  static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }

  /// Reads `lat=2,lon=3,time=1` for an option.
  static func columns(_ text: String) throws(InvalidValue) -> CSVColumns? {
    do throws(TrackError) {
      return try CSVColumns(parsing: text)
    } catch {
      throw InvalidValue(error.message)
    }
  }

  /// Reads the name of a format for an option.
  static func format(_ text: String) throws(InvalidValue) -> TrackFormat? {
    if let format = TrackFormat.named(text) { return format }
    throw InvalidValue("expected one of " + TrackFormat.all.map(\.name).joined(separator: ", "))
  }
}
