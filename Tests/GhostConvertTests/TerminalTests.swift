import Testing

@testable import ghost_convert

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct TerminalTests {
  @Test("COLUMNS sets the width, within limits")
  func columns() async {
    await #expect(processExitsWith: .success) {
      for (columns, width) in [("100", 100), ("40", 40), ("7", 40), ("100000", 120), ("-3", 40)] {
        unsafe setenv("COLUMNS", columns, 1)
        if Terminal.width() != width { exit(1) }
      }
    }
  }

  @Test("Without a terminal and COLUMNS the width is 80 and the text is not styled")
  func noTerminal() async {
    await #expect(processExitsWith: .success) {
      close(1)
      unsafe unsetenv("COLUMNS")
      unsafe unsetenv("NO_COLOR")
      if Terminal.width() != 80 || Terminal.isStyled || Terminal.width(orElse: 60) != 60 { exit(1) }
      unsafe setenv("COLUMNS", "wide", 1)
      if Terminal.width() != 80 { exit(1) }
    }
  }

  @Test("The first of LC_ALL, LC_CTYPE and LANG that is not empty determines the use of UTF-8")
  func locale() async {
    await #expect(processExitsWith: .success) {
      let cases: [(all: String?, type: String?, language: String?, isUTF8: Bool)] = [
        (nil, nil, nil, false), (nil, nil, "en_US.UTF-8", true), (nil, nil, "de_DE.utf8@euro", true),
        ("C", "en_US.UTF-8", "en_US.UTF-8", false), ("", "", "C.UTF-8", true),
        (nil, "UTF-8", "C", true), (nil, "de_DE.ISO-8859-1", "de_DE.UTF-8", false),
        ("POSIX", nil, nil, false),
      ]
      for (all, type, language, isUTF8) in cases {
        for (name, value) in [("LC_ALL", all), ("LC_CTYPE", type), ("LANG", language)] {
          if let value { unsafe setenv(name, value, 1) } else { unsafe unsetenv(name) }
        }
        if Terminal.isUTF8 != isUTF8 { exit(1) }
      }
    }
  }
}
