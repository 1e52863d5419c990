import Testing
import TrackModel

@testable import TrackFormats

@Suite("CSV dialects of loggers")
struct CSVDialectTests {
  /// Returns the points of a table, each with the line of its channels.
  private static func rows(_ text: String) -> [String] {
    Transcript(csv: text).lines.filter { $0.hasPrefix("point") || $0.hasPrefix("  channels") }
  }

  @Test("Numbers can have a decimal comma and an exponent, as phyphox writes them")
  func exponents() {
    let text = """
      "Time (s)";"Latitude (°)";"Longitude (°)";"Height (m)"
      0,000000000E0;4,694800000E1;7,447000000E0;5,401000000E2
      1,500000000E0;4,694900000E1;7,448000000E0;5,401000000E2
      """
    #expect(
      CSVTable.points(text) == [
        "point 46.948 7.447 1999-09-09T09:09:09Z elevation 540.1",
        "point 46.949 7.448 1999-09-09T09:09:10.500Z elevation 540.1",
      ])
  }

  @Test(
    "Dates and times of phones and web servers are read",
    arguments: [
      "20260820_165756", "2026-08-20_16:57:56", "2026-08-20-16-57-56", "2026-08-20 16:57:56:000",
      "Thu, 20 Aug 2026 16:57:56 GMT", "20-авг.-2026 16:57:56", "20-sie-2026 16:57:56",
      "jueves, 20 de agosto de 2026 16:57:56", "20. August 2026 16:57:56",
    ])
  func times(_ time: String) {
    #expect(CSVTable.points("time;lat;lon\n\(time);46.9;7.4") == ["point 46.9 7.4 2026-08-20T16:57:56Z"])
  }

  @Test(
    "The start of AiM and MoTeC tables is read in the languages of their computers",
    arguments: [
      ("Date,\"Wednesday, 5 August 2026\"\nTime,16:57:56", "2026-08-05T16:57:57Z"),
      ("Date,\"mercoledì 5 agosto 2026\"\nTime,16:57:56", "2026-08-05T16:57:57Z"),
      ("Date,\"martedì 4 agosto 2026\"\nTime,16:57:56", "2026-08-04T16:57:57Z"),
      ("Date,\"Mittwoch, 5. August 2026\"\nTime,16:57:56", "2026-08-05T16:57:57Z"),
      ("Date,2026/08/05\nTime,4:57:56 PM", "2026-08-05T16:57:57Z"),
      ("Date,8/5/2026\nTime,4:57:56 PM", "2026-08-05T16:57:57Z"),
      ("# StartTime = 08/05/2026 04:57:56.0000 PM", "2026-08-05T16:57:57Z"),
      (
        "Format,MoTeC CSV File\nLog Date,05/08/2026,,,Origin Time,0,s\nLog Time,16:57:56",
        "2026-08-05T16:57:57Z"
      ),
    ])
  func starts(_ preamble: String, _ time: String) {
    let text = preamble + "\n\nTime,GPS Latitude,GPS Longitude\ns,deg,deg\n\n0.0,46.9,7.4\n1.0,46.91,7.4\n"
    #expect(CSVTable.points(text).last == "point 46.91 7.4 \(time)")
  }

  @Test("An ambiguous date before the heading is read as day, month and year with a warning")
  func ambiguousStart() {
    let text = "Date,05/08/2026\nTime,16:57\n\nTime,Latitude,Longitude\n0.5,46.9,7.4\n1.5,46.91,7.4\n"
    #expect(CSVTable.points(text).first == "point 46.9 7.4 2026-08-05T16:57:00.500Z")
    #expect(CSVTable.warnings(text).first?.contains("date is read as day, month and year") == true)
    let columns = try? CSVColumns(parsing: "dates=mdy")
    #expect(
      columns.map { CSVTable.points(text, $0).first } == "point 46.9 7.4 2026-05-08T16:57:00.500Z")
  }

  @Test("Times of day without a date keep their differences over midnight")
  func timesOfDay() {
    let text = "time;Latitude;Longtitude\n23:59:59.5;46.9;7.4\n00:00:01;46.91;7.4\n"
    #expect(
      CSVTable.points(text) == [
        "point 46.9 7.4 1999-09-09T09:09:09Z", "point 46.91 7.4 1999-09-09T09:09:10.500Z",
      ])
    #expect(
      CSVTable.points("Date: 2026-08-05\n" + text) == [
        "point 46.9 7.4 2026-08-05T23:59:59.500Z", "point 46.91 7.4 2026-08-06T00:00:01Z",
      ])
  }

  @Test("A date that stays the same at midnight is that of the start")
  func constantDate() {
    let text = "date,time,lat,lon\n2026-08-05,23:59:59,46.9,7.4\n2026-08-05,00:00:01,46.91,7.4\n"
    #expect(
      CSVTable.points(text) == [
        "point 46.9 7.4 2026-08-05T23:59:59Z", "point 46.91 7.4 2026-08-06T00:00:01Z",
      ])
  }

  @Test("Alfano's tables have the time of the lap before the time since the start, and km/h")
  func alfano() {
    let table = """
      Lap;Time Lap;Strip;Time Strip;Absolute Time;Time;Distance;RPM;Speed GPS;T1;T2;Lat.;Lon.;Altitude;UTC time : 061230.00
      1;0.20;1;0.1;0;0;0;4,120;54;0;0;46.9481;7.4474;540;
      ;;;;0.1;0.1;1.5;4,173;54;0;0;46.9482;7.4474;540;
      2;0.20;1;0.1;0.2;0;3;4,173;36;0;0;46.9483;7.4474;540;
      """
    #expect(
      CSVTable.points(table) == [
        "point 46.9481 7.4474 1999-09-09T09:09:09Z elevation 540 speed 15 distance 0",
        "point 46.9482 7.4474 1999-09-09T09:09:09.100Z elevation 540 speed 15 distance 1.5",
        "point 46.9483 7.4474 1999-09-09T09:09:09.200Z elevation 540 speed 10 distance 3",
      ])
  }

  @Test("Accelerations of axes are not positions")
  func axes() {
    let table = """
      "Time (s)","X (m/s^2)","Y (m/s^2)","Z (m/s^2)"
      0.1,0.5,0.25,9.75
      0.2,0.5,0.25,9.75
      """
    #expect(!CSVLayout.isTable(Array(table.utf8)))
    #expect(CSVTable.points("x [deg],y [deg]\n7.4474,46.9481\n") == ["point 46.9481 7.4474"])
  }

  @Test("RaceCapture states the units of its channels in the heading")
  func raceCapture() {
    // 36 mph are 16.09344 m/s, and 1000 ft are 304.8 m.
    let text = """
      "Interval"|"ms"|0|0|1,"Utc"|"ms"|0|0|1,"Latitude"|"Degrees"|-180.0|180.0|10,"Longitude"|"Degrees"|-180.0|180.0|10,\
      "Speed"|"mph"|0.0|150.0|10,"Altitude"|"ft"|0.0|4000.0|10,"RPM"|"rpm"|0|10000|25
      10,1785949076000,46.9,7.4,36,1000,3000
      """
    #expect(
      Self.rows(text) == [
        "point 46.9 7.4 2026-08-05T16:57:56Z elevation 304.8 speed 16.09344",
        "  channels Interval (ms) 10, RPM (rpm) 3000",
      ])
  }

  @Test("Garmin's G1000 has feet, knots and local times with their offset")
  func avionics() {
    // 108 kn are 200.016 km/h, or 55.56 m/s.
    let text = """
      #airframe_info, log_version="1.00"
      #yyy-mm-dd, hh:mm:ss, hh:mm, degrees, degrees, ft msl, kt
        Lcl Date, Lcl Time, UTCOfst,     Latitude,    Longitude,  AltMSL, GndSpd
      2026-08-05, 18:57:56,  +02:00,  +46.9000000,   +7.4000000,  1000.0,  108.0
      """
    #expect(CSVTable.points(text) == ["point 46.9 7.4 2026-08-05T16:57:56Z elevation 304.8 speed 55.56"])
  }

  @Test("The names of quantities can be in brackets after GPS")
  func bracketedNames() {
    let text = """
      "cts","date","GPS (Lat.) [deg]","GPS (Long.) [deg]","GPS (Alt.) [m]","GPS (2D speed) [m/s]","fix","precision"
      55.5,"2026-08-05T16:57:56.123Z",46.9,7.4,540.1,12.1,3,150
      """
    #expect(
      CSVTable.points(text) == [
        "point 46.9 7.4 2026-08-05T16:57:56.123Z elevation 540.1 speed 12.1\n  fix \"3d\""
      ])
  }

  @Test("A heading inside the table can have other columns")
  func otherHeading() {
    let text = """
      GPS Time, Longitude, Latitude,Engine RPM(rpm)
      Wed Aug 05 18:57:56 GMT+02:00 2026,7.4,46.9,3000
      GPS Time, Longitude, Latitude,Engine RPM(rpm)
      Wed Aug 05 18:57:57 GMT+02:00 2026,7.4,46.91,3100
      GPS Time, Longitude, Latitude,Speed (OBD)(km/h),Engine RPM(rpm)
      Wed Aug 05 18:57:58 GMT+02:00 2026,7.4,46.92,43,3200
      """
    #expect(
      Self.rows(text) == [
        "point 46.9 7.4 2026-08-05T16:57:56Z", "  channels Engine RPM (rpm) 3000",
        "point 46.91 7.4 2026-08-05T16:57:57Z", "  channels Engine RPM (rpm) 3100",
        "point 46.92 7.4 2026-08-05T16:57:58Z", "  channels Speed (OBD) (km/h) 43, Engine RPM (rpm) 3200",
      ])
    #expect(CSVTable.warnings(text) == [])
  }

  @Test("Car Scanner writes a row for each value of a sensor")
  func carScanner() {
    let text = """
      "SECONDS";"PID";"VALUE";"UNITS";"LATITUDE";"LONGTITUDE";
      "61076.1";"Vehicle speed";"43";"km/h";"46.9";"7.4";
      "61076.2";"Engine RPM";"3000.5";"rpm";"46.91";"7.4";
      """
    #expect(
      Self.rows(text) == [
        "point 46.9 7.4 1999-09-10T02:07:05.100Z", "  channels Vehicle speed (km/h) 43",
        "point 46.91 7.4 1999-09-10T02:07:05.200Z", "  channels Engine RPM (rpm) 3000.5",
      ])
    #expect(CSVTable.warnings(text).count == 1)
  }

  @Test("Car Scanner's seconds are not days, whatever their decimals, and continue after midnight")
  func secondsOfCarScanner() {
    let heading = "SECONDS;PID;VALUE;UNITS;LATITUDE;LONGTITUDE;\n"
    // A value that was polled earlier can follow a later one.
    let decimals = ["35700.1000000001", "35700.3999999996", "35700.2", "35701.1000000003"]
    let lines = decimals.enumerated().map { "\($1);Engine RPM;3000;rpm;46.\($0);7.4;\n" }
    let times = Self.rows(heading + lines.joined()).filter { $0.hasPrefix("point") }.map { $0.suffix(13) }
    #expect(times == ["19:04:09.100Z", "19:04:09.400Z", "19:04:09.200Z", "19:04:10.100Z"])
    // 09:09:09 and 86,399.5 seconds are 09:09:08.5 of the next day.
    let midnight = ["86399.5", "0.25"].map { "\($0);Engine RPM;3000;rpm;46.9;7.\($0.count);\n" }
    #expect(
      Self.rows(heading + midnight.joined()).filter { $0.hasPrefix("point") } == [
        "point 46.9 7.7 1999-09-10T09:09:08.500Z", "point 46.9 7.4 1999-09-10T09:09:09.250Z",
      ])
  }

  @Test("The values of Car Scanner's rows without a position are kept at the next point")
  func sensorsBetweenFixes() {
    let text = """
      SECONDS;PID;VALUE;UNITS;LATITUDE;LONGTITUDE;
      100.5;Coolant temperature;90;°C;;;
      102.1;Engine RPM;3000;rpm;;;
      102.2;Engine RPM;3100;rpm;0;0;
      102.3;Vehicle speed;43;km/h;46.9;7.4;
      102.4;Vehicle speed;44;km/h;46.91;7.4;
      """
    #expect(
      Self.rows(text).filter { $0.hasPrefix("  channels") } == [
        "  channels Vehicle speed (km/h) 43, Engine RPM (rpm) 3100", "  channels Vehicle speed (km/h) 44",
      ])
  }

  @Test("Sensors beyond the limit between two positions are ignored with a counted warning")
  func sensorLimit() {
    let rows = (0..<258).map { "102.1;Sensor \($0);1;V;;;\n" }.joined()
    let text = "SECONDS;PID;VALUE;UNITS;LATITUDE;LONGTITUDE;\n102.0;Speed;1;km/h;46.9;7.4;\n\(rows)"
    let warning = CSVTable.warnings(text).first { $0.contains("256 sensors") }
    #expect(warning?.contains("first of 2") == true)
  }

  @Test("Rows of Car Scanner that repeat a position within a second are values at the next point")
  func repeatedPositions() {
    let text = """
      SECONDS;PID;VALUE;UNITS;LATITUDE;LONGTITUDE;
      100.5;Vehicle speed;43;km/h;46.9;7.4;
      100.6;Engine RPM;3000;rpm;46.9;7.4;
      101.5;Vehicle speed;0;km/h;46.9;7.4;
      101.6;Vehicle speed;1;km/h;46.91;7.4;
      """
    #expect(
      Self.rows(text).map { $0.replacing("point 46.9 7.4 1999-09-09T09:10:", with: "") } == [
        "49.500Z", "  channels Vehicle speed (km/h) 43",
        "50.500Z", "  channels Vehicle speed (km/h) 0, Engine RPM (rpm) 3000",
        "point 46.91 7.4 1999-09-09T09:10:50.600Z", "  channels Vehicle speed (km/h) 1",
      ])
  }

  @Test("AndroSensor's times, positions and satellites are found")
  func androSensor() {
    let text = """
      ACCELEROMETER X (m/s²);LOCATION Latitude : ;LOCATION Longitude : ;LOCATION Altitude ( m);\
      LOCATION Speed ( Kmh);LOCATION Accuracy ( m);LOCATION ORIENTATION (°);Satellites in range;\
      Time since start in ms ;YYYY-MO-DD HH-MI-SS_SSS
      0.1;46.9;7.4;540;36;5;90;7 / 12;20;2026-08-05 16:57:56:123
      """
    #expect(
      Self.rows(text).first
        == "point 46.9 7.4 2026-08-05T16:57:56.123Z elevation 540 horizontalAccuracy 5 speed 10 course 90 satellites 7"
    )
  }

  @Test("RaceRender's speeds are named by their unit", arguments: [("MPH", "11.176"), ("KPH", "10")])
  func raceRender(heading: String, speed: String) {
    // 25 mph are 11.176 m/s, 36 km/h are 10 m/s.
    let value = heading == "MPH" ? 25 : 36
    #expect(
      Self.rows("Time,Latitude,Longitude,\(heading)\n2026-08-05T16:57:56Z,46.9,7.4,\(value)").first
        == "point 46.9 7.4 2026-08-05T16:57:56Z speed \(speed)")
  }

  @Test("Numbers of degrees and minutes with columns for the hemispheres are converted")
  func degreesAndMinutes() {
    let text = """
      time,latitude,N/S,longitude,E/W
      2026-08-05T16:57:56Z,4630.000,S,00715.000,W
      2026-08-05T16:57:57Z,4630.006,S,00715.003,W
      """
    #expect(
      CSVTable.points(text) == [
        "point -46.5 -7.25 2026-08-05T16:57:56Z", "point -46.5001 -7.25005 2026-08-05T16:57:57Z",
      ])
  }

  @Test("Of several speeds, that of the receiver is read, and the others are channels")
  func speedOfReceiver() {
    let text = """
      time,Speed (km/h),GPS Speed (km/h),lat,lon
      2026-08-05T16:57:56Z,50,36,46.9,7.4
      """
    #expect(
      Self.rows(text) == ["point 46.9 7.4 2026-08-05T16:57:56Z speed 10", "  channels Speed (km/h) 50"])
  }

  @Test("FlySight's units have brackets")
  func flySight() {
    let text = """
      time,lat,lon,hMSL,velD,numSV
      ,(deg),(deg),(m),(m/s),
      2026-08-05T16:57:56.20Z,46.9,7.4,3000,5.5,12
      """
    #expect(
      Self.rows(text) == [
        "point 46.9 7.4 2026-08-05T16:57:56.200Z elevation 3000 satellites 12", "  channels velD (m/s) 5.5",
      ])
  }

  @Test("The seconds of SensorLog since 1970 and the elevation of Airdata have separate names")
  func otherNames() {
    let sensorLog =
      "loggingTime(txt),locationTimestamp_since1970(s),locationLatitude(WGS84),locationLongitude(WGS84)\n"
      + "2024-05-26 11:55,1716717300.05,46.9,7.4"
    #expect(CSVTable.points(sensorLog) == ["point 46.9 7.4 2024-05-26T09:55:00.050Z"])
    let airdata =
      "datetime(utc),latitude,longitude,altitude_above_seaLevel(feet)\n2024-05-26 09:55:00,46.9,7.4,1000"
    #expect(CSVTable.points(airdata) == ["point 46.9 7.4 2024-05-26T09:55:00Z elevation 304.8"])
  }

  @Test("VESC Tool counts milliseconds from midnight and repeats its fixes")
  func vesc() {
    // The third row repeats the fix, and the fourth is after midnight.
    let text = """
      ms_today;input_voltage;duty_cycle;gnss_posTime;gnss_lat;gnss_lon;gnss_alt;gnss_gVel;gnss_hAcc;
      86399400;50.5;0.1;86399300;0;0;0;0;0;
      86399500;50.4;0.2;86399400;46.9;7.4;540;5;3;
      86399900;50.3;0.3;86399400;46.9;7.4;540;5;3;
      500;50.2;0.4;400;46.9001;7.4;540;6;3;
      """
    #expect(
      Self.rows(text) == [
        "point 46.9 7.4 1999-09-10T09:09:08.500Z elevation 540 horizontalAccuracy 3 speed 5",
        "  channels input_voltage 50.4, duty_cycle 0.2",
        "point 46.9001 7.4 1999-09-10T09:09:09.500Z elevation 540 horizontalAccuracy 3 speed 6",
        "  channels input_voltage 50.2, duty_cycle 0.4",
      ])
    // Shortly after midnight, the numbers have six digits or fewer.
    #expect(
      CSVTable.points("ms_today;gnss_lat;gnss_lon\n100500;46.9;7.4\n101500;46.91;7.4") == [
        "point 46.9 7.4 1999-09-09T09:10:49.500Z", "point 46.91 7.4 1999-09-09T09:10:50.500Z",
      ])
  }

  @Test("EdgeTX writes both coordinates in one column, which is empty without a fix")
  func edgeTX() {
    let text = """
      Date,Time,RQly(%),GPS,GSpd(kts),Hdg(@),Alt(m),Sats,Rud
      2024-05-17,06:12:30.120,100,,0.0,0.0,0,3,-5
      2024-05-17,06:12:31.120,99,46.948100 -7.447400,36.0,60.0,540,12,-6
      """
    // 36 knots are 18.52 m/s.
    #expect(
      Self.rows(text) == [
        "point 46.9481 -7.4474 2024-05-17T06:12:31.120Z elevation 540 speed 18.52 course 60 satellites 12",
        "  channels RQly (%) 99, Rud -6",
      ])
  }

  @Test("Values of rows without a position are kept at the next point, if they are at most a second older")
  func valuesBetweenFixes() {
    let text = """
      time,lat,lon,speed,rpm,throttle
      2026-08-05T16:57:56.000Z,46.9,7.4,10,,
      2026-08-05T16:57:56.020Z,,,,3000,
      2026-08-05T16:57:56.040Z,,,,3100,55
      2026-08-05T16:57:56.100Z,46.91,7.4,11,,60
      2026-08-05T16:57:56.200Z,46.92,7.4,12,,
      2026-08-05T16:57:57.000Z,,,,3200,
      2026-08-05T16:57:58.100Z,46.93,7.4,13,,
      """
    #expect(
      Self.rows(text) == [
        "point 46.9 7.4 2026-08-05T16:57:56Z speed 10",
        "point 46.91 7.4 2026-08-05T16:57:56.100Z speed 11", "  channels rpm 3100, throttle 60",
        "point 46.92 7.4 2026-08-05T16:57:56.200Z speed 12",
        "point 46.93 7.4 2026-08-05T16:57:58.100Z speed 13",
      ])
  }

  @Test("The times of a table can count from a start that another file contains")
  func separateStart() throws {
    let text = "\"Time (s)\",\"Latitude (°)\",\"Longitude (°)\"\n0.5,46.9,7.4\n1.5,x,7.4\n"
    var options = ReadingOptions()
    options.clockStart = Instant(microseconds: 1_785_949_076_000_000)
    var reader = CSVReader(ByteInput(bytes: Array(text.utf8)), options: options)
    let transcript = Transcript(reading: &reader, capacity: 64)
    #expect(transcript.points == ["point 46.9 7.4 2026-08-05T16:57:56.500Z"])
    // The line is that of the file.
    #expect(transcript.warnings.map(\.place.line) == [3])
  }

  @Test("A row at 0, 0 that states that it has no fix is skipped")
  func noFix() {
    let text = "time,lat,lon,fix\n2026-08-05T16:57:55Z,0,0,0\n2026-08-05T16:57:56Z,0,0,3\n"
    #expect(CSVTable.points(text) == ["point 0 0 2026-08-05T16:57:56Z\n  fix \"3d\""])
  }

  @Test("Axes are part of a channel's name, and so is the device after a unit")
  func names() {
    #expect(ExtraValues.Name(heading: "G(x)") == ExtraValues.Name("G(x)"))
    #expect(ExtraValues.Name(heading: "G (calibrated)") == ExtraValues.Name("G (calibrated)"))
    #expect(ExtraValues.Name(heading: "RPM (1/min)") == ExtraValues.Name("RPM", unit: "1/min"))
    let text = "time,lat,lon,Engine Speed (RPM) *OBD\n2026-08-05T16:57:56Z,46.9,7.4,3000\n"
    #expect(Self.rows(text).last == "  channels Engine Speed *OBD (RPM) 3000")
  }
}
