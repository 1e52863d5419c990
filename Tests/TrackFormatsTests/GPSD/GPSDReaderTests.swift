import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite struct GPSDReaderTests {
  /// Reports of gpsd 3.22; the third one is in the form of an older version.
  static let log = """
    {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}
    {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0"}]}
    {"class":"TPV","device":"/dev/ttyUSB0","mode":1}
    {"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2024-05-01T12:00:00.000Z","ept":0.005,"lat":46.5,\
    "lon":7.5,"altHAE":548.1,"altMSL":500.1,"alt":500.1,"epx":3.0,"epy":4.0,"epv":10.5,"track":360.0,\
    "speed":12.5,"climb":0.0,"eph":10.0,"geoidSep":48.0}
    {"class":"SKY","xdop":0.5,"satellites":[{"PRN":1,"el":30.0,"used":true}]}
    {"class":"TPV","mode":2,"time":"2024-05-01T12:00:01.250Z","lat":0,"lon":-7.25,"alt":9,"epx":3,"epy":4}
    {"class":"TPV","mode":3,"lat":91.0,"lon":7.5}
    {"class":"TPV","mode":3,"time":"2024-05-01T12:00:03Z","lat":46.6,"lon":7.6,"track":-1,"speed":-1}

    """

  private static func document(_ text: String, chunk: Int = 4096) throws -> TrackDocument {
    var reader = GPSDReader(ByteInput(bytes: Array(text.utf8), chunk: chunk))
    return try TrackDocument(reading: &reader)
  }

  @Test("Reports with a fix become trackpoints in chunks of any size", arguments: [1, 7, 61, 4096])
  func reports(chunk: Int) throws {
    let document = try Self.document(Self.log, chunk: chunk)
    let points = try #require(document.tracks.first?.segments.first?.points)
    #expect(points.count == 3)
    let batch = Self.batch(points)
    #expect(batch.coordinate(at: 0) == Coordinate(latitude: 46.5, longitude: 7.5))
    // Latitude 0 is a valid position.
    #expect(batch.coordinate(at: 1) == Coordinate(latitude: 0, longitude: -7.25))
    #expect(batch.time(at: 1)?.description == "2024-05-01T12:00:01.250Z")
    #expect(batch.value(.elevation, at: 0) == 500.1)
    // A 2D fix has no altitude, whatever the report contains.
    #expect(batch.value(.elevation, at: 1) == nil)
    // From 95 % to 68 %: of 10 m, and of √(3² + 4²) = 5 m.
    let accuracies = [batch.value(.horizontalAccuracy, at: 0), batch.value(.horizontalAccuracy, at: 1)]
    #expect(accuracies.map { (($0 ?? 0) * 1e6).rounded() } == [6_170_000, 3_085_000])
    #expect(batch.value(.course, at: 0) == 0)
    #expect(batch.value(.speed, at: 0) == 12.5)
    // Negative values mean unknown.
    #expect(batch.value(.speed, at: 2) == nil)
    #expect(batch.value(.course, at: 2) == nil)
  }

  @Test("Of two receivers, one is read until it is silent for ten seconds")
  func receivers() throws {
    func report(_ device: String, _ second: Int, _ latitude: Double) -> String {
      let time = "2024-05-01T12:00:\(second < 10 ? "0" : "")\(second)Z"
      return
        #"{"class":"TPV","device":"/dev/\#(device)","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":7,"magvar":-2.5}"#
    }
    let log = [
      #"{"class":"TPV","device":"/dev/b","mode":1}"#, report("a", 1, 46), report("b", 1, 47),
      report("a", 2, 46.1),
      report("b", 2, 47.1), report("b", 11, 47.2), report("b", 12, 47.3), report("a", 13, 46.2),
    ]
    var reader = GPSDReader(ByteInput(bytes: Array(log.joined(separator: "\n").utf8)))
    let points = try #require(TrackDocument(reading: &reader).tracks.first?.segments.first?.points)
    #expect(points.latitudes == [46, 46.1, 47.3])
    #expect(points.value(.magneticVariation, at: 0) == 357.5)
    #expect(reader.warnings.map(\.code) == [.otherReceiver] && reader.warnings[0].count == 4)
  }

  @Test("Satellites, corrections and heights are read, also with spaces")
  func details() throws {
    let log = """
      {"class": "SKY", "hdop": 0.9, "vdop": 1.3, "pdop": 1.6, "uSat": 9, "nSat": 14}
      {"class": "TPV", "mode": 3, "status": 2, "time": "2024-05-01T12:00:00Z", "lat": 47, "lon": 8, "altHAE": 150, \
      "alt": 102, "geoidSep": 48.5, "epv": 1.96, "dgpsAge": 1.5, "dgpsSta": 120, "depth": 3, "temp": 20, "wtemp": 12}
      {"class": "TPV", "mode": 3, "lat": 47, "lon": 8, "altHAE": 150, "alt": 102}
      """
    var input = ByteInput(bytes: Array(log.utf8))
    #expect(try FormatRegistry.standard.detect(&input).name == "gpsd")
    let points = try #require(Self.document(log).tracks.first?.segments.first?.points)
    let expected: [Channel: Double] = [
      .elevation: 101.5, .verticalAccuracy: 1, .differentialAge: 1.5, .depth: 3, .temperature: 20,
      .waterTemperature: 12, .hdop: 0.9, .vdop: 1.3, .pdop: 1.6, .satellites: 9,
    ]
    for (channel, value) in expected { #expect(points.value(channel, at: 0) == value, "\(channel)") }
    let details = points.details.first?.details
    #expect(details?.fix == "dgps" && details?.differentialStation == 120)
    #expect(points.value(.elevation, at: 1) == 102)
  }

  @Test("The satellites of another receiver are not those of a point")
  func otherSatellites() throws {
    let log = """
      {"class":"SKY","device":"/dev/b","hdop":2.5,"uSat":4}
      {"class":"TPV","device":"/dev/a","mode":3,"time":"2024-05-01T12:00:00Z","lat":47,"lon":8}
      {"class":"SKY","device":"/dev/a","hdop":0.9,"uSat":9}
      {"class":"TPV","device":"/dev/a","mode":3,"time":"2024-05-01T12:00:01Z","lat":47.1,"lon":8}
      """
    let points = try #require(Self.document(log).tracks.first?.segments.first?.points)
    #expect(points.value(.hdop, at: 0) == nil && points.value(.satellites, at: 0) == nil)
    #expect(points.value(.hdop, at: 1) == 0.9 && points.value(.satellites, at: 1) == 9)
  }

  @Test("A line of more than 64 KiB is an error", arguments: [66_000, 100_000, 1_000_000])
  func longLine(size: Int) throws {
    let log = Self.log + #"{"class":"SKY","x":""# + String(repeating: "a", count: size) + "\"}\n"
    expectError(.limitExceeded) { try Self.document(log) }
  }

  private static func batch(_ points: PointColumns) -> PointBatch {
    var batch = PointBatch()
    _ = batch.append(points, from: 0)
    return batch
  }

  @Test("A gpsd log is detected, and line-delimited GeoJSON is not detected as one")
  func detection() throws {
    var log = ByteInput(bytes: Array(Self.log.utf8))
    #expect(try FormatRegistry.standard.detect(&log) == .gpsd)
    var features = ByteInput(
      bytes: Array(#"{"type":"Feature","geometry":null,"properties":{}}"#.utf8))
    #expect(try FormatRegistry.standard.detect(&features) != .gpsd)
  }

  @Test("The output of gpspipe -r, NMEA after gpsd's greeting, is NMEA; with reports it is a gpsd log")
  func sentencesBehindGreeting() throws {
    let greeting = Self.log.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
    let sentence = NMEASample.log("GPRMC,101112,A,4730.0000,N,00830.0000,E,,,010524,,,A")
    var sentences = ByteInput(bytes: Array((greeting + sentence).utf8))
    #expect(try FormatRegistry.standard.detect(&sentences) == .nmea)
    var both = ByteInput(bytes: Array((greeting + sentence + Self.log).utf8))
    #expect(try FormatRegistry.standard.detect(&both) == .gpsd)
    var neither = ByteInput(bytes: Array(greeting.utf8))
    #expect(try FormatRegistry.standard.detect(&neither) == .gpsd)
  }

  @Test("Detecting the format of a live input reads no more than necessary")
  func liveDetection() throws {
    let greeting = Self.log.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
    let sentence = NMEASample.log("GPRMC,101112,A,4730.0000,N,00830.0000,E,,,010524,,,A")
    for (text, format) in [(greeting + sentence, TrackFormat.nmea), (Self.log, .gpsd)] {
      let needed = format == .nmea ? text.utf8.count : Array(Self.log.utf8).count
      var input = ByteInput(bytes: Array(text.utf8) + [UInt8](repeating: 0x20, count: 60_000), chunk: 50)
      #expect(try FormatRegistry.standard.detectLive(&input) == format)
      #expect(input.available.count <= needed + 50)
    }
    // Other content is detected as in files.
    var other = ByteInput(bytes: Array("<gpx/>".utf8))
    #expect(try FormatRegistry.standard.detectLive(&other) == .gpx)
  }

  @Test("A report with a negative error has no fix", arguments: ["eph", "epx", "epy"])
  func negativeError(name: String) throws {
    let text =
      #"{"class":"TPV","mode":3,"time":"2024-05-01T12:00:03Z","lat":46.6,"lon":7.6,""# + name + #"":-1}"#
      + "\n"
    let points = try #require(try Self.document(text).tracks.first?.segments.first?.points)
    #expect(points.details.first?.details.fix == "none")
    #expect(LocationFix(Self.batch(points), row: 0)?.horizontalAccuracy == -1)
  }

  @Test("A report with a position out of range is skipped and counted")
  func invalidPosition() throws {
    let report = { (latitude: Double, longitude: Double) in
      "{\"class\":\"TPV\",\"mode\":3,\"lat\":\(latitude),\"lon\":\(longitude)}\n"
    }
    let text = report(46, 7) + report(91, 7) + report(46, 999) + report(47, 7)
    var reader = GPSDReader(ByteInput(bytes: Array(text.utf8)))
    let document = try TrackDocument(reading: &reader)
    #expect(document.tracks.first?.segments.first?.points.latitudes == [46, 47])
    #expect(reader.warnings.map(\.code) == [.invalidPosition])
    #expect(reader.warnings.map(\.count) == [2])
    #expect(reader.warnings.first?.place.line == 2)
  }

  @Test("A cut-off line is skipped and counted, or an error if reading is strict")
  func cutLine() throws {
    let lines = Self.log.split(separator: "\n")
    let text = lines[0] + "\n{\"class\":\"TPV\",\"mode\":3,\"lat\":46\n" + lines[3] + "\n"
    var reader = GPSDReader(ByteInput(bytes: Array(text.utf8)))
    let document = try TrackDocument(reading: &reader)
    #expect(document.tracks.first?.segments.first?.points.count == 1)
    #expect(reader.warnings.map(\.count) == [1])
    #expect(reader.warnings.first?.place.line == 2)
    var strict = GPSDReader(
      ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(isStrict: true))
    #expect(throws: TrackError.self) { try TrackDocument(reading: &strict) }
  }

  @Test("Text without a report is not a gpsd log", arguments: ["", "\n\n", "$GPRMC,1\n", "[1]\n"])
  func foreign(text: String) {
    expectError(.malformed) { try Self.document(text) }
  }

  @Test("A log cut off at any byte has the points before the cut")
  func truncated() throws {
    let bytes = Array(Self.log.utf8)
    var counts: [Int] = []
    for length in stride(from: 90, through: bytes.count, by: 3) {
      var reader = GPSDReader(ByteInput(bytes: Array(bytes.prefix(length))))
      let document = try TrackDocument(reading: &reader)
      counts.append(document.tracks.first?.segments.first?.points.count ?? 0)
    }
    #expect(counts == counts.sorted())
    #expect(counts.last == 3)
  }
}
