import Foundation
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Times in CSV")
struct CSVTimeTests {
  @Test("Local times are converted with the zone in their cell or in a column")
  func zones() throws {
    try #require(FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Berlin"))
    // Berlin has UTC+2 in summer and UTC+1 in winter, New York UTC-4 in summer, India UTC+5:30.
    #expect(
      CSVTable.points(
        """
        time,lat,lon
        2024-05-17 08:00:00 Europe/Berlin,47.1,8.1
        2024-01-17 08:00:00 Europe/Berlin,47.1,8.1
        2024-05-17T08:00:00+02:00[Europe/Berlin],47.1,8.1
        2024-05-17 08:00:00 Asia/Kolkata,47.1,8.1
        2060-05-17 08:00:00 Europe/Berlin,47.1,8.1
        2060-12-17 08:00:00 Europe/Berlin,47.1,8.1
        """) == [
          "point 47.1 8.1 2024-05-17T06:00:00Z", "point 47.1 8.1 2024-01-17T07:00:00Z",
          "point 47.1 8.1 2024-05-17T06:00:00Z", "point 47.1 8.1 2024-05-17T02:30:00Z",
          "point 47.1 8.1 2060-05-17T06:00:00Z", "point 47.1 8.1 2060-12-17T07:00:00Z",
        ])
    let columns = """
      date,time,timezone,lat,lon
      2024-05-17,08:00:00,Europe/Berlin,47.1,8.1
      2024-05-17,08:00:00,America/New_York,47.1,8.1
      2024-05-17,08:00:00,UTC+3,47.1,8.1
      2024-05-17,08:00:00,../../etc/passwd,47.1,8.1
      """
    #expect(
      CSVTable.points(columns) == [
        "point 47.1 8.1 2024-05-17T06:00:00Z", "point 47.1 8.1 2024-05-17T12:00:00Z",
        "point 47.1 8.1 2024-05-17T05:00:00Z", "point 47.1 8.1 2024-05-17T08:00:00Z",
      ])
    #expect(CSVTable.warnings(columns).contains { $0.contains("unknown time zone, time treated as UTC") })
  }

  @Test("Of a local time that occurs twice, the one next to the row before it is used")
  func repeatedHour() throws {
    // Berlin set its clocks back from 3:00 to 2:00 on 27 October 2024 at 01:00 UTC, and forward on 31 March.
    func rows(_ times: [String]) -> String {
      "time,timezone,lat,lon\n"
        + times.map { "2024-10-27 \($0):00,Europe/Berlin,47.1,8.1\n" }.joined()
    }
    func utc(_ times: [String]) -> [String] {
      CSVTable.points(rows(times)).compactMap { $0.split(separator: "T").last.map { String($0.prefix(5)) } }
    }
    let local = ["01:40", "02:00", "02:20", "02:40", "02:00", "02:20", "02:40", "03:00"]
    let expected = ["23:40", "00:00", "00:20", "00:40", "01:00", "01:20", "01:40", "02:00"]
    #expect(utc(local) == expected)
    #expect(utc(local.reversed()) == expected.reversed())
    #expect(CSVTable.warnings(rows(local)).isEmpty)
    // A pause from 02:44 to the second 02:30, 46 min later.
    #expect(utc(["02:40", "02:44", "02:30", "02:35"]) == ["00:40", "00:44", "01:30", "01:35"])
    // A pause of exactly half an hour.
    #expect(utc(["02:20", "02:30", "02:00", "02:05"]) == ["00:20", "00:30", "01:00", "01:05"])
    // Newest rows first: a pause of 40 min before the second 02:10, and of half an hour.
    #expect(utc(["02:15", "02:10", "02:30", "02:25"]).dropFirst(1) == ["01:10", "00:30", "00:25"])
    #expect(utc(["03:05", "02:30", "02:00", "02:30"]) == ["02:05", "01:30", "01:00", "00:30"])
    // They begin in the second of the hours.
    let newestFirst = ["02:20", "02:10", "02:50", "02:40", "01:55"]
    #expect(utc(newestFirst) == ["01:20", "01:10", "00:50", "00:40", "23:55"])
    #expect(CSVTable.warnings(rows(newestFirst)).count == 1)
    #expect(utc(["02:30", "02:31"]) == ["00:30", "00:31"])
    let warnings = CSVTable.warnings(rows(["02:30", "02:31"]))
    #expect(warnings.count == 1 && warnings[0].contains("occurs twice"))
    #expect(
      CSVTable.points("time,lat,lon\n2024-03-31 02:30:00 Europe/Berlin,47.1,8.1")
        == ["point 47.1 8.1 2024-03-31T01:30:00Z"])
  }

  @Test(
    "The rule of a zone determines the offset on each side of its changes",
    arguments: [
      // In 2024, Central Europe changed on 31 March and 27 October at 01:00 UTC.
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_711_846_799, 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_711_846_800, 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_729_990_799, 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_729_990_800, 3600),
      // Sydney changed on 7 April (16:00 UTC on the 6th) to standard time, and on 6 October.
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_712_419_199, 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_712_419_200, 36_000),
      ("<+0530>-5:30", 1_712_419_200, 19_800),
      // New York changed on 10 March (07:00 UTC) and on 3 November 2024 (06:00 UTC), at the usual hour.
      ("EST5EDT,M3.2.0,M11.1.0", 1_710_053_999, -18_000), ("EST5EDT,M3.2.0,M11.1.0", 1_710_054_000, -14_400),
      ("EST5EDT,M3.2.0,M11.1.0", 1_730_613_599, -14_400), ("EST5EDT,M3.2.0,M11.1.0", 1_730_613_600, -18_000),
      // Lord Howe Island adds half an hour in summer.
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1_704_067_200, 39_600),
      // Days of the year are not used by any zone, and the standard time applies.
      ("XST-1XDT,J60,J300", 1_720_000_000, 3600), ("XST-1XDT,M13.1.0,M4.1.0", 1_720_000_000, 3600),
      ("XST-1:30:15", 1_720_000_000, 5415),
    ])
  func rules(text: String, time: Int64, offset: Int64) throws {
    #expect(try #require(CSVTimeZone.Rule(text)).offset(at: time) == offset)
  }

  @Test("Text that is no rule is not one", arguments: ["", "CET", "<+03>", "CET-999"])
  func noRules(text: String) { #expect(CSVTimeZone.Rule(text) == nil) }

  @Test("Bytes that are not a zone of the second version are not read")
  func damagedZones() {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39)
    for bytes in [[], Array("TZif".utf8), Array("TZif1".utf8) + [UInt8](repeating: 0, count: 60), header] {
      #expect(CSVTimeZone(bytes.span) == nil)
    }
    // A million transitions in 88 bytes.
    var second = header + header
    second.replaceSubrange(76..<80, with: [0, 15, 66, 64])
    #expect(CSVTimeZone(second.span) == nil)
  }

  @Test(
    "Names have the offsets of the database, before, between and after its transitions",
    arguments: [
      // Noon in local time, as if it were UTC, and the offset.
      ("Europe/Berlin", 1_705_320_000, 3600), ("Europe/Berlin", 1_721_044_800, 7200),
      // 15 July 2080 is after the last transition.
      ("Europe/Berlin", 3_488_356_800, 7200), ("Asia/Kolkata", 1_705_320_000, 19_800),
      ("UTC+2", 1_705_320_000, 7200),
    ])
  func zones(name: String, local: Int64, offset: Int64) throws {
    let zone = try #require(CSVTimeZone(named: name))
    #expect(zone.utc(local: local) == (local - offset, nil))
  }

  @Test(
    "Unknown names and paths are not read",
    arguments: ["Europe/Atlantis", "../passwd", "Europe//Berlin", "1/2"])
  func unknownZones(name: String) { #expect(CSVTimeZone(named: name) == nil) }

  private func time(_ heading: String, _ value: String) -> [String] {
    CSVTable.points("lat,lon,\(heading)\n1,2,\(value)")
  }

  @Test(
    "A time is read in all forms common in tables",
    arguments: [
      "2024-05-17T06:12:30Z", "2024-05-17 06:12:30", "2024-05-17T08:12:30+02:00", "2024-05-17 06:12:30 UTC",
      "2024/05/17 06:12:30", "2024/5/17 6:12:30", "17.05.2024 06:12:30", "17.5.2024 6:12:30",
      "17/05/2024 06:12:30",
      "05/17/2024 06:12:30", "5/17/24 6:12:30 AM", "17-05-2024 06:12:30", "17-May-2024 06:12:30",
      "17 May 2024 06:12:30",
      "\"May 17, 2024, 6:12:30 AM\"", "2024-May-17 06:12:30", "20240517061230", "20240517T061230Z",
      "20240517 06:12:30",
      "1715926350", "1715926350000", "1715926350000000", "1715926350000000000", "1715926350.000",
      // The serial day of 2024-05-17 is 45429, and 06:12:30 is 22350 / 86400 of a day.
      "45429.2586805556", "2024-05-17 06:12:30.000", "2024-05-17 06:12:30,000 Z",
      "Fri May 17 2024 06:12:30 GMT+00:00", "Fri May 17 08:12:30 GMT+02:00 2024",
      "Fri May 17 06:12:30 UTC 2024", "Fri May 17 06:12:30 2024", "Fri May 17 01:12:30.000 GMT-05:00 2024",
    ])
  func moments(_ value: String) {
    let quoted = value.contains(",") && !value.hasPrefix("\"") ? "\"\(value)\"" : value
    #expect(time("time", quoted) == ["point 1 2 2024-05-17T06:12:30Z"])
  }

  @Test(
    "The names of zones that phones write are known",
    arguments: [
      ("CLT", "10:12:30"), ("COT", "11:12:30"), ("PKT", "01:12:30"), ("BRT", "09:12:30"), ("ART", "09:12:30"),
      ("NPT", "00:27:30"), ("WITA", "22:12:30"),
    ])
  func namesOfZones(name: String, utc: String) {
    let points = time("time", "Fri May 17 06:12:30 \(name) 2024")
    #expect(points.first?.hasSuffix("T\(utc)Z") == true)
  }

  @Test("The unknown name of a zone is a warning, and the time is treated as UTC")
  func unknownZone() {
    let text = "lat,lon,time\n1,2,Fri May 17 06:12:30 XYZ 2024\n1,2,Fri May 17 06:12:31 QYZON 2024"
    #expect(CSVTable.points(text) == ["point 1 2 2024-05-17T06:12:30Z", "point 1 2 2024-05-17T06:12:31Z"])
    #expect(Transcript(csv: text).warnings.map(\.code) == [.unknownZone])
    #expect(CSVTable.warnings(text).first?.contains("XYZ") == true)
  }

  @Test(
    "Text that merely begins like a Java date is not a time",
    arguments: [
      "Fri May 17 06:12:30 GMT+02:00", "Fri May 32 06:12:30 GMT+02:00 2024",
      "Fri May 17 06:12:30 GMT+02:00 2024 x", "Fri May 17 06:12:30 GMT+02:00 24",
    ])
  func noMoments(_ value: String) {
    #expect(time("time", value) == ["point 1 2"])
  }

  @Test("French hours with h are supported")
  func frenchHours() {
    #expect(
      CSVTable.points("Date;Heure;lat;lon\n17/05/2024;08h05;1;2\n17/05/2024;8h05:30;1;2") == [
        "point 1 2 2024-05-17T08:05:00Z", "point 1 2 2024-05-17T08:05:30Z",
      ])
  }

  @Test("Of several times, one with a known zone is used, otherwise that of the GPS receiver")
  func severalTimes() {
    let torque = """
      GPS Time, Device Time, Longitude, Latitude,GPS Speed (Meters/second), Altitude, Bearing
      Fri Mar 05 08:00:00 GMT+01:00 2021,05-Mar-2021 08:00:00.123,11.0,48.0,10.5,500,90
      """
    #expect(
      CSVTable.points(torque) == ["point 48 11 2021-03-05T07:00:00Z elevation 500 speed 10.5 course 90"])
    #expect(
      CSVTable.points("Device Time,GPS Time,lat,lon\n2021-03-05 08:00:00,2021-03-05 07:00:01,48,11")
        == ["point 48 11 2021-03-05T07:00:01Z"])
    #expect(
      CSVTable.points("datetime,timestamp,lat,lon\n2021-03-05 08:00:00,1614927600,48,11")
        == ["point 48 11 2021-03-05T07:00:00Z"])
  }

  /// Returns the times of the rows of a table of Torque, in seconds since 07:58:00.
  private static func torque(_ rows: [(second: Double, device: String, place: Int)]) -> [Double] {
    var table = "GPS Time, Device Time, Longitude, Latitude\n"
    for row in rows {
      let second = Int(row.second.rounded(.down))
      table +=
        "Fri Mar 05 08:58:\(second < 10 ? "0" : "")\(second) GMT+01:00 2021,"
        + "\(row.device),11.0,48.00\(100 + row.place)\n"
    }
    return CSVTable.points(table).compactMap { line in
      let text = line.split(separator: " ").dropFirst(3).first.map(String.init) ?? ""
      return ISO8601.read(Array(text.utf8).span)?.instant.secondsSince1970
    }.map { $0 - 1_614_927_600 - 58 * 60 }
  }

  @Test("Rows of Torque within a second have the fractions of the phone's clock, which is of another zone")
  func fractionsOfDevice() {
    // The phone's seconds begin at another time than the receiver's, and its clock passes midnight.
    let start = 86_400 - 6.3
    let rows = (0..<30).map { index -> (second: Double, device: String, place: Int) in
      let second = Double(34 + 2 * index) / 10
      let clock = (start + second).truncatingRemainder(dividingBy: 86_400)
      let (hour, minute, rest) = (
        Int(clock) / 3600, Int(clock) / 60 % 60, clock.truncatingRemainder(dividingBy: 60)
      )
      let text = String(format: "05-ago.-2021 %02d:%02d:%06.3f", hour, minute, rest)
      return (second, text, index)
    }
    for (read, row) in zip(Self.torque(rows), rows) { #expect(abs(read - row.second) < 0.0011) }
    #expect(Self.torque(rows).count == rows.count)
    // Without new places, the rows repeat a fix of the whole second.
    let held = rows.map { ($0.second, $0.device, Int($0.second)) }
    #expect(Self.torque(held) == rows.map { $0.second.rounded(.down) })
  }

  @Test("A row of Torque with an old fix has its second, and the phone's clock can be set")
  func oldFixes() {
    let rows: [(Double, String, Int)] = [
      (1, "a 08:00:01.000", 0), (1, "a 08:00:01.500", 1), (2, "a 08:00:02.000", 2), (2, "a 08:00:02.500", 3),
      // No fix for two seconds.
      (2, "a 08:00:04.500", 3), (5, "a 08:00:05.000", 5), (5, "a 08:00:05.500", 6),
      // The clock is set.
      (6, "a 09:30:06.200", 7), (6, "a 09:30:06.700", 8),
    ]
    #expect(Self.torque(rows) == [1, 1.5, 2, 2.5, 2, 5, 5.5, 6, 6.5])
  }

  @Test(
    "Fractions of seconds are kept",
    arguments: [
      ("2024-05-17 06:12:30.25", "2024-05-17T06:12:30.250Z"),
      ("17.05.2024 06:12:30.125", "2024-05-17T06:12:30.125Z"),
      ("1715926350.5", "2024-05-17T06:12:30.500Z"), ("1715926350123", "2024-05-17T06:12:30.123Z"),
      ("1715926350123456", "2024-05-17T06:12:30.123456Z"),
    ])
  func fractions(_ value: String, _ expected: String) {
    #expect(time("time", value) == ["point 1 2 \(expected)"])
  }

  @Test(
    "Time columns are found by their headings",
    arguments: [
      "time", "timestamp", "Date and Time", "datetime", "UTC", "utc_time", "GPS Time", "Zeit", "Zeitstempel",
      "date",
      "timestamp_ms", "time (UTC)", "Time [s]", "epoch", "unix time", "created_at", "Datum/Zeit",
      "recordedAt",
    ])
  func headings(_ heading: String) {
    #expect(time(heading, "1715926350000") == ["point 1 2 2024-05-17T06:12:30Z"])
  }

  @Test(
    "A missing time zone causes a warning, unless the heading has a zone",
    arguments: ["time", "timestamp", "Zeit"])
  func zones(_ heading: String) {
    let rows = "\n1,2,2024-05-17 06:12:30\n1,2,2024-05-17 06:12:31"
    #expect(
      CSVTable.warnings("lat,lon,\(heading)\(rows)") == [
        "line 2: time without a zone, treated as UTC (\(heading)) (first of 2)"
      ])
    #expect(CSVTable.warnings("lat,lon,\(heading) (UTC)\(rows)") == [])
    #expect(CSVTable.warnings("lat,lon,\(heading)\n1,2,1715926350") == [])
  }

  @Test(
    "Date and time of day may be in separate columns",
    arguments: [
      ("date,time", "2024-05-17,06:12:30"), ("DATE,TIME", "2024/05/17,06:12:30"),
      ("Datum,Uhrzeit", "17.05.2024,06:12:30"),
      ("date,time", "20240517,061230"), ("UTC date,UTC time", "17.05.24,6:12:30 am"),
      ("date,time", "45429,0.258680556"),
      ("Date (YYMMDD),Time", "240517,061230"), ("date (dd/mm/yyyy),time", "17/05/2024,06:12:30Z"),
      ("date,time", "2024-05-17,08:12:30+02:00"), ("date,time", "2024-05-17 00:00:00,06:12:30"),
      ("date,timestamp", "2024-05-17,2024-05-17T06:12:30Z"), ("date,local time", "17/05/2024,06:12:30"),
    ])
  func apart(_ headings: String, _ values: String) {
    #expect(
      CSVTable.points("\(headings),lat,lon\n\(values),1,2") == ["point 1 2 2024-05-17T06:12:30Z"])
  }

  @Test("The order of day and month is detected from the column's values")
  func orders() {
    #expect(
      CSVTable.points("lat,lon,time\n1,2,03/04/2024 10:00\n1,2,13/04/2024 10:00") == [
        "point 1 2 2024-04-03T10:00:00Z", "point 1 2 2024-04-13T10:00:00Z",
      ])
    #expect(
      CSVTable.points("lat,lon,time\n1,2,03/04/2024 10:00\n1,2,04/13/2024 10:00") == [
        "point 1 2 2024-03-04T10:00:00Z", "point 1 2 2024-04-13T10:00:00Z",
      ])
    #expect(CSVTable.points("lat,lon,time\n1,2,04/04/2024 10:00") == ["point 1 2 2024-04-04T10:00:00Z"])
  }

  @Test("An ambiguous order of day and month is an error with a suggestion, and can be set")
  func ambiguous() throws {
    let text = "lat,lon,time\n1,2,03/04/2024 10:00\n"
    #expect(
      CSVTable.errorText(text) == """
        line 2: ambiguous order of day and month: "03/04/2024 10:00" (time); \
        give the order of day, month and year
        """)
    #expect(try CSVTable.points(text, CSVColumns(parsing: "dates=dmy")) == ["point 1 2 2024-04-03T10:00:00Z"])
    #expect(try CSVTable.points(text, CSVColumns(parsing: "dates=mdy")) == ["point 1 2 2024-03-04T10:00:00Z"])
    #expect(
      try CSVTable.points("lat,lon,time\n1,2,03/04/05 10:00\n", CSVColumns(parsing: "dates=ymd"))
        == ["point 1 2 2003-04-05T10:00:00Z"])
    // Six digits alone are also ambiguous.
    #expect(CSVTable.errorText("lat,lon,date,time\n1,2,100504,101112\n")?.contains("100504") == true)
  }

  @Test(
    "An invalid time is ignored with a warning",
    arguments: [
      "yesterday", "2024-13-01 10:00:00", "32.01.2024 10:00:00", "2024-05-17 25:00:00", "12.5", "99999",
      "17/05",
    ])
  func noTimes(_ value: String) {
    let text = "lat,lon,time\n1,2,\(value)"
    #expect(CSVTable.points(text) == ["point 1 2"])
    #expect(CSVTable.warnings(text) == ["line 2: invalid time, ignored: \"\(value)\" (time)"])
  }

  @Test(
    "Milliseconds in a separate column belong to the time",
    arguments: [
      ("time,milliseconds,lat,lon", ["2024-05-17 06:12:30Z,100", "2024-05-17 06:12:30Z,600"]),
      ("date,time,ms,lat,lon", ["17.05.2024,06:12:30Z,100", "17.05.2024,06:12:30Z,600"]),
      ("timestamp,millis,lat,lon", ["1715926350,100", "1715926350,600"]),
      ("datetime,msec,lat,lon", ["17.05.2024 06:12:30Z,100", "17.05.2024 06:12:30Z,600"]),
    ])
  func milliseconds(heading: String, cells: [String]) {
    #expect(
      CSVTable.points("\(heading)\n" + cells.map { "\($0),47,8\n" }.joined()) == [
        "point 47 8 2024-05-17T06:12:30.100Z", "point 47 8 2024-05-17T06:12:30.600Z",
      ])
  }

  @Test("Milliseconds belong to times of day without a date, too")
  func millisecondsOfDay() {
    let rows = [0, 250, 500].map { "08:00:00,\($0),47,8\n" }.joined()
    #expect(
      CSVTable.points("time,milliseconds,lat,lon\n" + rows).map { $0.split(separator: " ").last ?? "" } == [
        "1999-09-09T09:09:09Z", "1999-09-09T09:09:09.250Z", "1999-09-09T09:09:09.500Z",
      ])
  }

  @Test("Numbers below a heading for dates are days, whatever their decimals")
  func fewDecimals() {
    // 0.33 of a day are 7 h, 55 min and 12 s.
    let rows = ["45413.33", "45413.331", "45413.5"].map { "\($0),47,8\n" }.joined()
    #expect(
      CSVTable.points("datetime,lat,lon\n" + rows).map { $0.split(separator: " ").last ?? "" } == [
        "2024-05-01T07:55:12Z", "2024-05-01T07:56:38.400Z", "2024-05-01T12:00:00Z",
      ])
  }

  @Test(
    "Numbers next to times with fractions, and counters, are not milliseconds",
    arguments: [
      ["2024-05-17 06:12:30.100Z,100", "2024-05-17 06:12:30.600Z,600"],
      ["2024-05-17 06:12:30.100Z,900", "2024-05-17 06:12:30.600Z,1400"],
      ["1715926350100,100", "1715926350600,600"],
    ])
  func otherMilliseconds(cells: [String]) {
    let points = CSVTable.points("time,ms,lat,lon\n" + cells.map { "\($0),47,8\n" }.joined())
    #expect(
      points.map { $0.prefix(35) } == [
        "point 47 8 2024-05-17T06:12:30.100Z", "point 47 8 2024-05-17T06:12:30.600Z",
      ])
  }

  @Test(
    "Times since 1970 can have an exponent", arguments: ["1.715926350E+09", "1.71592635e9", "17159263500E-1"])
  func exponents(cell: String) {
    #expect(CSVTable.points("time,lat,lon\n\(cell),47,8\n") == ["point 47 8 2024-05-17T06:12:30Z"])
  }

  @Test("A time of day without a date counts from an unknown start")
  func clockAlone() {
    #expect(CSVTable.points("lat,lon,time\n1,2,10:11:12") == ["point 1 2 1999-09-09T09:09:09Z"])
    #expect(
      CSVTable.warnings("lat,lon,time\n1,2,10:11:12") == [
        "line 1: times count from an unknown start, treated as 1999-09-09T09:09:09Z"
      ])
  }

  @Test("Of several time columns, the readable one in UTC is used")
  func several() {
    #expect(
      CSVTable.points("GPS Time,Device Time,lat,lon\nnever,17-May-2024 06:12:30.125,1,2")
        == ["point 1 2 2024-05-17T06:12:30.125Z"])
    #expect(
      CSVTable.points("time,utc time,lat,lon\n2024-05-17 08:12:30,2024-05-17 06:12:30,1,2")
        == ["point 1 2 2024-05-17T06:12:30Z"])
  }

  @Test("Empty and missing times are nil", arguments: ["", "NaN", "null", "-", "N/A", "\"\""])
  func absent(_ value: String) {
    let text = "lat,lon,time,ele\n1,2,\(value),\(value)"
    #expect(CSVTable.points(text) == ["point 1 2"])
    #expect(CSVTable.warnings(text) == [])
  }

  @Test("Six digits are year, month and day if other orders are in the future or years apart")
  func sixDigits() {
    func times(_ dates: [String], heading: String = "date") -> [Substring?] {
      let rows = dates.map { "\($0),061230,47,8" }
      return CSVTable.points("\(heading),time,lat,lon\n" + rows.joined(separator: "\n")).map { point in
        point.split(separator: " ").dropFirst(3).first
      }
    }
    // As day, month and year, this is 2031-05-24.
    for (year, order) in [(2026, CSVDateOrder.ymd), (2032, nil)] {
      let now = Int64(CivilCalendar.days(year: year, month: 1, day: 1)) * CivilCalendar.dayLength
      #expect(CSVLayout.likelyOrder([.dmy, .ymd], ["240531"], now: now) == order)
    }
    #expect(
      times(["230899", "230898"], heading: "ddmmyy") == ["1999-08-23T06:12:30Z", "1998-08-23T06:12:30Z"])
    #expect(times(["240630", "240701"]) == ["2024-06-30T06:12:30Z", "2024-07-01T06:12:30Z"])
    #expect(times(["240615", "240616"]) == ["2024-06-15T06:12:30Z", "2024-06-16T06:12:30Z"])
    #expect(times(["150624", "160624"]) == ["2024-06-15T06:12:30Z", "2024-06-16T06:12:30Z"])
    #expect(times(["240615"], heading: "yymmdd") == ["2024-06-15T06:12:30Z"])
    #expect(times(["240615"], heading: "date_yymmdd") == ["2024-06-15T06:12:30Z"])
    #expect(CSVTable.errorText("date,time,lat,lon\n240615,061230,47,8")?.contains("ambiguous") == true)
  }
}
