import Testing
import TrackModel

@testable import TrackFormats

@Suite("CSV files of data loggers")
struct CSVLoggerTests {
  @Test("A row of units below the heading determines the units and is not read as values")
  func units() {
    let table = """
      Time,GPS Speed,GPS Altitude,GPS PosAccuracy,GPS Latitude,GPS Longitude,Water Temp,Engine RPM
      s,km/h,ft,mm,deg,deg,C,rpm
      ,,,,,,,
      0,54,1000,1500,47.5,8.25,90,6000
      0.5,36,1000,1500,47.6,8.25,91,6000
      """
    // 54 km/h are 15 m/s, 1000 ft are 304.8 m, 1500 mm are 1.5 m; the water temperature is the engine's.
    #expect(
      CSVTable.points(table) == [
        "point 47.5 8.25 1999-09-09T09:09:09Z elevation 304.8 horizontalAccuracy 1.5 speed 15",
        "point 47.6 8.25 1999-09-09T09:09:09.500Z elevation 304.8 horizontalAccuracy 1.5 speed 10",
      ])
    #expect(!CSVTable.warnings(table).contains { $0.contains("row skipped") })
  }

  @Test(
    "A row of units may have empty cells, including those of the position",
    arguments: [
      ("time,lat,lon,speed", ",,,km/h", "54", "speed 15"),
      ("time,lat,lon,speed", "s,,,km/h", "54", "speed 15"),
      // 1000 ft are 304.8 m.
      (
        "time,lat,lon,speed,temperature,ele", ",,,km/h,C,ft", "54,20,1000",
        "elevation 304.8 speed 15 temperature 20"
      ),
      ("time,lat,lon,speed,lap", ",deg,deg,km/h,", "54,1", "speed 15"),
    ])
  func emptyUnits(headings: String, units: String, values: String, expected: String) {
    let table = "\(headings)\n\(units)\n2024-05-01T10:00:00Z,47.5,8.25,\(values)"
    #expect(CSVTable.points(table) == ["point 47.5 8.25 2024-05-01T10:00:00Z \(expected)"])
    #expect(!CSVTable.warnings(table).contains { $0.contains("without a position") })
  }

  @Test("A row with a start and an end is a point at each of them")
  func spans() {
    let table = """
      Start Time,End Time,Latitude,Longitude
      2024-05-17 06:00:00+02:00,2024-05-17 06:30:00+02:00,47.1,8.1
      2024-05-17 07:00:00+02:00,,47.2,8.2
      2024-05-17 08:00:00+02:00,2024-05-17 08:00:00+02:00,47.3,8.3
      """
    #expect(
      CSVTable.points(table) == [
        "point 47.1 8.1 2024-05-17T04:00:00Z", "point 47.1 8.1 2024-05-17T04:30:00Z",
        "point 47.2 8.2 2024-05-17T05:00:00Z", "point 47.3 8.3 2024-05-17T06:00:00Z",
      ])
    #expect(CSVTable.warnings(table) == [])
    #expect(
      Transcript(csv: Array(table.utf8), capacity: 1).points == CSVTable.points(table))
  }

  @Test("The age of a fix is subtracted from the time of its row")
  func delay() {
    let table = """
      "Time","UTC Time","GPS_Update","GPS_Delay","Latitude","Longitude"
      0.000,1715926350.000,1,0.250,47.1,8.1
      0.050,1715926350.050,0,0.300,47.1,8.1
      1.000,1715926351.000,1,0.125,47.2,8.2
      """
    // 1715926350 s is 2024-05-17T06:12:30Z.
    #expect(
      CSVTable.points(table) == [
        "point 47.1 8.1 2024-05-17T06:12:29.750Z", "point 47.2 8.2 2024-05-17T06:12:30.875Z",
      ])
  }

  @Test("Version 1 of RaceChrono counts seconds from midnight of the session's day")
  func secondsOfDay() {
    let table = """
      This file is created using RaceChrono v7.4.1 ( http://racechrono.com/ ).
      Track name,"Tianma"
      Created,31/12/2025,02:54

      Lap #,Timestamp (s),Latitude (deg),Longitude (deg)
      9,11597.440,31.1,121.1
      9,11597.480,31.2,121.1
      """
    // 11597.44 s are 3:13:17.44.
    #expect(
      CSVTable.points(table) == [
        "point 31.1 121.1 2025-12-31T03:13:17.440Z", "point 31.2 121.1 2025-12-31T03:13:17.480Z",
      ])
    #expect(CSVTable.warnings(table).contains { $0.contains("has no zone and is treated as UTC") })
  }

  @Test(
    "The time of the receiver is that of the rows with a position, however late the first one is",
    arguments: [0, 19, 20, 100, 3000])
  func lateFix(rows: Int) {
    let early = String(repeating: "-,05-Aug-2024 08:00:00.500,-,-,2100\n", count: rows)
    let table =
      "GPS Time, Device Time, Longitude, Latitude, Engine RPM(rpm)\n" + early
      + "Mon Aug 05 12:00:00 GMT+02:00 2024,05-Aug-2024 12:00:00.500,8.5,47.5,2000\n"
      + "bad row here\n" + "Mon Aug 05 12:00:01 GMT+02:00 2024,05-Aug-2024 12:00:01.500,8.5,47.5,2000\n"
    #expect(
      CSVTable.points(table) == [
        "point 47.5 8.5 2024-08-05T10:00:00Z", "point 47.5 8.5 2024-08-05T10:00:01Z",
      ]
    )
    #expect(detected(Array(table.utf8)) == "csv")
  }

  @Test("The decimal mark follows from the channels if the first rows have no position")
  func lateDecimalComma() {
    let early = String(repeating: "2024-05-01T10:00:00Z;;;20,5\n", count: 3000)
    let table = "time;lat;lon;temperature\n" + early + "2024-05-01T10:00:01Z;47,123;8,123;21,5\n"
    #expect(
      CSVTable.points(table) == ["point 47.123 8.123 2024-05-01T10:00:01Z temperature 21.5"])
  }

  @Test(
    "A table whose first rows have no position is recognized by its headings",
    arguments: [
      ("time,lat,lon,rpm\n", "2024-08-05T09:00:00Z,,,3000\n", "csv"),
      ("Time;Latitude;Longitude\n", "09:00:00;-;-\n", "csv"),
      (
        "\"SECONDS\";\"PID\";\"VALUE\";\"UNITS\";\"LATITUDE\";\"LONGTITUDE\";\n",
        "\"36000.000000\";\"Engine RPM\";\"2000\";\"rpm\";\"\";\"\";\n", "csv"
      ),
      ("name,lat,lon\n", "a,,\n", nil), ("time,lat,lon\n", "1,x,y\n", nil), ("time,lat,lon\n", "1\n", nil),
    ])
  func lateRecognition(heading: String, row: String, format: String?) {
    #expect(detected(Array((heading + String(repeating: row, count: 300)).utf8)) == format)
  }

  @Test("RaceChrono's names for satellites and the distance are known")
  func raceChronoNames() {
    #expect(
      CSVTable.points(
        "timestamp,Locked satellites,distance_traveled,latitude,longitude\n1715926350,9,7.5,47,8")
        == ["point 47 8 2024-05-17T06:12:30Z distance 7.5 satellites 9"])
  }

  @Test("A row without a position that contains other texts is not a row of units")
  func noUnits() {
    let table = "time,lat,lon,speed,name\n,,,km/h,Home\n2024-05-01T10:00:00Z,47.5,8.25,54,"
    #expect(CSVTable.points(table) == ["point 47.5 8.25 2024-05-01T10:00:00Z speed 54"])
  }

  @Test("A quantity in an unknown unit is ignored; one without a unit uses the model's unit")
  func unknownUnits() {
    #expect(
      CSVTable.points("lat,lon,accuracy,ele,hr\ndeg,deg,DOP,,bpm\n47.5,8.25,0.8,400,120")
        == ["point 47.5 8.25 elevation 400 heartRate 120"])
    // Without an engine, the water temperature is that of water.
    #expect(CSVTable.points("lat,lon,Water Temp\n47.5,8.25,12") == ["point 47.5 8.25 waterTemperature 12"])
  }

  @Test("The water temperature of an AiM logger is that of the engine, also without other engine channels")
  func waterOfAiM() {
    let table = """
      "Format","AiM CSV File"
      "Vehicle","Car"

      "Time","GPS Latitude","GPS Longitude","Water Temp"
      "s","deg","deg","C"

      "0","47.5","8.25","90"
      """
    #expect(CSVTable.points(table) == ["point 47.5 8.25"])
    // The same columns of another program are a temperature of water.
    let other = table.replacing("AiM CSV File", with: "CSV File")
    #expect(CSVTable.points(other) == ["point 47.5 8.25 waterTemperature 90"])
  }

  @Test(
    "Time zone abbreviations are supported",
    arguments: [
      ("Wed Aug 05 14:57:56 EDT 2026", "18:57:56"), ("Wed Aug 05 20:57:56 CEST 2026", "18:57:56"),
      ("Wed Aug 05 19:57:56 GMT+01:00 2026", "18:57:56"), ("2026-08-05 11:57:56 PDT", "18:57:56"),
      ("2026-08-05 18:57:56 UTC", "18:57:56"), ("Thu Aug 06 04:57:56 AEST 2026", "18:57:56"),
    ])
  func zones(text: String, expected: String) {
    let table = "GPS Time,Device Time,lat,lon\n\(text),05-Aug-2026 01:02:03.000,47.5,8.25"
    #expect(CSVTable.points(table) == ["point 47.5 8.25 2026-08-05T\(expected)Z"])
  }

  @Test(
    "Seconds since the start are added to the date above the heading",
    arguments: [
      ("# Session-Date: 2024-06-15T12:00:00Z\n", "Time (s)", "1.5", "2024-06-15T12:00:01.500Z"),
      (
        "Date,\"Sunday, December 15, 2024\",,\nTime,1:34 PM,,\n,,,\n", "Time", "1.5",
        "2024-12-15T13:34:01.500Z"
      ),
      ("", "Time (ms)", "1500", "1999-09-09T09:09:10.500Z"),
    ])
  func relative(preamble: String, heading: String, value: String, expected: String) {
    let table = "\(preamble)\(heading),lat,lon\n0,47.5,8.25\n\(value),47.6,8.25"
    #expect(CSVTable.points(table).last == "point 47.6 8.25 \(expected)")
    #expect(CSVTable.warnings(table).contains { $0.contains("times count from") })
  }

  @Test(
    "Elapsed times are found under several headings",
    arguments: [
      "seconds", "t (s)", "Elapsed (s)", "Elapsed Time", "elapsed_time", "relative_time", "Session time",
      "Elapsed Time (s)", "time",
    ])
  func elapsedHeadings(heading: String) {
    let table = "\(heading),lat,lon\n0,47.5,8.25\n1.5,47.6,8.25"
    #expect(
      CSVTable.points(table) == [
        "point 47.5 8.25 1999-09-09T09:09:09Z", "point 47.6 8.25 1999-09-09T09:09:10.500Z",
      ])
  }

  @Test(
    "Elapsed times may be written with colons",
    arguments: [
      ("Elapsed", "00:00:12", "00:01:13.5", 61.5), ("elapsed_time", "0:12", "1:13", 61),
      ("time", "00:00:12", "26:00:12", 93_600), ("Elapsed Time", "08:00:00", "08:00:07", 7),
    ])
  func elapsedClocks(heading: String, first: String, second: String, seconds: Double) throws {
    let table = "\(heading),lat,lon\n\(first),47.5,8.25\n\(second),47.6,8.25"
    let times = CSVTable.points(table).compactMap {
      $0.split(separator: " ").last.flatMap { ISO8601.read(Array($0.utf8).span)?.instant }
    }
    try #require(times.count == 2)
    #expect(times[1].seconds(since: times[0]) == seconds)
    #expect(CSVTable.warnings(table).contains { $0.contains("times count from an unknown start") })
  }

  @Test("Times of day without a date are not elapsed times: the first one is the start")
  func clocksOfDay() {
    let table = "time,lat,lon\n08:00:12,47.5,8.25\n08:00:13,47.6,8.25"
    #expect(
      CSVTable.points(table) == [
        "point 47.5 8.25 1999-09-09T09:09:09Z", "point 47.6 8.25 1999-09-09T09:09:10Z",
      ])
  }

  @Test(
    "Ambiguous time zone abbreviations cause a warning",
    arguments: [
      ("2026-08-05 18:57:56 IST", "13:27:56", "India"),
      ("Wed Aug 05 12:57:56 CST 2026", "18:57:56", "America"),
      ("5.8.2026 12:57:56 cst", "18:57:56", "America"), ("2026-08-05 11:57:56 PDT", "18:57:56", ""),
    ])
  func ambiguousZones(text: String, expected: String, place: String) {
    let table = "time,lat,lon\n\(text),47.5,8.25"
    #expect(CSVTable.points(table) == ["point 47.5 8.25 2026-08-05T\(expected)Z"])
    #expect(
      CSVTable.warnings(table).contains { $0.contains("is ambiguous") && $0.contains(place) }
        != place.isEmpty)
  }

  @Test("Elapsed times are ignored if there are other times or if they do not ascend")
  func elapsedBesideTimes() {
    #expect(
      CSVTable.points("Elapsed (s),time,lat,lon\n5,2024-05-01T10:00:00Z,47.5,8.25")
        == ["point 47.5 8.25 2024-05-01T10:00:00Z"])
    #expect(CSVTable.points("seconds,lat,lon\n5,47.5,8.25\n3,47.6,8.25").last == "point 47.6 8.25")
    #expect(
      !CSVTable.warnings("Elapsed Time,lat,lon\n00:00:05,47.5,8.25").contains { $0.contains("time of day") })
  }

  @Test("Dates as numbers and numbers that do not ascend are not elapsed times")
  func notRelative() {
    #expect(
      CSVTable.points("time,lat,lon\n1714521600,47.5,8.25\n1714521601,47.6,8.25").last
        == "point 47.6 8.25 2024-05-01T00:00:01Z")
    #expect(CSVTable.points("time,lat,lon\n5,47.5,8.25\n3,47.6,8.25").last == "point 47.6 8.25")
  }

  /// Returns the start and the duration of each lap of a table whose lap column has a value per second.
  private func laps(_ heading: String, _ rows: [String]) -> [String] {
    var second = 0
    var table = "time,lat,lon,\(heading)\n"
    for row in rows {
      if row.hasPrefix("#") {
        table += row + "\n"
      } else {
        table += "2024-05-01T10:00:0\(second)Z,47.5,8.25,\(row)\n"
        second += 1
      }
    }
    var reader = CSVReader(ByteInput(bytes: Array(table.utf8)))
    var batch = PointBatch()
    var found: [String] = []
    while let event = try? reader.next(into: &batch) {
      guard case .annotation(.track(let info)) = event else { continue }
      found += info.laps.map { "\($0.start.map(\.description) ?? "") \($0.elapsedTime ?? 0)" }
    }
    return found
  }

  @Test(
    "A lap lasts from the first row with its number to the first row with another one",
    arguments: ["lap", "Lap #", "lap_number", "LAPINDEX"])
  func laps(heading: String) {
    // Lap 1 from 2 s to 5 s, lap 2 from 5 s to 7 s; lap 0 is the out-lap, lap 3 the in-lap.
    #expect(
      laps(heading, ["0", "0", "1", "", "1", "2", "2", "3"]) == [
        "2024-05-01T10:00:02Z 3.0", "2024-05-01T10:00:05Z 2.0",
      ])
    // The first and the last number may be parts of laps.
    #expect(laps(heading, ["8", "8", "9", "9", "10"]) == ["2024-05-01T10:00:02Z 2.0"])
    #expect(laps(heading, ["", "9", "9"]).isEmpty)
  }

  @Test(
    "The name of a file dates the times of a table that has no date",
    arguments: [
      ("a/Log-20240517-061230 Anneau - 1.23.456.csv", "2024-05-17T06:12:31"),
      ("log_2024-05-17_06-12-30.csv", "2024-05-17T06:12:31"), ("20241317-061230.csv", "1999-09-09T09:09:10"),
      ("120240517-061230.csv", "1999-09-09T09:09:10"), ("20240517.csv", "1999-09-09T09:09:10"),
    ])
  func namedStart(name: String, time: String) {
    let table = "Time,Latitude,Longitude\n0.5,46.9,7.4\n1.000,46.9001,7.4\n2.000,46.9002,7.4\n"
    var reader = CSVReader(ByteInput(bytes: Array(table.utf8), name: name))
    let transcript = Transcript(reading: &reader, capacity: 64)
    #expect(transcript.points.dropFirst().first == "point 46.9001 7.4 \(time)Z")
    #expect(transcript.warnings.count == 1)
  }

  @Test("Numbers near the time of day in the name of a file count from midnight")
  func namedTimeOfDay() {
    // 06:12:30 are 22,350 seconds.
    let table = "Time,Latitude,Longitude\n22351.5,46.9,7.4\n22352.5,46.9001,7.4\n"
    var reader = CSVReader(ByteInput(bytes: Array(table.utf8), name: "2024-05-17 06-12-30.csv"))
    #expect(
      Transcript(reading: &reader, capacity: 64).points.first == "point 46.9 7.4 2024-05-17T06:12:31.500Z")
  }

  @Test(
    "The markers of AiM and MoTeC are ends of laps, except for the end of the recording",
    arguments: ["Beacon Markers,2.5,4.0,5.25,9.5", "\"Beacon Markers\",\"2.5 4.0 5.25 9.5\""])
  func markedLaps(markers: String) throws {
    let rows = (0..<10).map { "\($0),46.9,7.\($0)\n" }.joined()
    let table =
      "Format,AiM CSV File\nDate,\"Friday, May 17, 2024\"\nTime,6:12:30 AM\n\(markers)\n\n"
      + "Time,GPS Latitude,GPS Longitude\ns,deg,deg\n\n" + rows
    let laps = try CSVTable.document(Array(table.utf8)).tracks.flatMap(\.info.laps)
    #expect(
      laps.map { "\($0.start.map(\.description) ?? "") \($0.elapsedTime ?? 0)" } == [
        "2024-05-17T06:12:32.500Z 1.5", "2024-05-17T06:12:34Z 1.25",
      ])
  }

  @Test("The time of a lap in a comment line replaces that of its rows")
  func statedLaps() {
    #expect(
      laps("Lap", ["0", "# Lap 0: 00:00:01.100", "1", "1", "# Lap 1: 00:00:02.125", "2", "2", "2"])
        == ["2024-05-01T10:00:01Z 2.125"])
    #expect(
      laps("Lap", ["0", "1", "1", "# Lap 1: 01:02:03.500"]) == ["2024-05-01T10:00:01Z 3723.5"])
    #expect(laps("Lap", ["0", "1", "1", "# Lap 2: 01:02:03.500", "# Lap one: 1"]).isEmpty)
  }

  @Test("Speeds of RaceBox are km/h, and its rows at 0, 0 have no fix")
  func raceBox() {
    let table = """
      Data Source,RaceBox Mini
      Record,Time,Latitude,Longitude,Altitude,Speed,GForceX,GForceY,GForceZ,Lap,GyroX,GyroY,GyroZ
      1,2024-05-17T06:12:29.000,0,0,0,0,0.01,0.02,1,0,0,0,0
      2,2024-05-17T06:12:30.000,46.948,7.447,540,54,0.01,0.02,1,0,0,0,0
      """
    #expect(CSVTable.points(table) == ["point 46.948 7.447 2024-05-17T06:12:30Z elevation 540 speed 15"])
    #expect(CSVTable.warnings(table).contains { $0.contains("position 0, 0, row skipped") })
  }

  @Test(
    "Months of other languages are read",
    arguments: [
      ("05-ago.-2026", "08"), ("05-Mai-2026", "05"), ("05-mär.-2026", "03"), ("05-févr.-2026", "02"),
      ("05-juin-2026", "06"), ("05-juil.-2026", "07"), ("05-août-2026", "08"), ("05-déc.-2026", "12"),
      ("05-Okt-2026", "10"), ("05-Dez.-2026", "12"), ("05-mag-2026", "05"), ("05-out-2026", "10"),
    ])
  func months(date: String, month: String) {
    #expect(
      CSVTable.points("Device Time,lat,lon\n\(date) 18:57:56.813,1,2")
        == ["point 1 2 2026-\(month)-05T18:57:56.813Z"])
  }

  /// A table as a logger writes it, in Fixtures/csv: 43.2 km/h is 12 m/s, 36 km/h is 10 m/s, 25 mph is 11.176
  /// m/s, 1800 ft is 548.64 m.
  struct LoggerTable: CustomTestStringConvertible {
    let file: String
    let points: Int
    let last: String
    var testDescription: String { file }
  }

  /// The last row of all tables is 3 s after 2024-05-17T06:12:30Z, except those of relative times.
  static let tables = [
    LoggerTable(
      file: "racechrono-v3", points: 4,
      last:
        "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 12 course 60 satellites 11"),
    LoggerTable(
      file: "racechrono-v2", points: 4,
      last:
        "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 12 course 60 distance 36 satellites 11"
    ),
    LoggerTable(
      file: "trackaddict", points: 4,
      last: "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 12 course 60"),
    LoggerTable(
      file: "harrys-laptimer", points: 3,
      last:
        "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 12 course 60 distance 12 hdop 0.8 "
        + "satellites 11"),
    LoggerTable(
      file: "aim-racestudio", points: 4,
      last: "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 12 course 60 satellites 11"),
    LoggerTable(
      file: "torque", points: 3,
      last: "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 12 course 60 hdop 3.9"),
    LoggerTable(
      file: "doves-data-logger", points: 4,
      last:
        "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 11.176 course 60 hdop 0.8 "
        + "satellites 11"),
    // The month precedes the day, as AM and PM show.
    LoggerTable(
      file: "obd-fusion", points: 4, last: "2024-05-07T06:12:33.500Z elevation 548.64 speed 11.176 course 60"),
    LoggerTable(file: "car-scanner", points: 4, last: "1999-09-09T15:21:42.250Z"),
    LoggerTable(
      file: "phyphox", points: 4,
      last:
        "1999-09-09T09:09:12.500Z elevation 540 horizontalAccuracy 3.9 verticalAccuracy 8 speed 12 course 60"),
    LoggerTable(
      file: "gps-logger", points: 4,
      last:
        "2024-05-17T06:12:33Z elevation 540 horizontalAccuracy 3.9 speed 12 course 60 distance 36 hdop 0.8 "
        + "vdop 1.1 pdop 1.4 satellites 11 geoidHeight 47.9"),
    LoggerTable(
      file: "columbus", points: 3,
      last: "2024-05-17T06:12:33Z elevation 540 speed 10 course 60 hdop 0.8 vdop 1.1 pdop 1.4"),
  ]

  @Test("The tables of loggers and phone apps are read", arguments: tables)
  func loggers(_ table: LoggerTable) throws {
    let fixture = Fixture.all(of: "csv").first { $0.path.hasSuffix("/\(table.file).csv") }
    let bytes = try #require(fixture).bytes()
    var input = ByteInput(bytes: bytes)
    #expect(try FormatRegistry.standard.detect(&input) == .csv)
    let points = CSVTable.points(String(decoding: bytes, as: UTF8.self))
    #expect(points.count == table.points)
    #expect(points.last == "point 46.948251 7.447838 " + table.last)
  }
}
