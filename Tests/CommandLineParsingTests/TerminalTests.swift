import Testing

@testable import CommandLineParsing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct TerminalTests {
  @Test("COLUMNS sets the width, within reason")
  func columns() async {
    await #expect(processExitsWith: .success) {
      for (columns, width) in [("100", 100), ("40", 40), ("7", 40), ("100000", 120), ("-3", 40)] {
        unsafe setenv("COLUMNS", columns, 1)
        if Terminal.width != width { exit(1) }
      }
    }
  }

  @Test("Without a terminal and COLUMNS the width is 80 and nothing is bold")
  func noTerminal() async {
    await #expect(processExitsWith: .success) {
      close(1)
      unsafe unsetenv("COLUMNS")
      unsafe unsetenv("NO_COLOR")
      if Terminal.width != 80 || Terminal.isStyled { exit(1) }
      unsafe setenv("COLUMNS", "wide", 1)
      if Terminal.width != 80 { exit(1) }
    }
  }
}
