import Testing
import TrackModel

@testable import TrackFormats

@Suite("CSV files of lap timers and recorders")
struct CSVRecorderTests {
  @Test("The rows of FlySight 2 begin with their kind, which the heading has, too")
  func flySight2() {
    let text = """
      $FLYS,1
      $VAR,FIRMWARE_VER,v2023.09.22
      $COL,GNSS,time,lat,lon,hMSL,hAcc,vAcc,numSV
      $UNIT,GNSS,,deg,deg,m,m,m,
      $DATA
      $GNSS,2024-07-03T09:46:40.000Z,47.2,11.4,50.5,3,4,9
      $GNSS,2024-07-03T09:46:41.000Z,47.3,11.5,51.5,3,4,9
      """
    let channels = "horizontalAccuracy 3 satellites 9 verticalAccuracy 4"
    let points = [
      "point 47.2 11.4 2024-07-03T09:46:40Z elevation 50.5 \(channels)",
      "point 47.3 11.5 2024-07-03T09:46:41Z elevation 51.5 \(channels)",
    ].map { $0.split(separator: " ").sorted() }
    func words(_ text: String) -> [[Substring]] {
      CSVTable.points(text).map { $0.split(separator: " ").sorted() }
    }
    #expect(words(text) == points)
    #expect(CSVTable.warnings(text) == [])
    #expect(words(text.replacing("$UNIT,GNSS,,deg,deg,m,m,m,\n", with: "")) == points)
    #expect(CSVLayout.isTable(Array(text.utf8)))
  }

