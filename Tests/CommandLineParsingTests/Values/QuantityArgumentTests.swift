import Testing

@testable import CommandLineParsing

@Suite("Quantities in options")
struct QuantityArgumentTests {
  @Test(
    "Durations are read",
    arguments: [
      ("90", 90.0), ("1.5", 1.5), ("1,5", 1.5), ("24:30", 1470), ("1:02:03", 3723), ("1:02:03,5", 3723.5),
      ("1h30", 5400), ("1h30m", 5400), ("1 h 30 min", 5400), ("90min", 5400), ("1.5h", 5400), ("1,5 h", 5400),
      ("2min30", 150), ("90s", 90), ("250ms", 0.25), ("1d", 86_400), ("1d12", 129_600), ("3 Hours", 10_800),
    ])
  func durations(text: String, seconds: Double) throws {
    #expect(try QuantityArgument.seconds(text) == seconds)
  }

  @Test(
    "Invalid durations are rejected",
    arguments: [
      "", "x", "-5", "1:60", "1:2:60", "1.5:30", "1:2:3:4", "5x", "30m1h", "h", "1..5", "1,2,3", "1h 5 6",
    ])
  func noDurations(text: String) {
    #expect(throws: (any Error).self) { try QuantityArgument.seconds(text) }
  }

  @Test(
    "In offsets with a sign, two fields are hours and minutes",
    arguments: [
      ("+01:00", 3600.0), ("-01:00", -3600), ("+1:00", 3600), ("1:00", 60), ("+5:30", 19_800), ("+1h", 3600),
      ("-30s", -30), ("+0:00:05", 5), ("-1:02:03", -3723), ("90", 90), ("\u{2212}2h", -7200),
    ])
  func offsets(text: String, seconds: Double) throws {
    #expect(try QuantityArgument.offset(text, maximum: 3e11) == seconds)
  }

  @Test(
    "Speeds are read in metres per second",
    arguments: [
      ("5mph", 2.2352), ("8 km/h", 8 / 3.6), ("13.9 m/s", 13.9), ("13,9m/s", 13.9), ("10kn", 18.52 / 3.6),
      ("50KM/H", 50 / 3.6), ("10 knots", 18.52 / 3.6),
    ] as [(String, Double)])
  func speeds(text: String, metresPerSecond: Double) throws {
    #expect(abs(try QuantityArgument.speed(text) - metresPerSecond) < 1e-12)
  }

  @Test(
    "A speed needs a positive number and a unit", arguments: ["50", "0km/h", "km/h", "-5mph", "5 parsecs"])
  func noSpeeds(text: String) {
    #expect(throws: (any Error).self) { try QuantityArgument.speed(text) }
  }

  @Test(
    "Lengths are read in metres",
    arguments: [
      ("15", 15.0), ("15m", 15), ("0.5 km", 500), ("0,5km", 500), ("50ft", 15.24), ("1mi", 1609.344),
      ("1nmi", 1852), ("100yd", 91.44),
    ])
  func lengths(text: String, metres: Double) throws {
    #expect(abs(try QuantityArgument.metres(text) - metres) < 1e-9)
  }

  @Test(
    "Times of day are read",
    arguments: [
      ("6:30", 23_400.0), ("06:30", 23_400), ("6:30:15", 23_415), ("00:00", 0), ("24:00", 86_400),
    ])
  func timesOfDay(text: String, seconds: Double) {
    #expect(QuantityArgument.timeOfDay(text) == seconds)
  }

  @Test(
    "Invalid times of day are rejected", arguments: ["6", "6:3", "25:00", "24:01", "6:60", "6.5:30", "x:30"])
  func noTimesOfDay(text: String) {
    #expect(QuantityArgument.timeOfDay(text) == nil)
  }
}
