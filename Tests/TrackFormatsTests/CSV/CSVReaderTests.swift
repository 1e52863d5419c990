import Testing
import TrackModel

@testable import TrackFormats

@Suite("CSV reader")
struct CSVReaderTests {
  @Test("A table of rows with times becomes one track with one segment")
  func plain() {
    let transcript = Transcript(
      csv: """
        time,lat,lon,ele,speed,course,hr
        2024-05-17T06:12:30Z,46.948,7.4474,540.5,12.25,61.5,121
        2024-05-17T06:12:31.5Z,46.9481,7.4475,,,,
        """)
    #expect(
      transcript.text == """
        header
        track
        segment
        point 46.948 7.4474 2024-05-17T06:12:30Z elevation 540.5 speed 12.25 course 61.5 heartRate 121
        point 46.9481 7.4475 2024-05-17T06:12:31.500Z
        end of segment
        end of track

        """)
    #expect(transcript.violations == [])
  }

  @Test(
    "Columns are found by their headings, in any order",
    arguments: [
      "lat,lon", "Latitude,Longitude", "LATITUDE,LONGITUDE", "lat,lng", "lat,long", "gps_lat,gps_lon", "y,x",
      "GPS Latitude,GPS Longitude", "location.lat,location.lng", "positionLat,positionLon", "Breite,Länge",
      "Breitengrad,Längengrad", "latitude [deg],longitude [deg]", "Latitude (WGS84),Longitude (WGS84)",
      "lat_deg,lon_deg", " lat , lon ", "\"lat\",\"lon\"", "Latitud,Longitud", "Lat.,Lon.",
      "OSD.latitude,OSD.longitude", "field.latitude,field.longitude",
      "AUX.GPS.LATITUDE °,AUX.GPS.LONGITUDE °", "GPS_coord[0],GPS_coord[1]",
    ])
  func headings(_ heading: String) {
    #expect(CSVTable.points("\(heading)\n47.5,8.25") == ["point 47.5 8.25"])
  }

  @Test(
    "Headings are known in several languages",
    arguments: [
      "Data,Ora,Latitudine,Longitudine,Quota,Velocità (km/h)",
      "Data,Hora,Latitude,Longitude,Altitude,Velocidade (km/h)",
      "Fecha,Hora,Latitud,Longitud,Altitud,Velocidad (km/h)",
      "Date,Heure,Latitude,Longitude,Altitude,Vitesse (km/h)",
      "Data,Czas,Szerokość,Długość,Wysokość,Prędkość (km/h)",
      "Data,Godzina,Szerokość geograficzna,Długość geograficzna,Wysokość [m],Prędkość [km/h]",
      "Дата,Время,Широта,Долгота,Высота (м),Скорость (км/ч)", "日期,时间,纬度,经度,海拔,速度 (km/h)",
      "日期,時間,緯度,經度,海拔,速度 (km/h)", "日付,時刻,緯度,経度,標高,速度 (km/h)",
    ])
  func languages(_ heading: String) {
    #expect(
      CSVTable.points("\(heading)\n17/05/2024,06:12:30,47.5,8.25,400.5,36")
        == ["point 47.5 8.25 2024-05-17T06:12:30Z elevation 400.5 speed 10"])
  }

  @Test(
    "Headings of sensors are known in several languages",
    arguments: [
      "latitude,longitude,puissance,cadence,fréquence cardiaque,température,distance",
      "latitud,longitud,potencia,cadencia,frecuencia cardíaca,temperatura,distancia",
      "latitudine,longitudine,potenza,cadenza,frequenza cardiaca,temperatura,distanza",
      "latitude,longitude,potência,cadência,frequência cardíaca,temperatura,distância",
      "szerokość,długość,moc,kadencja,tętno,temperatura,dystans",
      "широта,долгота,мощность,каденс,пульс,температура,расстояние",
      "纬度,经度,功率,踏频,心率,温度,距离", "緯度,経度,パワー,ケイデンス,心拍数,気温,距離",
      "纬度,经度,功率 (W),踏频 (rpm),心率 (bpm),温度 (°C),距离 (米)",
    ])
  func sensors(_ heading: String) {
    #expect(
      CSVTable.points("\(heading)\n47.5,8.25,200,90,140,21.5,12")
        == ["point 47.5 8.25 heartRate 140 cadence 90 power 200 temperature 21.5 distance 12"])
  }

  @Test("Units are known in Chinese", arguments: ["速度(公里/小时)", "速度 [千米/时]", "速度 (km/h)"])
  func chineseUnits(_ heading: String) {
    #expect(CSVTable.points("纬度,经度,\(heading)\n47.5,8.25,36") == ["point 47.5 8.25 speed 10"])
  }

  @Test("A column with data is a date if its values are dates", arguments: ["7", "7.5", "x"])
  func data(_ value: String) {
    let transcript = Transcript(csv: "data,time,lat,lon\n\(value),2024-05-17T06:12:30Z,47.5,8.25\n")
    #expect(transcript.points == ["point 47.5 8.25 2024-05-17T06:12:30Z"])
    #expect(transcript.lines.contains("  channels data \(value)") == (value != "x"))
    #expect(CSVTable.points("data,ora,lat,lon\n20240517,061230,1,2\n") == ["point 1 2 2024-05-17T06:12:30Z"])
    #expect(CSVTable.points("日時,lat,lon\n2024/05/17 06:12:30,1,2\n") == ["point 1 2 2024-05-17T06:12:30Z"])
  }

  @Test("Specific coordinate headings take precedence over x and y")
  func weakNames() {
    #expect(CSVTable.points("x,y,z,lat,lon\n1,2,3,47.5,8.25") == ["point 47.5 8.25"])
    #expect(CSVTable.points("X,Y,Z\n8.25,47.5,400") == ["point 47.5 8.25 elevation 400"])
  }

  // 54 km/h = 15 m/s. 60 mph = 60 · 0.44704. 10 knots = 10 · 1852 m in 3600 s. 1000 ft = 304.8 m. 212 °F =
  // 100 °C.
  private static let measures: [(heading: String, value: String, expected: String)] = [
    ("speed (km/h)", "54", "speed 15"), ("Speed_mph", "60", "speed 26.8224"),
    ("speed_kmh", "54", "speed 15"),
    ("SPEED(km/h)", "54", "speed 15"), ("speed [kn]", "36", "speed 18.52"),
    ("speedKnots", "36", "speed 18.52"),
    ("GPS Speed (Meters/second)", "7", "speed 7"), ("speed", "7", "speed 7"),
    ("speed", "54 km/h", "speed 15"),
    ("speed", "54km/h", "speed 15"), ("alt [ft]", "1000", "elevation 304.8"),
    ("altitude_ft", "1000", "elevation 304.8"), ("Altitude (pieds)", "1000", "elevation 304.8"),
    ("Vitesse (nœuds)", "36", "speed 18.52"), ("Geschw. (km/h)", "54", "speed 15"),
    ("Cap (°)", "90", "course 90"),
    ("Fréquence cardiaque (bpm)", "120", "heartRate 120"),
    ("Height(m)", "12", "elevation 12"), ("elevation (feet)", "1000", "elevation 304.8"),
    ("ele", "12 m", "elevation 12"),
    ("temp (F)", "212", "temperature 100"), ("temperature °C", "21.5", "temperature 21.5"),
    ("distance_km", "1.5", "distance 1500"), ("distance (mi)", "2", "distance 3218.688"),
    ("Heart Rate (bpm)", "120", "heartRate 120"), ("heart_rate", "120", "heartRate 120"),
    ("cadence_rpm", "80", "cadence 80"), ("Power [W]", "200", "power 200"), ("watts", "200", "power 200"),
    ("accuracy", "5", "horizontalAccuracy 5"), ("hAcc", "5", "horizontalAccuracy 5"),
    ("vertical_accuracy", "5", "verticalAccuracy 5"), ("hdop", "1.2", "hdop 1.2"),
    ("sat", "7", "satellites 7"),
    ("NSAT(USED/VIEW)", "7(12)", "satellites 7"), ("satellites", "7/12", "satellites 7"),
    ("Horizontal Dilution of Precision", "2", "hdop 2"), ("heading", "360", "course 0"),
    ("Bearing", "90", "course 90"),
    ("destination_bearing", "90", "bearing 90"), ("geoid height", "47", "geoidHeight 47"),
    ("water temperature", "9", "waterTemperature 9"), ("depth (ft)", "10", "depth 3.048"),
    ("depth (cm)", "250", "depth 2.5"), ("distance (yards)", "100", "distance 91.44"),
    ("distance (nmi)", "2", "distance 3704"), ("speed (ft/s)", "100", "speed 30.48"),
    ("speed (cm/s)", "250", "speed 2.5"), ("speed (mm/s)", "2500", "speed 2.5"),
    // 180° are π radians.
    ("course (rad)", "1", "course 57.29577951308232"), ("hr (Hz)", "2", "heartRate 120"),
    ("power (kW)", "0.2", "power 200"), ("temp (K)", "300.15", "temperature 27"),
    // A mechanical horsepower is 550 foot-pounds per second, 550 × 0.3048 × 0.45359237 × 9.80665 W.
    ("power (hp)", "1", "power 745.6998715822702"),
    ("age of dgps data (s)", "5", "differentialAge 5"),
    ("age of dgps data (ms)", "5000", "differentialAge 5"),
  ]

  @Test("A unit in the heading or after the value is converted", arguments: measures)
  func units(_ heading: String, _ value: String, _ expected: String) {
    #expect(CSVTable.points("lat,lon,\(heading)\n1,2,\(value)") == ["point 1 2 \(expected)"])
    #expect(CSVTable.warnings("lat,lon,\(heading)\n1,2,\(value)") == [])
  }

  @Test(
    "Placeholders for unknown values are ignored",
    arguments: ["speed,-1", "accuracy,-1", "course,-1", "course,361"])
  func unknown(_ pair: String) {
    let parts = pair.split(separator: ",")
    #expect(CSVTable.points("lat,lon,\(parts[0])\n1,2,\(parts[1])") == ["point 1 2"])
  }

  @Test(
    "Each quantity has its own units",
    arguments: ["course (m)", "hr (km/h)", "power (bpm)", "temp (W)", "age of dgps data (m)", "ele (s)"])
  func foreignUnit(_ heading: String) {
    #expect(CSVTable.points("lat,lon,\(heading)\n1,2,3") == ["point 1 2"])
    #expect(Transcript(csv: "lat,lon,\(heading)\n1,2,3").lines.contains("  channels \(heading) 3"))
  }

  @Test("A quantity in an unknown unit is another channel; columns of text are ignored with a warning")
  func unknownUnit() {
    let transcript = Transcript(csv: "lat,lon,speed (furlongs),battery,state\n1,2,3,4,full\n1,2,,,empty")
    #expect(transcript.points == ["point 1 2", "point 1 2"])
    #expect(transcript.lines.contains("  channels speed (furlongs) 3, battery 4"))
    #expect(
      transcript.warnings.map(\.description) == ["line 1: unknown columns, ignored: \"state\""])
  }

  @Test(
    "Columns with row numbers are ignored without a warning",
    arguments: ["#", "no", "index", "id", "Row", "point no"])
  func ordinals(_ heading: String) {
    #expect(CSVTable.warnings("lat,lon,\(heading)\n1,2,3") == [])
    #expect(CSVTable.points("\(heading),lat,lon\n1,2,3") == ["point 2 3"])
  }

  // MARK: Separators and numbers

  @Test("The separator is detected", arguments: [",", ";", "\t", "|"])
  func separators(_ separator: String) {
    let text = "lat,lon,ele\n1.5,2.5,3.5\n".replacing(",", with: separator)
    #expect(CSVTable.points(text) == ["point 1.5 2.5 elevation 3.5"])
    #expect(CSVTable.points("sep=\(separator)\n" + text) == ["point 1.5 2.5 elevation 3.5"])
  }

  @Test(
    "Decimal commas and thousands separators are distinguished",
    arguments: [
      ("lat;lon;ele\n47,5;8,25;540,5", "point 47.5 8.25 elevation 540.5"),
      ("lat;lon;ele\n47,5;8,25;1.234,5", "point 47.5 8.25 elevation 1234.5"),
      ("lat;lon;ele\n47,5;8,25;1.234", "point 47.5 8.25 elevation 1234"),
      ("lat;lon;ele\n47,5;8,25;0.123", "point 47.5 8.25 elevation 0.123"),
      ("lat;lon;ele\n47.5;8.25;1,234", "point 47.5 8.25 elevation 1234"),
      ("lat;lon;ele\n47.5;8.25;540,5", "point 47.5 8.25 elevation 540.5"),
      ("lat,lon,ele\n\"47,5\",\"8,25\",\"540,5\"", "point 47.5 8.25 elevation 540.5"),
      ("lat,lon,ele\n47.5,8.25,\"1,234.5\"", "point 47.5 8.25 elevation 1234.5"),
      ("lat,lon,ele\n47.5,8.25,1'234.5", "point 47.5 8.25 elevation 1234.5"),
      ("lat,lon,ele\n47.5,8.25,\"1,234,567\"", "point 47.5 8.25 elevation 1234567"),
      ("lat,lon,ele\n+47.5,-8.25,-.5", "point 47.5 -8.25 elevation -0.5"),
      ("lat,lon,ele\n4.75e1,8.25,1e2", "point 47.5 8.25 elevation 100"),
    ])
  func decimals(_ text: String, _ expected: String) { #expect(CSVTable.points(text) == [expected]) }

  @Test(
    "Degrees are read with hemisphere letters, minutes and seconds",
    arguments: [
      ("47.5N", "8.25E", "47.5 8.25"), ("47.5S", "8.25W", "-47.5 -8.25"), ("N47.5", "W 8.25", "47.5 -8.25"),
      ("47° 30.0' N", "8° 15' E", "47.5 8.25"), ("47 30 0 S", "8 15 0 W", "-47.5 -8.25"),
      ("47°30′18″N", "8°15′36″E", "47.505 8.26"), ("-47°30'", "8:15:00", "-47.5 8.25"),
      ("47,5 N", "8,25 E", "47.5 8.25"),
      ("0", "180", "0 180"),
    ])
  func degrees(_ latitude: String, _ longitude: String, _ expected: String) {
    #expect(CSVTable.points("lat;lon\n\(latitude);\(longitude)") == ["point \(expected)"])
  }

  @Test(
    "Invalid degrees are skipped and counted",
    arguments: ["47.5E", "47°61'", "47.5.1", "N47S", "-47.5S", "47.5 30", "1 2 3 4", "fortyseven"])
  func noDegrees(_ latitude: String) {
    let text = "lat,lon\n\(latitude),8\n1,2"
    #expect(CSVTable.points(text) == ["point 1 2"])
    #expect(
      CSVTable.warnings(text) == ["line 2: invalid position, row skipped: \"\(latitude)\" (lat)"])
  }

  @Test("Hemispheres may be in separate columns")
  func hemispheres() {
    #expect(
      CSVTable.points("LATITUDE,N/S,LONGITUDE,E/W\n47.5,S,8.25,W\n47.5,N,8.25,E")
        == ["point -47.5 -8.25", "point 47.5 8.25"])
    #expect(CSVTable.points("LATITUDE N/S,LONGITUDE E/W\n47.5N,8.25W") == ["point 47.5 -8.25"])
  }

  @Test("Other units of degrees are converted")
  func degreeUnits() {
    #expect(CSVTable.points("latitudeE7,longitudeE7\n475000000,-82500000") == ["point 47.5 -8.25"])
    #expect(CSVTable.points("lat (E6),lon (microdegrees)\n47500000,-8250000") == ["point 47.5 -8.25"])
    // 180° are π radians.
    #expect(
      CSVTable.points("lat (rad),lon (radians)\n1,-1") == ["point 57.29577951308232 -57.29577951308232"])
    // 2^29 semicircles are 45°, −2^30 are −90°.
    #expect(
      CSVTable.points("position_lat (semicircles),position_long (semicircles)\n536870912,-1073741824")
        == ["point 45 -90"])
  }

  @Test(
    "Both coordinates may be in one column",
    arguments: ["\"47.5, 8.25\"", "47.5 8.25", "geo:47.5;8.25", "47.5/8.25"])
  func position(_ value: String) {
    #expect(CSVTable.points("name,position,time\nx,\(value),") == ["point 47.5 8.25\n  name \"x\""])
  }

  // MARK: Structure

  @Test("Track and segment columns split the points")
  func parts() {
    #expect(
      Transcript(csv: "track,segment,lat,lon\n7,1,1,1\n7,1,2,2\n7,2,3,3\nhome,2,4,4\n").lines == [
        "header", "track", "  number 7", "segment", "point 1 1", "point 2 2", "end of segment", "segment",
        "point 3 3",
        "end of segment", "end of track", "track", "  name \"home\"", "segment", "point 4 4",
        "end of segment",
        "end of track",
      ])
    // In the form of GDAL's track points.
    #expect(
      Transcript(csv: "X,Y,track_fid,track_seg_id,track_seg_point_id\n2,1,0,0,0\n4,3,0,1,0\n").lines == [
        "header", "track", "  number 0", "segment", "point 1 2", "end of segment", "segment", "point 3 4",
        "end of segment", "end of track",
      ])
  }

  @Test(
    "The kind column makes waypoints and routes; a waypoint between trackpoints follows the track")
  func kinds() {
    #expect(
      Transcript(
        csv: """
          kind,track,segment,name,lat,lon
          waypoint,,,A,1,1
          trackpoint,1,1,,2,2
          waypoint,,,B,3,3
          trackpoint,1,1,,4,4
          routepoint,1,,turn,5,5
          routepoint,2,,,6,6
          """
      ).lines == [
        "header", "waypoint 1 1", "  name \"A\"", "track", "  number 1", "segment", "point 2 2", "point 4 4",
        "end of segment", "end of track", "waypoint 3 3", "  name \"B\"", "route", "  number 1", "point 5 5",
        "  name \"turn\"", "end of route", "route", "  number 2", "point 6 6", "end of route",
      ])
    // In GPS Visualizer's form; otherwise, a type column is the point's type.
    #expect(
      CSVTable.points("type,lat,lon,name\nW,1,2,a\nT,3,4,") == ["waypoint 1 2\n  name \"a\"", "point 3 4"])
    #expect(
      CSVTable.points("type,lat,lon,name\ncafé,1,2,a\nT,3,4,b")
        == ["waypoint 1 2\n  name \"a\"\n  type \"café\"", "waypoint 3 4\n  name \"b\"\n  type \"T\""])
  }

  @Test("Names in rows without times make waypoints, in rows with times trackpoint names")
  func names() {
    #expect(
      CSVTable.points("name,lat,lon,description,symbol\nA,1,2,\"x, y\",Flag\n,3,4,,") == [
        "waypoint 1 2\n  name \"A\"\n  description \"x, y\"\n  symbol \"Flag\"", "point 3 4",
      ])
    #expect(
      CSVTable.points("name,lat,lon,time\nA,1,2,2024-05-01T10:00:00Z") == [
        "point 1 2 2024-05-01T10:00:00Z\n  name \"A\""
      ])
  }

  @Test("Quoted fields may contain separators, line ends and quotes")
  func quotes() {
    #expect(
      CSVTable.points("name,lat,lon\n\"a,\"\"b\"\"\r\nc\", 1 , \"2\"\n  \" d \"  ,3,4\ne\"f,5,6") == [
        "waypoint 1 2\n  name \"a,\\\"b\\\"\\r\\nc\"", "waypoint 3 4\n  name \" d \"",
        "waypoint 5 6\n  name \"e\\\"f\"",
      ])
    #expect(
      CSVTable.warnings("name,lat,lon\n\"a\"b,1,2") == ["line 2: text after a closing quote, ignored"])
  }

  @Test("Line numbers include line ends of all kinds, even in quotes")
  func lines() {
    #expect(
      CSVTable.warnings("lat,lon,name,time\r\n1,2,\"a\r\nb\rc\nd\",\r\n\r\nx,2,,\r\n").first?.hasPrefix(
        "line 7:") == true)
    #expect(CSVTable.warnings("lat,lon\r1,2\rx,2\r").first?.hasPrefix("line 3:") == true)
  }

  @Test("Text before the heading describes the file; comments and repeated headings are not rows")
  func preamble() {
    let transcript = Transcript(
      csv: "# by hand\nMy drive, 2024\n\nlat,lon\n1,2\n# note\n \n,\nlat,lon\n3,4\n")
    #expect(transcript.lines.prefix(2) == ["header", "  description \"by hand\\nMy drive, 2024\""])
    #expect(transcript.points == ["point 1 2", "point 3 4"])
    #expect(transcript.warnings == [])
  }

  @Test("The heading may be a comment")
  func commentedHeading() {
    #expect(
      CSVTable.points("# time, lat, lon\n2024-05-01T10:00:00Z, 1, 2") == ["point 1 2 2024-05-01T10:00:00Z"])
  }

  // MARK: Encodings

  @Test("UTF-8 with a byte order mark, UTF-16, UTF-32 and Latin-1 are read alike")
  func encodings() {
    let text = "Breite;Länge;Name;Zeit\n47,5;8,5;Zürich;\n"
    let expected = ["point 47.5 8.5\n  name \"Zürich\""]
    #expect(Transcript(csv: text).points == expected)
    #expect(Transcript(csv: "\u{FEFF}" + text).points == expected)
    #expect(Transcript(csv: Sample.latin1(text)).points == expected)
    for isBig in [false, true] {
      #expect(Transcript(csv: Sample.utf16(text, isBig: isBig)).points == expected)
      #expect(Transcript(csv: Sample.utf16(text, isBig: isBig, hasMark: false)).points == expected)
      let scalars = text.unicodeScalars.map { isBig ? $0.value.bigEndian : $0.value }
      let wide = ([isBig ? UInt32(0xFEFF).bigEndian : 0xFEFF] + scalars).flatMap { unit in
        (0..<4).map { UInt8(truncatingIfNeeded: unit >> ($0 * 8)) }
      }
      #expect(Transcript(csv: wide).points == expected)
      #expect(Transcript(csv: Array(wide.dropFirst(4))).points == expected)
      #expect(detected(wide) == "csv")
    }
    // Windows-1252: 0x80 is the euro sign, 0x93 and 0x94 are quotation marks.
    #expect(
      Transcript(csv: Array("lat,lon,name\n1,2,".utf8) + [0x93, 0x80, 0x94]).points
        == ["waypoint 1 2\n  name \"“€”\""])
  }

  // MARK: Invariance

  @Test("The size of chunks and batches does not affect the result", arguments: CSVTable.samples)
  func chunks(_ sample: Sample) {
    for isStrict in [false, true] {
      Transcript.expectInvariance(sample.bytes.count) { chunk, capacity in
        Transcript(csv: sample.bytes, chunk: chunk, capacity: capacity, isStrict: isStrict)
      }
    }
  }

  @Test("A table cut off anywhere gives the rows before the cut and no others", arguments: CSVTable.samples)
  func cuts(_ sample: Sample) {
    let whole = Transcript(csv: sample.bytes)
    for end in sample.bytes.indices {
      let part = Transcript(csv: Array(sample.bytes[..<end]))
      #expect(part.violations == [], "cut at \(end)")
      // Only the last row may differ, if the cut shortened its last number or text.
      #expect(part.points.count <= whole.points.count + 1, "cut at \(end)")
    }
  }

  @Test("Rows after the sampled first bytes are read like those in the sample")
  func long() {
    var text = "time;lat;lon;speed (km/h)\n"
    for index in 0..<5000 { text += "\(1_700_000_000 + index);47,\(10_000 + index);8,5;36\n" }
    let transcript = Transcript(csv: text)
    #expect(transcript.points.count == 5000)
    // 1,700,004,999 s after 1970: 2023-11-14T22:13:20Z is 1,700,000,000.
    #expect(transcript.points.last == "point 47.14999 8.5 2023-11-14T23:36:39Z speed 10")
    #expect(Transcript(csv: Array(text.utf8), chunk: 1000, capacity: 4096).text == transcript.text)
  }
}
