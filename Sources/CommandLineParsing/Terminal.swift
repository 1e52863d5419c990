#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The standard streams, and what the environment says of them. The only file that calls the C library.
package enum Terminal {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// Columns to write in: `COLUMNS`, or else the terminal's own width, or 80; from 40 to 120.
  static var width: Int {
    width(orElse: 80)
  }

  /// The same with another width where neither is known.
  package static func width(orElse columns: Int) -> Int {
    min(max(environment("COLUMNS").flatMap { Int($0) } ?? windowWidth ?? columns, 40), 120)
  }

  /// Whether the locale's characters are those of UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is
  /// set and not empty says it (POSIX.1-2017, 8.2); without any the locale is POSIX, which has ASCII only.
  package static var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
    // `de_DE.UTF-8`, `en_US.utf8@euro`, and on macOS `UTF-8` alone.
    return locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
  }

  /// Whether standard output is a terminal that headings may be bold on. `NO_COLOR` (no-color.org) and a dumb
  /// terminal say no.
  static var isStyled: Bool {
    isatty(Stream.output.rawValue) == 1 && (environment("NO_COLOR") ?? "").isEmpty
      && environment("TERM") != "dumb"
  }

  /// Writes all of `text`; false when the stream does not take it.
  @discardableResult
  static func write(_ text: String, to stream: Stream) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          unsafe Darwin.write(stream.rawValue, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
          unsafe Glibc.write(stream.rawValue, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
          unsafe Musl.write(stream.rawValue, bytes.baseAddress, bytes.count)
        #endif
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static var windowWidth: Int? {
    #if canImport(Musl)
      return nil
    #else
      var size = winsize()
      guard unsafe ioctl(Stream.output.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return nil
      }
      return Int(size.ws_col)
    #endif
  }
}
