import CommandLineParsing
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Access to environment variables.
enum Environment {
  /// Returns the value of a variable, preserving invalid UTF-8, or nil if it is not set or empty.
  static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe FileName.text(value)
  }
}

/// The properties of the terminal and the environment that affect output.
enum Terminal {
  /// The standard streams, for help, the version and usage errors.
  static var output: ProgramOutput {
    ProgramOutput(width: width(), isStyled: isStyled) { text, stream in
      switch stream {
      case .output: Console.printLine(Array(text.utf8))
      case .error: Console.write(text, to: STDERR_FILENO) == nil
      }
    }
  }

  /// Returns the width of the output in columns, 40…120: `COLUMNS`, or else the terminal's width, or
  /// `columns`.
  static func width(orElse columns: Int = 80) -> Int {
    min(max(Environment.value("COLUMNS").flatMap { Int($0) } ?? windowWidth ?? columns, 40), 120)
  }

  /// Whether the locale's character set is UTF-8.
  ///
  /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set and not empty is used (POSIX.1-2017, 8.2).
  /// Without any of them, the locale is POSIX, which has only ASCII.
  static var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(Environment.value).first ?? ""
    // `de_DE.UTF-8`, `en_US.utf8@euro`, and on macOS `UTF-8` alone.
    return locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
  }

  /// Whether standard output is a terminal with bold text. `NO_COLOR` (no-color.org) and a dumb terminal
  /// exclude it.
  static var isStyled: Bool {
    Console.printsToTerminal && Environment.value("NO_COLOR") == nil && Environment.value("TERM") != "dumb"
  }

  private static var windowWidth: Int? {
    #if canImport(Musl)
      return nil
    #else
      var size = winsize()
      guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
      return Int(size.ws_col)
    #endif
  }
}