  @Test(
    "The rows of names, units and numbers of AiM RaceStudio 2 are not values",
    arguments: [
      "sec,km/h,deg,deg\n\"1\",\"2\",\"3\",\"4\"\n",
      "Time,GPS_Speed,GPS_Latitude,GPS_Longitude\nsec,km/h,deg,deg\n\"1\",\"2\",\"3\",\"4\"\n",
      "Time,Speed,Lat,Lon\nsec,km/h,deg,deg\n\"1\",\"2\",\"3\",\"4\"\n",
      "Time,GPS Speed,GPS Latitude,GPS Longitude\ns,km/h,deg,deg\n",
      "sec,km/h,deg,deg\n",
    ])
  func raceStudio2(_ rows: String) {
    let text = """
      "Format","AIM CSV File"
      "Date","07/13/2024"
      "Time","09:46:40"

      "Time","GPS_Speed","GPS_Latitude","GPS_Longitude"
      \(rows)
      "0.000","72.00","47.2","11.4"
      "1.000","36.00","47.3","11.5"
      """
    // 72 km/h are 20 m/s.
    #expect(
      CSVTable.points(text) == [
        "point 47.2 11.4 2024-07-13T09:46:40Z speed 20", "point 47.3 11.5 2024-07-13T09:46:41Z speed 10",
      ])
    #expect(!CSVTable.warnings(text).contains { $0.contains("skipped") || $0.contains("invalid") })
  }

  @Test("The times of AiM RaceStudio 2 start again in each segment")
  func restarts() {
    let head = "Format,AIM CSV File\nDate,2024/07/13\nTime,09:46:40\n\nTime,Latitude,Longitude\ns,deg,deg\n\n"
    let times = [0.0, 0.5, 1, 1.5, 0, 0.5, 1, 0]
    let rows = times.enumerated().map { "\($1),47.\($0),11\n" }.joined()
    // Each segment lasts half a second longer than its last row: 2 s and 1.5 s.
    let expected = ["40", "40.500", "41", "41.500", "42", "42.500", "43", "43.500"]
    #expect(
      CSVTable.points(head + rows).map { $0.split(separator: " ")[3] }
        == expected.map { "2024-07-13T09:46:\($0)Z" })
  }

  @Test("A step back in a column of times does not lose the others")
  func glitch() {
    let rows = (0..<60).map { "\($0 == 30 ? 15 : $0).0,47.\($0),11\n" }.joined()
    let points = CSVTable.points("Date: 2024-07-13\n\ntime (s),lat,lon\n" + rows)
    #expect(points.count == 60)
    #expect(points.first?.contains("2024-07-13T00:00:00Z") == true)
    #expect(points[30].contains("2024-07-13T00:00:15Z"))
    #expect(points.last?.contains("2024-07-13T00:00:59Z") == true)
  }

  @Test(
    "Rows of RaceChrono without a number of the lap are outside of laps",
    arguments: [
      ("", "", [10.0, 20, 30], [10.0, 10, 10]), ("", "4", [10, 20, 30], [10, 10, 10]),
      ("0", "", [10, 20, 30], [10, 10, 10]),
    ])
  func laps(_ before: String, _ after: String, _ starts: [Double], _ durations: [Double]) throws {
    let text =
      "This file is created using RaceChrono v9 ( http://racechrono.com/ ).\nFormat,3\n\n"
      + "timestamp,fragment_id,lap_number,latitude,longitude\nunix time,,,deg,deg\n,,,100: gps,100: gps\n"
      + (0..<50).map { second in
        let lap = second < 10 ? before : second < 40 ? "\(second / 10)" : after
        return "\(1_720_000_000 + second).000,0,\(lap),47.\(100 + second),11\n"
      }.joined()
    let laps = try CSVTable.document(Array(text.utf8)).tracks[0].info.laps
    #expect(
      laps.map { $0.start.map { $0.seconds(since: Instant(microseconds: 1_720_000_000_000_000)) } } == starts)
    #expect(laps.map(\.elapsedTime) == durations)
  }

  /// A table of times and positions, 14 m apart along a meridian.
  private static func table(step: Int, apart: Double = 0.000126, noise: Bool = false) -> String {
    "Time,Latitude,Longitude\n"
      + (0..<20).map { row in
        "\(row * step),\(47 + (noise ? Double(row % 2) : Double(row)) * apart),11\n"
      }.joined()
  }

  @Test("Whole numbers are milliseconds if the movement is too slow for seconds")
  func milliseconds() {
    func duration(_ text: String) -> String? {
      CSVTable.points(text)[10].split(separator: " ")[3].description
    }
    // 14 m in 1000 ms are 50 km/h, in 1000 s they are 50 m/h.
    #expect(duration(Self.table(step: 1000)) == "1999-09-09T09:09:19Z")
    #expect(CSVTable.warnings(Self.table(step: 1000)).contains { $0.contains("milliseconds") })
    // At 10 s, a boat drifts at 1.4 m/s.
    #expect(duration(Self.table(step: 10)) == "1999-09-09T09:10:49Z")
    // Fixes once a minute, at 0.23 m/s.
    #expect(duration(Self.table(step: 60)) == "1999-09-09T09:19:09Z")
    // Noise at a stop, once in 1000 s.
    #expect(duration(Self.table(step: 1000, noise: true)) == "1999-09-09T11:55:49Z")
  }

  @Test("Milliseconds of six digits are numbers, not times of day")
  func sixDigits() {
    let rows = (0..<200).map { "\($0 * 1000),\(47 + Double($0) * 0.000126),11\n" }.joined()
    #expect(
      CSVTable.points("Time,Latitude,Longitude\n" + rows).last?.contains("1999-09-09T09:12:28Z") == true)
  }

  @Test("Speeds of iBlue 747 and Qstarz without a unit are in km/h")
  func qstarz() {
    let text = """
      INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,HEADING,
      1,T,2024/07/03,09:46:40,SPS,47.2,N,11.4,E,500.0,72.000,40.0,
      2,T,2024/07/03,09:46:41,SPS,47.3,N,11.5,W,500.0 m,36.000 km/h,40.0,
      """
    #expect(
      CSVTable.points(text) == [
        "point 47.2 11.4 2024-07-03T09:46:40Z elevation 500 speed 20 course 40",
        "point 47.3 -11.5 2024-07-03T09:46:41Z elevation 500 speed 10 course 40",
      ])
  }

  @Test(
    "The start of OBD Fusion is day and month unless it has AM or PM",
    arguments: [
      ("03/07/2024 09:46:40", "07-03T09:46:40Z"), ("03-07-2024 09:46:40", "07-03T09:46:40Z"),
      ("3.7.2024 09:46:40", "07-03T09:46:40Z"), ("13/07/2024 09:46:40", "07-13T09:46:40Z"),
      ("07/13/2024 09:46:40", "07-13T09:46:40Z"), ("03/07/2024 09:46:40.0000 PM", "03-07T21:46:40Z"),
      ("13/07/2024 09:46:40.0000 AM", "07-13T09:46:40Z"),
    ])
  func obdFusion(_ start: String, _ time: String) {
    let text =
      "# StartTime = \(start)\nTime (sec),Latitude (deg),Longitude (deg)\n0.0,47.2,11.4\n1.0,47.3,11.4\n"
    #expect(CSVTable.points(text).first == "point 47.2 11.4 2024-\(time)")
  }

  @Test(
    "Rows without a fix are skipped and counted",
    arguments: [
      ("fix", "0", "3"), ("fix_type", "0", "3"), ("fixType", "NO_FIX", "GPS_FIX"), ("sats", "0", "9"),
      ("satellites", "0", "9"), ("status", "V", "A"), ("fix", "none", "3d"),
      ("GPSFIX[NOFIX/2D/3D/UNKNOWN]", "0", "2"), ("VALID", "No fix", "SPS"),
    ])
  func noFix(_ heading: String, _ bad: String, _ good: String) {
    let text =
      "time,lat,lon,\(heading)\n2024-05-01T10:00:00Z,48,11,\(bad)\n2024-05-01T10:00:01Z,47,11,\(good)\n"
    #expect(CSVTable.points(text).map { $0.prefix(11) } == ["point 47 11"])
    #expect(CSVTable.warnings(text).contains { $0.contains("row without a fix, skipped") })
    // These rows are usual.
    #expect(Transcript(csv: text, isStrict: true).warnings.map(\.code).contains(.noFix))
  }

  @Test("Columns for a fix can say No, and 0 satellites of a phone or of every row are unknown")
  func fixes() {
    func latitudes(_ heading: String, _ bad: String, _ good: String) -> [Substring] {
      let text =
        "time,lat,lon,\(heading)\n2024-05-01T10:00:00Z,48,11,\(bad)\n2024-05-01T10:00:01Z,47,11,\(good)\n"
      return CSVTable.points(text).map { $0.split(separator: " ")[1] }
    }
    #expect(latitudes("GPS Fix", "No", "Yes") == ["47"])
    #expect(latitudes("Valid fix", "False", "True") == ["47"])
    #expect(latitudes("sats,accuracy", "0,20", "9,3") == ["48", "47"])
    #expect(latitudes("sats", "0", "0") == ["48", "47"])
    #expect(latitudes("status", "0", "1") == ["48", "47"])
  }

  @Test(
    "The source of a speed or an elevation can be in brackets",
    arguments: ["Speed (GPS) (km/h),Altitude (GPS) (m)", "Speed (GPS)(km/h),Altitude(GPS) (m)"])
  func sources(_ headings: String) {
    let text = "time,lat,lon,\(headings),Speed (OBD)(km/h)\n2024-05-01T10:00:00Z,47,11,72,500,90\n"
    #expect(CSVTable.points(text) == ["point 47 11 2024-05-01T10:00:00Z elevation 500 speed 20"])
  }

  /// The start of a log of GnssLogger.
  private static let gnssLogger = """
    # Raw,utcTimeMillis,TimeNanos,LeapSecond
    #
    # Fix,Provider,LatitudeDegrees,LongitudeDegrees,AltitudeMeters,SpeedMps,AccuracyMeters,UnixTimeMillis
    #
    # Status,UnixTimeMillis,SignalCount,SignalIndex,ConstellationType,Svid

    """

  @Test(
    "Of the records of GnssLogger, the fixes of one provider are points, preferably those of the receiver",
    arguments: [
      (["NLP", "GPS", "FLP", "gps"], [2, 4]), (["FLP", "NLP", "FLP"], [1, 3]), (["GPS", "GPS"], [1, 2]),
      (["NLP"], [1]),
    ])
  func gnssLogger(providers: [String], rows: [Int]) {
    let records = providers.enumerated().map { index, provider in
      """
      Raw,1715926350000,2092092474000000,18
      Fix,\(provider),47.\(index + 1),8.25,400.5,1.5,5,171592635\(index)000
      Status,1715926350000,46,0,1,2
      """
    }
    let text = Self.gnssLogger + records.joined(separator: "\n") + "\n"
    let transcript = Transcript(csv: text, isStrict: true)
    #expect(
      transcript.points
        == rows.map { row in
          // 1715926350 s are 2024-05-17T06:12:30Z.
          "point 47.\(row) 8.25 2024-05-17T06:12:3\(row - 1)Z elevation 400.5 horizontalAccuracy 5 speed 1.5"
        })
    let skipped = providers.count - rows.count
    #expect(transcript.warnings.map(\.code) == (skipped > 0 ? [.otherProvider] : []))
    #expect(transcript.warnings.map(\.count) == (skipped > 0 ? [skipped] : []))
    #expect(detected(Array(text.utf8)) == "csv")
  }

  @Test("A log of GnssLogger is read before its first fix and in the form of older versions")
  func oldGnssLogger() {
    let heading = "# Fix,Provider,Latitude,Longitude,Altitude,Speed,Accuracy,(UTC)TimeInMs\n#\n"
    let raw = String(repeating: "Raw,1715926350000,2092092474000000,18,46,0,1,2,5,6,7,8,9,10\n", count: 2000)
    #expect(detected(Array((heading + raw).utf8)) == "csv")
    #expect(
      CSVTable.points(heading + raw + "Fix,gps,47,8,400,1.5,5,1715926350000\n")
        == ["point 47 8 2024-05-17T06:12:30Z elevation 400 horizontalAccuracy 5 speed 1.5"])
  }

  @Test(
    "Speeds of ships by AIS are knots, and the course is that of the movement",
    arguments: [
      ("MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading", "18,82.5,511"),
      ("mmsi,base_date_time,latitude,longitude,heading,sog,cog", "90,18,82.5"),
      ("# MMSI,Timestamp,Latitude,Longitude,SOG,COG,Heading", "18,82.5,68"),
    ])
  func ais(heading: String, values: String) {
    // A knot is 1852 m/h, so 18 knots are 9.26 m/s.
    #expect(
      CSVTable.points("\(heading)\n219000873,2022-03-31T00:00:01,56.5,10.25,\(values)\n")
        == ["point 56.5 10.25 2022-03-31T00:00:01Z speed 9.26 course 82.5"])
  }

  @Test("The logs of PhantomHelp have the date and the time of day in two columns, and the altitude")
  func phantomHelp() {
    let text = """
      sep=,
      CUSTOM.date [local],CUSTOM.updateTime [local],OSD.flyTime [s],OSD.latitude,OSD.longitude,\
      OSD.height [ft],OSD.heightMax [ft],OSD.altitude [ft],OSD.hSpeed [MPH],OSD.hSpeedMax [MPH],HOME.latitude
      11/25/2025,7:05:08.97 PM,0.1,25.75,-80.125,100,100,1000,25,50,25.5
      11/25/2025,7:05:09.07 PM,0.2,25.75,-80.125,100,100,1000,25,50,25.5
      """
    // 1000 ft are 304.8 m, 25 mph are 11.176 m/s.
    #expect(
      CSVTable.points(text) == [
        "point 25.75 -80.125 2025-11-25T19:05:08.970Z elevation 304.8 speed 11.176",
        "point 25.75 -80.125 2025-11-25T19:05:09.070Z elevation 304.8 speed 11.176",
      ])
    // A height is the elevation if there is no altitude.
    #expect(CSVTable.points("lat,lon,height,z\n1,2,3,4") == ["point 1 2 elevation 3"])
  }

  @Test("The offsets of HP Tuners count from the creation of the log")
  func hpTuners() {
    let text = """
      HP Tuners CSV Log File

      [Log Information]
      Creation Time: 7/3/2026 10:13:40 PM

      [Channel Information]
      0,17,2001,2002
      Offset,Vehicle speed,GPS Latitude,GPS Longitude
      s,km/h,°,°

      [Channel Data]
      0.25,36,47.5,8.25
      0.5,,,
      1.25,72,47.75,8.5
      """
    #expect(
      CSVTable.points(text) == [
        "point 47.5 8.25 2026-07-03T22:13:40.250Z",
        "point 47.75 8.5 2026-07-03T22:13:41.250Z",
      ])
    #expect(
      CSVTable.points("Offset,lat,lon\n0,47.5,8.25\n1.5,47,8").last == "point 47 8 1999-09-09T09:09:10.500Z")
  }

  @Test(
    "Solutions of RTKLIB have spaces between the columns, and dates or weeks in the time of GPS or in UTC",
    arguments: [
      // GPS is 18 s ahead of UTC. Week 2314 begins on 2024-05-12, and 475,220 s are 5 days and 12:00:20.
      ("%  GPST         ", "2024/05/17 12:00:20.250", "2024-05-17T12:00:02.250Z"),
      ("%  GPST         ", "2314 475220.250", "2024-05-17T12:00:02.250Z"),
      ("%  UTC          ", "2024/05/17 12:00:20.250", "2024-05-17T12:00:20.250Z"),
    ])
  func rtklib(heading: String, time: String, expected: String) {
    let text = """
      % program   : RTKLIB ver.2.4.3
      %
      % (lat/lon/height=WGS84/ellipsoidal,Q=1:fix,2:float,5:single,ns=# of satellites)
      \(heading)  latitude(deg) longitude(deg)  height(m)   Q  ns   sdn(m)
      \(time)   47.417679820 -122.090811920   825.7036   1  12   0.0023
      \(time)   47.417679820 -122.090811920   825.7036   2   9   0.0023
      """
    let transcript = Transcript(csv: text)
    #expect(
      transcript.points == [
        "point 47.41767982 -122.09081192 \(expected) elevation 825.7036 satellites 12",
        "point 47.41767982 -122.09081192 \(expected) elevation 825.7036 satellites 9",
      ])
    #expect(transcript.warnings == [])
    #expect(transcript.lines.contains("  channels Q 2, sdn (m) 0.0023"))
    #expect(transcript.lines.contains { $0.hasPrefix("  description \"program : RTKLIB ver.2.4.3\\n") })
    #expect(detected(Array(text.utf8)) == "csv")
  }

  @Test("Speeds of Traccar are knots, and its times are those of the fixes")
  func traccar() {
    let text = """
      id,deviceId,protocol,serverTime,deviceTime,fixTime,valid,latitude,longitude,altitude,speed,course
      1,4,osmand,2024-05-17T06:12:33Z,2024-05-17T06:12:31Z,2024-05-17T06:12:30Z,true,47.5,8.25,400,18,90
      """
    // A knot is 1852 m/h, so 18 knots are 9.26 m/s.
    #expect(
      CSVTable.points(text)
        == ["point 47.5 8.25 2024-05-17T06:12:30Z elevation 400 speed 9.26 course 90"])
  }

  @Test("The laps of Alfano are whole numbers or have decimals")
  func alfano() {
    let heading = "Partiel,RPM,Speed GPS,T1,Orientation,Lat.,Lon.,Altitude\n"
    let points = ["point 47.2 11.4 elevation 500.5 speed 20 course 40.5"]
    #expect(CSVTable.points(heading + "1,9000,720,500,4050,47200000,11400000,5005") == points)
    #expect(CSVTable.points(heading + "1,9000,72.0,50.0,40.50,47.200000,11.400000,500.5") == points)
  }

  @Test("A change of RaceChrono's fragment starts a segment after a pause")
  func fragments() {
    func table(_ times: [Int]) -> String {
      let rows = times.enumerated().map { "\(1_715_926_350 + $1),\($0 / 2),47.\(100 + $0),8" }
      return "timestamp,fragment_id,latitude,longitude\n" + rows.joined(separator: "\n")
    }
    func segments(_ times: [Int]) -> Int {
      let transcript = Transcript(csv: table(times))
      #expect(transcript.violations == [])
      #expect(transcript.points.count == times.count)
      return transcript.lines.count { $0 == "segment" }
    }
    #expect(segments([0, 1, 2, 3]) == 1)
    #expect(segments([0, 1, 60, 61]) == 2)
    // A gap within a fragment is not a pause of the recording.
    #expect(segments([0, 60, 61, 62]) == 1)
    #expect(segments([0, 1, 60, 61, 120, 121]) == 3)
  }
}
