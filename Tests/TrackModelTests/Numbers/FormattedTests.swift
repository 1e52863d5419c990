import Testing
import TrackModel

struct FormattedTests {
  @Test(
    "Numbers have the requested decimals and no exponent",
    arguments: [
      (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-1.5, 0, "-2"), (1e-9, 3, "0.000"), (0.05, 2, "0.05"),
      (123456.789, 2, "123456.79"), (1e15, 2, "1000000000000000.00"), (1e17, 1, "?"), (.nan, 1, "?"),
      (-.infinity, 0, "?"),
    ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(Formatted.fixed(value, decimals) == text)
  }

  @Test(
    "A clock time includes hours only if necessary, and a sign if negative",
    arguments: [
      (0, "0:00"), (-0.4, "0:00"), (9.5, "0:10"), (-80, "-1:20"), (59.6, "1:00"), (3599.4, "59:59"),
      (3723, "1:02:03"), (360_000, "100:00:00"), (.nan, "?"), (.infinity, "?"), (1e15, "?"),
    ])
  func clock(seconds: Double, text: String) { #expect(Formatted.clock(seconds) == text) }

  @Test(
    "A clock time in hundredths is rounded before it is divided",
    arguments: [
      (0, "0:00.00"), (-0.004, "0:00.00"), (-80, "-1:20.00"), (59.996, "1:00.00"), (112.344, "1:52.34"),
      (3599.994, "59:59.99"), (3723.456, "1:02:03.46"), (.nan, "?"), (1e12, "?"),
    ])
  func preciseClock(seconds: Double, text: String) { #expect(Formatted.preciseClock(seconds) == text) }

  @Test("The shortest text has no exponent", arguments: [(0.1, "0.1"), (2e-7, "0.0000002"), (-3, "-3")])
  func shortest(value: Double, text: String) { #expect(Formatted.shortest(value) == text) }
}
