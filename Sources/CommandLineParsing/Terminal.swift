#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The standard streams and their properties. The only file of this module that calls the C library.
package enum Terminal {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// The line width in columns: `COLUMNS`, the terminal's width, or 80, limited to 40...120.
  static var width: Int {
    width(orElse: 80)
  }

  /// The line width, with another fallback if neither is known.
  package static func width(orElse columns: Int) -> Int {
    min(max(environment("COLUMNS").flatMap { Int($0) } ?? windowWidth ?? columns, 40), 120)
  }

  /// Whether the locale's encoding is UTF-8, according to the first non-empty variable of `LC_ALL`,
  /// `LC_CTYPE` and `LANG` (POSIX.1-2017, 8.2). Without any, the locale is POSIX, which is ASCII only.
  package static var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
    // Such as `de_DE.UTF-8`, `en_US.utf8@euro`, and `UTF-8` on macOS.
    return locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
  }

  /// Whether standard output is a terminal that supports bold text. False if `NO_COLOR` (no-color.org) is set
  /// or the terminal is dumb.
  static var isStyled: Bool {
    isatty(Stream.output.rawValue) == 1 && (environment("NO_COLOR") ?? "").isEmpty
      && environment("TERM") != "dumb"
  }

  /// Writes all of `text`. Returns false if writing fails.
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
