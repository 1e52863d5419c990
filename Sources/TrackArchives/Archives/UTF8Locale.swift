#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A UTF-8 locale for libarchive, whose default locale supports only ASCII names.
@safe
final class UTF8Locale {
  #if canImport(Darwin)
    private static let name = "en_US.UTF-8"
  #else
    private static let name = "C.UTF-8"
  #endif

  /// The locale, or `nil` if the system has none. Non-ASCII names are then unknown.
  private let locale: locale_t?

  init() { unsafe locale = unsafe newlocale(LC_CTYPE_MASK, UTF8Locale.name, nil) }

  deinit { if let locale = unsafe locale { unsafe freelocale(locale) } }

  /// Calls a function with the locale set for the current thread.
  func use<Result>(_ body: () -> Result) -> Result {
    guard let locale = unsafe locale else { return body() }
    let before = unsafe uselocale(locale)
    defer { unsafe uselocale(before) }
    return body()
  }
}
