import Testing

@testable import GhostExport

struct QuantityTests {
  @Test(
    "Durations are written in hours, minutes and seconds",
    arguments: [
      (0.04, "0.0 s"), (4.21, "4.2 s"), (-4.21, "4.2 s"), (9.94, "9.9 s"), (9.96, "0:10"), (42, "0:42"),
      (59.6, "1:00"), (1470, "24:30"), (3723, "1:02:03"), (.nan, "?"), (.infinity, "?"), (1e300, "?"),
    ])
  func duration(seconds: Double, text: String) { #expect(Quantity.duration(seconds) == text) }

  @Test(
    "Drives are level if the gap is formatted as 0",
    arguments: [
      (0.004, "level", "level"), (0.02, "level", "a is ahead by 0.02 s"),
      (-0.3, "b is ahead by 0.3 s", "b is ahead by 0.30 s"),
    ])
  func level(gap: Double, seconds: String, hundredths: String) {
    #expect(Quantity.ahead(gap, "a", "b") == seconds)
    TimeResolution.$current.withValue(.hundredths) { #expect(Quantity.ahead(gap, "a", "b") == hundredths) }
  }

  @Test(
    "A negative clock time has a minus sign",
    arguments: [(0, "0:00"), (-0.4, "0:00"), (-80, "−1:20"), (80, "1:20")])
  func clock(seconds: Double, text: String) { #expect(Quantity.clock(seconds) == text) }

  @Test(
    "Numbers have the requested decimals and no exponent",
    arguments: [
      (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-1.5, 0, "-2"), (1e-9, 3, "0.000"), (0.05, 2, "0.05"),
      (123456.789, 2, "123456.79"),
    ])
  func fixed(value: Double, decimals: Int, text: String) { #expect(Quantity.fixed(value, decimals) == text) }

  @Test(
    "Lengths are written in metres or kilometres",
    arguments: [
      (320.4, "320 m"), (999.6, "1.0 km"), (11_290, "11.3 km"), (99_949, "99.9 km"), (240_200, "240 km"),
      (0, "0 m"),
    ])
  func distance(metres: Double, text: String) { #expect(Quantity.distance(metres) == text) }

  @Test(
    "Lists are joined with commas and 'and'",
    arguments: [(["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C"], "A, B and C"), ([], "")])
  func list(names: [String], text: String) { #expect(Quantity.list(names) == text) }

  @Test(
    "A sentence begins with a capital letter, unless it begins with a name",
    arguments: [
      ("tuesday was faster", "Tuesday was faster."), ("ride_2 was faster", "ride_2 was faster."),
      ("iPhone and watch", "iPhone and watch."),
      ("both took the same time, ± 1 s", "Both took the same time, ± 1 s."),
      ("", "."),
    ])
  func sentence(words: String, text: String) { #expect(Quantity.sentence(words) == text) }
}
