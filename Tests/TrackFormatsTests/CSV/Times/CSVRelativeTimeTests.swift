import Testing
import TrackModel

@testable import TrackFormats

@Suite("Times of tables since the start")
struct CSVRelativeTimeTests {
  /// Returns the times of the points of a table.
  private static func times(_ text: String, _ said: String = "") throws -> [String] {
    try CSVTable.points(text, said.isEmpty ? CSVColumns() : CSVColumns(parsing: said)).map { point in
      point.split(separator: " ").dropFirst(3).first.map(String.init) ?? "none"
    }
  }

  @Test(
    "The unit of a heading decides, also for numbers as great as the seconds since 1970",
    arguments: [
      // 1.5 s and 119.5 s after 1999-09-09T09:09:09Z.
      ("time (us)", ["1500000", "119500000"]), ("time_us", ["1500000", "119500000"]),
      ("TimeUS", ["1500000", "119500000"]), ("time [µs]", ["1500000", "119500000"]),
      ("timestamp_ns", ["1500000000", "119500000000"]),
      ("Time (nanoseconds)", ["1500000000", "119500000000"]),
      ("time (ms)", ["1500", "119500"]), ("t (ms)", ["1500", "119500"]), ("time (s)", ["1.5", "119.5"]),
    ])
  func units(heading: String, values: [String]) throws {
    let table = "\(heading),lat,lon\n" + values.map { "\($0),47,8\n" }.joined()
    #expect(try Self.times(table) == ["1999-09-09T09:09:10.500Z", "1999-09-09T09:11:08.500Z"])
    #expect(CSVTable.warnings(table).contains { $0.contains("times count from an unknown start") })
  }

  @Test("A unit in the specification of columns decides, too")
  func saidUnit() throws {
    let table = "clk,lat,lon\n1500000,47,8\n119500000,47,8\n"
    #expect(
      try Self.times(table, "time=clk:us") == ["1999-09-09T09:09:10.500Z", "1999-09-09T09:11:08.500Z"])
  }

  @Test("In a unit, times since 1970 are dates, and times of a clock that goes back are invalid")
  func absolute() throws {
    #expect(
      try Self.times("TimeUS,lat,lon\n1715926350000000,47,8\n1715926351500000,47,8\n")
        == ["2024-05-17T06:12:30Z", "2024-05-17T06:12:31.500Z"])
    #expect(try Self.times("TimeUS,lat,lon\n119500000,47,8\n109500000,47,8\n") == ["none", "none"])
    // The other time is that of a clock.
    #expect(
      try Self.times("TimeUS,timestamp,lat,lon\n119500000,1715926350,47,8\n119600000,1715926351,47,8\n")
        == ["2024-05-17T06:12:30Z", "2024-05-17T06:12:31Z"])
  }

  /// Returns the minutes from the first time to each.
  private static func minutes(_ heading: String, _ cells: [String]) throws -> [Int] {
    let times = try times("\(heading),lat,lon\n" + cells.map { "\($0),47,8\n" }.joined())
    let instants = times.compactMap { ISO8601.read(Array($0.utf8).span)?.instant }
    return instants.map { Int(($0.seconds(since: instants[0]) / 60).rounded()) }
  }

  @Test(
    "Times of day continue after each midnight",
    arguments: [
      ("18:00:00 23:45:00 00:15:00 06:30:00 17:00:00", [0, 345, 375, 750, 1380]),
      ("09:00:00 21:00:00 03:00:00 12:00:00 23:30:00 01:00:00", [0, 720, 1080, 1620, 2310, 2400]),
      ("64800 86399.5 0.5 43200 63000", [0, 360, 360, 1080, 1410]),
      ("3600 86399.5 0.5 43200", [0, 1380, 1380, 2100]),
      // Newest first.
      ("00:15:00 00:05:00 23:55:00 23:45:00", [0, -10, -20, -30]),
    ] as [(String, [Int])])
  func midnight(cells: String, expected: [Int]) throws {
    #expect(try Self.minutes("time", cells.split(separator: " ").map(String.init)) == expected)
  }

  @Test("A recording can begin before the time from which it counts")
  func lead() throws {
    #expect(
      try Self.times("time (s),lat,lon\n-1.5,47,8\n-0.5,47,8\n0.5,47,8\n") == [
        "1999-09-09T09:09:07.500Z", "1999-09-09T09:09:08.500Z", "1999-09-09T09:09:09.500Z",
      ])
  }

  @Test("One number with many decimals shows that the others are serial days, too")
  func serialDays() throws {
    // 45429 is 2024-05-17, 0.5 is noon, and 0.525 is 12:36.
    #expect(
      try Self.times("time,lat,lon\n45429.5,47,8\n45429.51234,47,8\n45429.525,47,8\n") == [
        "2024-05-17T12:00:00Z", "2024-05-17T12:17:46.176Z", "2024-05-17T12:36:00Z",
      ])
  }

  @Test("The columns of ArduPilot are the speed in m/s and the course")
  func arduPilot() {
    let table = "TimeUS,Status,GMS,GWk,NSats,Lat,Lng,Alt,Spd,GCrs\n1,3,475220000,2314,12,47,8,400.5,10,12\n"
    #expect(
      CSVTable.points(table) == [
        "point 47 8 2024-05-17T12:00:02Z elevation 400.5 speed 10 course 12 satellites 12"
      ])
  }
}
