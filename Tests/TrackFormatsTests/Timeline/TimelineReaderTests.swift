import Foundation
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Google Timeline reader")
struct TimelineReaderTests {
  /// Set `UPDATE_GOLDEN=1` to update the golden transcripts; review the difference before committing.
  private static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  static let fixtures = Fixture.files(
    in: Fixture.packageRoot.appending(path: "Fixtures/timeline"), ending: ".json")

  private static func transcript(
    _ bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false,
    timeline: TimelineOptions = TimelineOptions()
  ) -> Transcript {
    var reader = TimelineReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict), timeline: timeline)
    return Transcript(reading: &reader, capacity: capacity)
  }

  private static func transcript(_ text: String, timeline: TimelineOptions = TimelineOptions()) -> Transcript
  {
    transcript(Array(text.utf8), timeline: timeline)
  }

  private static func fixture(_ name: String) throws -> [UInt8] {
    try #require(fixtures.first { $0.path.hasSuffix("/" + name) }).bytes()
  }

  private static func document(
    _ name: String, _ timeline: TimelineOptions = TimelineOptions()
  ) throws -> TrackDocument {
    var reader = TimelineReader(ByteInput(bytes: try fixture(name)), timeline: timeline)
    return try TrackDocument(reading: &reader)
  }

  @Test("Timeline fixtures exist")
  func fixturesExist() { #expect(Self.fixtures.count >= 4) }

  @Test("A fixture matches its golden transcript in chunks of any size", arguments: fixtures)
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let transcript = Self.transcript(bytes)
    #expect(transcript.violations == [])
    let events = fixture.sibling("events")
    if Self.updates { try Data(transcript.text.utf8).write(to: events) }
    #expect(transcript.text == String(decoding: try Data(contentsOf: events), as: UTF8.self))
    for options in [TimelineOptions(), .driving] {
      Transcript.expectInvariance(bytes.count) { chunk, capacity in
        Self.transcript(bytes, chunk: chunk, capacity: capacity, timeline: options)
      }
    }
  }

  @Test("A fixture is detected by its content", arguments: fixtures)
  func recognition(_ fixture: Fixture) throws {
    var input = ByteInput(bytes: try fixture.bytes())
    let json = JSONOpening(try fixture.bytes())
    #expect(json.isTimeline && !json.isGeoJSON)
    _ = try input.fill()
  }

  // MARK: Records

  @Test("Records become one track with the measured values")
  func records() throws {
    let document = try Self.document("records.json")
    let points = try #require(document.tracks.first?.segments.first?.points)
    #expect(document.tracks.count == 1 && document.waypoints.isEmpty)
    // The last one exceeds the range by 2^32: 4261412864 − 4294967296 = −33554432, 3578967296 − 4294967296
    // = −716000000.
    #expect(points.latitudes == [46.948, 46.9485, 46.949, 46.9493, -3.3554432])
    #expect(points.longitudes == [7.4474, 7.449, 7.451, 7.4532, -71.6])
    #expect(points.time(at: 1)?.description == "2019-03-01T06:00:30.500Z")
    #expect(points.time(at: 2)?.description == "2019-03-01T06:01:00Z")
    #expect(points.value(.horizontalAccuracy, at: 1) == 5 && points.value(.elevation, at: 1) == 541)
    #expect(points.value(.speed, at: 1) == 12 && points.value(.course, at: 1) == 90)
    #expect(points.value(.verticalAccuracy, at: 1) == 3 && points.value(.speed, at: 0) == nil)
  }

  @Test("The locations of Polarsteps are in degrees")
  func degrees() throws {
    let text = #"{"locations":[{"lat":52.52,"lon":13.405,"time":1560000000.123},{"lat":-8.1,"lng":-71.6}]}"#
    var reader = TimelineReader(ByteInput(bytes: Array(text.utf8)), timeline: TimelineOptions())
    let document = try TrackDocument(reading: &reader)
    let points = try #require(document.tracks.first?.segments.first?.points)
    #expect(points.latitudes == [52.52, -8.1] && points.longitudes == [13.405, -71.6])
    #expect(points.time(at: 0)?.description == "2019-06-08T13:20:00.123Z")
    #expect(reader.warnings.isEmpty)
  }

  @Test("The driving filter keeps only records in a vehicle")
  func drivingRecords() throws {
    let document = try Self.document("records.json", .driving)
    #expect(document.tracks.map(\.info.type) == ["IN_VEHICLE"])
    #expect(document.tracks.first?.segments.first?.points.latitudes == [46.9485, 46.949])
  }

  @Test("Each consecutive part in a vehicle becomes a track")
  func stretches() {
    func record(_ latitude: Int, _ type: String?) -> String {
      let activity =
        type.map { ",\"activity\":[{\"activity\":[{\"type\":\"\($0)\",\"confidence\":90}]}]" } ?? ""
      return "{\"latitudeE7\":\(latitude)0000000,\"longitudeE7\":10000000\(activity)}"
    }
    let records = [
      record(1, nil), record(2, "IN_VEHICLE"), record(3, nil), record(4, "STILL"), record(5, nil),
      record(6, "IN_VEHICLE"), record(7, "IN_ROAD_VEHICLE"), record(8, "ON_FOOT"), "{\"timestamp\":\"x\"}",
    ]
    let text = "{\"locations\":[\(records.joined(separator: ","))]}"
    let transcript = Self.transcript(text, timeline: .driving)
    #expect(
      transcript.lines == [
        "header", "track", "  type \"IN_VEHICLE\"", "segment", "point 2 1", "point 3 1", "end of segment",
        "end of track", "track", "  type \"IN_VEHICLE\"", "segment", "point 6 1", "end of segment",
        "end of track",
        "track", "  type \"IN_ROAD_VEHICLE\"", "segment", "point 7 1", "end of segment", "end of track",
      ])
    #expect(
      Self.transcript("{\"locations\":[]}").lines == [
        "header", "track", "segment", "end of segment", "end of track",
      ])
    #expect(Self.transcript("{\"locations\":[]}", timeline: .driving).lines == ["header"])
  }

  @Test("Shared ends of activities and paths do not make tracks of one point")
  func sharedEnds() {
    func point(_ place: String, _ time: String) -> String {
      "{\"point\":\"\(place)\",\"time\":\"2024-06-15T\(time)Z\"}"
    }
    let path = [
      point("46.1°, 7.1°", "08:00:00"), point("46.2°, 7.2°", "08:10:00"), point("46.3°, 7.3°", "08:20:00"),
      point("46.4°, 7.4°", "08:30:00"), point("46.5°, 7.5°", "08:40:00"), point("46.6°, 7.6°", "09:00:00"),
    ].joined(separator: ",")
    func activity(_ start: String, _ end: String, _ from: String, _ to: String) -> String {
      """
      {"startTime":"2024-06-15T\(start)Z","endTime":"2024-06-15T\(end)Z","activity":{
      "start":{"latLng":"\(from)"},"end":{"latLng":"\(to)"},"topCandidate":{"type":"IN_BUS"}}}
      """
    }
    // The second activity starts at the end of the first, and the path has a point at each of these ends.
    let text = """
      {"semanticSegments":[{"startTime":"2024-06-15T08:00:00Z","endTime":"2024-06-15T10:00:00Z","timelinePath":[\(path)]},
      \(activity("08:00:00", "08:20:00", "46.1°, 7.1°", "46.3°, 7.3°")),
      \(activity("08:20:00", "08:40:00", "46.3°, 7.3°", "46.5°, 7.5°"))]}
      """
    let transcript = Self.transcript(text)
    #expect(
      transcript.points == [
        "point 46.1 7.1 2024-06-15T08:00:00Z", "point 46.2 7.2 2024-06-15T08:10:00Z",
        "point 46.3 7.3 2024-06-15T08:20:00Z", "point 46.3 7.3 2024-06-15T08:20:00Z",
        "point 46.4 7.4 2024-06-15T08:30:00Z", "point 46.5 7.5 2024-06-15T08:40:00Z",
        // A single point outside activities becomes a waypoint.
        "waypoint 46.6 7.6 2024-06-15T09:00:00Z",
      ])
    #expect(transcript.lines.count { $0 == "track" } == 2)
  }

  // MARK: Semantic history

  @Test("An activity becomes a track from its start to its end, with the points that have times")
  func activity() throws {
    let document = try Self.document("history.json")
    #expect(document.tracks.map(\.info.type) == ["IN_PASSENGER_VEHICLE", "WALKING"])
    let points = try #require(document.tracks.first?.segments.first?.points)
    #expect(points.latitudes == [46.948, 46.9485, 46.949, 46.9493])
    #expect(points.time(at: 0)?.description == "2022-03-01T06:00:07.123Z")
    #expect(points.time(at: 3)?.description == "2022-03-01T06:09:30Z")
    #expect(document.tracks.first?.info.resolution == nil)
  }

  @Test("Raw points at the times of an activity's ends do not duplicate these")
  func rawPointsAtEnds() {
    func point(_ latitude: Int, _ second: Int) -> String {
      "{\"latE7\":\(latitude),\"lngE7\":74000000,\"timestamp\":\"2022-03-01T06:00:0\(second)Z\"}"
    }
    let transcript = Self.transcript(
      """
      {"timelineObjects":[{"activitySegment":{"startLocation":{"latitudeE7":469000000,"longitudeE7":74000000},
      "endLocation":{"latitudeE7":469020000,"longitudeE7":74000000},
      "duration":{"startTimestamp":"2022-03-01T06:00:00Z","endTimestamp":"2022-03-01T06:00:02Z"},
      "activityType":"IN_PASSENGER_VEHICLE","simplifiedRawPath":{"points":[
      \(point(469_000_100, 0)),\(point(469_010_000, 1)),\(point(469_020_100, 2))]}}}]}
      """)
    #expect(
      transcript.points == [
        "point 46.9 7.4 2022-03-01T06:00:00Z", "point 46.901 7.4 2022-03-01T06:00:01Z",
        "point 46.902 7.4 2022-03-01T06:00:02Z",
      ])
  }

  private static func activity(_ members: String) -> String {
    """
    {"timelineObjects":[{"activitySegment":{"startLocation":{"latitudeE7":460000000,"longitudeE7":70000000},
    "endLocation":{"latitudeE7":460200000,"longitudeE7":70000000},
    "duration":{"startTimestamp":"2022-03-01T06:00:00Z","endTimestamp":"2022-03-01T06:20:00Z"},
    "activityType":"IN_BUS",\(members)}}]}
    """
  }

  private static let stops = """
    "transitPath":{"transitStops":[{"latitudeE7":460000000,"longitudeE7":70000000,"name":"A"},
    {"latitudeE7":460100000,"longitudeE7":70500000,"name":"B"},
    {"latitudeE7":460200000,"longitudeE7":70000000,"name":"C"}],"name":"Bus 5",
    "stopTimesInfo":[{"scheduledDepartureTimestamp":"2022-03-01T06:00:00Z"},{},{}]}
    """

  private static func read(
    _ text: String, _ timeline: TimelineOptions = TimelineOptions()
  ) -> (transcript: Transcript, unsupportedContent: LossReport) {
    var reader = TimelineReader(ByteInput(bytes: Array(text.utf8)), timeline: timeline)
    let transcript = Transcript(reading: &reader)
    return (transcript, reader.unsupportedContent)
  }

  @Test("Transit stops become points, with the ends only once; their times are not read")
  func transit() {
    let (transcript, unsupportedContent) = Self.read(Self.activity(Self.stops))
    let starts = transcript.points.map { $0.prefix(14) }
    #expect(starts == ["point 46 7", "point 46.01 7.", "point 46.02 7"])
    #expect(transcript.lines.contains("  name \"B\""))
    #expect(unsupportedContent.text == "3 times of stops")
  }

  @Test(
    "Of several paths the one with times is used, with its accuracies; the others are reported as unread")
  func severalPaths() {
    let (transcript, unsupportedContent) = Self.read(
      Self.activity(
        """
        "waypointPath":{"waypoints":[{"latE7":460050000,"lngE7":70000000},{"latE7":460060000,"lngE7":70000000}]},
        "parkingEvent":{"location":{"latitudeE7":1,"longitudeE7":2}},\(Self.stops),
        "simplifiedRawPath":{"points":[
        {"latE7":460150000,"lngE7":70000000,"accuracyMeters":12,"timestamp":"2022-03-01T06:10:05Z"}]}
        """))
    #expect(
      transcript.points == [
        "point 46 7 2022-03-01T06:00:00Z", "point 46.015 7 2022-03-01T06:10:05Z horizontalAccuracy 12",
        "point 46.02 7 2022-03-01T06:20:00Z",
      ])
    // Two waypoints, and the one stop that is not an end.
    #expect(
      Set(unsupportedContent.losses.map { "\($0.count) \($0.what)" }) == [
        "1 places of parking", "3 times of stops", "3 points of further paths of an activity",
      ])
    // Skipped by the filter, so nothing is lost.
    #expect(Self.read(Self.activity("\"parkingEvent\":{\"x\":1}"), .driving).unsupportedContent.isEmpty)
  }

  @Test("Nested visits and points of visits are counted as unread")
  func visitsInVisits() {
    let (transcript, unsupportedContent) = Self.read(
      """
      {"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":460000000,"longitudeE7":70000000},
      "childVisits":[{"location":{}},{"location":{}}],
      "simplifiedRawPath":{"points":[{"latE7":460000000,"lngE7":70000000}]}}}]}
      """)
    let waypoints = transcript.lines.filter { $0.hasPrefix("waypoint") }
    #expect(waypoints == ["waypoint 46 7"])
    #expect(unsupportedContent.text == "2 visits inside of visits, 1 point of visits")
  }

  @Test("A path without times sets the time span of the track, but no times of points")
  func untimedPath() throws {
    let track = try #require(try Self.document("history.json").tracks.last)
    let points = try #require(track.segments.first?.points)
    #expect(points.times.allSatisfy { $0 == Instant.absent } && points.count == 2)
    #expect(
      track.info.timeSpan
        == TimeSpan(
          begin: Instant(microseconds: 1_646_152_200_000_000),
          end: Instant(microseconds: 1_646_153_400_000_000)))
  }

  @Test("A visit becomes a waypoint, unless only driving is requested")
  func visit() throws {
    let waypoint = try #require(try Self.document("history.json").waypoints.first)
    #expect(waypoint.coordinate == Coordinate(latitude: 46.9493, longitude: 7.4532))
    #expect(waypoint.details.name == "Bundeshaus")
    #expect(waypoint.details.description == "Bundesplatz 3\nBern")
    #expect(waypoint.details.comment == "until 2022-03-01T16:30:00Z")
    #expect(waypoint.time?.description == "2022-03-01T06:09:30Z")
    let driving = try Self.document("history.json", .driving)
    #expect(driving.waypoints.isEmpty && driving.tracks.count == 1)
  }

  // MARK: Phones

  @Test(
    "Path points are added to the activity that contains them",
    arguments: ["android.json", "iphone.json"])
  func assembly(_ name: String) throws {
    let document = try Self.document(name)
    let drive = try #require(document.tracks.first)
    #expect(drive.info.type?.lowercased().replacing("_", with: " ") == "in passenger vehicle")
    let points = try #require(drive.segments.first?.points)
    #expect(points.latitudes == [46.948, 46.9485, 46.949, 46.9493])
    let offset = name == "iphone.json" ? "T10" : "T08"
    let times = (0..<4).map { points.time(at: $0)?.description.dropFirst(10) ?? "" }
    let expected: [Substring] = [
      "\(offset):10:07Z", "\(offset):14:00Z", "\(offset):20:00Z", "\(offset):30:00Z",
    ]
    #expect(times == expected)
    // The times of path points are rounded to minutes.
    #expect(drive.info.resolution == Resolution(time: 60))
    let driving = try Self.document(name, .driving)
    #expect(driving.tracks.first == drive)
    #expect(driving.waypoints.isEmpty)
  }

  @Test("Raw positions become a separate track, which is kept as driving if the phone reports it")
  func rawSignals() throws {
    let raw = try #require(try Self.document("android.json").tracks.last?.segments.first?.points)
    #expect(raw.latitudes == [46.948, 46.9481])
    #expect(raw.value(.horizontalAccuracy, at: 0) == 13 && raw.value(.elevation, at: 0) == 540.5)
    let driving = try Self.document("android.json", .driving)
    #expect(driving.tracks.map(\.info.type) == ["IN_PASSENGER_VEHICLE", "IN_VEHICLE"])
    #expect(driving.tracks.last?.segments.first?.points.latitudes == [46.9481])
  }

  @Test("The raw positions of Timeline Edits become a track; accuracies are in millimetres")
  func timelineEdits() throws {
    let json = """
      {"timelineEdits": [
        {"deviceId": "1", "rawSignal": {"signal": {"position": {
          "point": {"latE7": 469480000, "lngE7": 74470000}, "accuracyMm": 13500, "altitudeMeters": 540.5,
          "source": "GPS", "timestamp": "2024-05-17T06:12:30Z", "speedMetersPerSecond": 12}},
          "additionalTimestamp": "2024-05-17T06:12:31Z", "metadata": {"platform": "ANDROID"}}},
        {"deviceId": "1", "placeAggregates": {"placeAggregateInfo": []}},
        {"deviceId": "1", "rawSignal": {"signal": {"position": {
          "point": {"latE7": 469481000, "lngE7": 74471000}, "accuracyMm": 900,
          "timestamp": "2024-05-17T06:12:40Z"}}}}]}
      """
    var input = ByteInput(bytes: Array(json.utf8))
    #expect(try FormatRegistry.standard.detect(&input) == .timeline)
    var reader = TimelineReader(input)
    let document = try TrackDocument(reading: &reader)
    let points = try #require(document.tracks.first?.segments.first?.points)
    #expect(document.tracks.count == 1 && points.latitudes == [46.948, 46.9481])
    #expect(points.value(.horizontalAccuracy, at: 0) == 13.5 && points.value(.elevation, at: 0) == 540.5)
    #expect(points.value(.horizontalAccuracy, at: 1) == 0.9)
  }

  @Test(
    "Positions are read in every form",
    arguments: [
      ("48.8566°, 2.3522°", 48.8566, 2.3522), ("48.8566, 2.3522", 48.8566, 2.3522),
      ("geo:-27.720022,-97.347951", -27.720022, -97.347951), ("geo:0,0", 0, 0), ("-0.5°,-.25°", -0.5, -0.25),
    ])
  func positions(_ text: String, _ latitude: Double, _ longitude: Double) {
    #expect(
      TimelinePlace.parse(Array(text.utf8).span) == Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(
    "Invalid positions are nil", arguments: ["", "geo:", "48.8", "91, 0", "0, 181", "a, b", "48.8566°"])
  func noPositions(_ text: String) { #expect(TimelinePlace.parse(Array(text.utf8).span) == nil) }

  // MARK: Options

  @Test("Activity types are compared regardless of case and separators")
  func options() {
    #expect(TimelineOptions.driving.keeps("in passenger vehicle"))
    #expect(TimelineOptions.driving.keeps("MOTORCYCLING") && TimelineOptions.driving.keeps("DRIVING"))
    for other in ["WALKING", "IN_BUS", "IN_TRAIN", "CYCLING", "", nil] {
      #expect(!TimelineOptions.driving.keeps(other))
    }
    #expect(TimelineOptions().keeps(nil))
    var own = TimelineOptions()
    own.activityTypes = ["in train"]
    #expect(own.keeps("IN_TRAIN") && !own.keeps("IN_VEHICLE"))
    #expect(TimelineOptions(kind: .driving) == .driving)
  }

  // MARK: Faults

  @Test("A file cut off anywhere keeps its complete part or is reported as cut off", arguments: fixtures)
  func truncation(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let whole = Self.transcript(bytes)
    for count in stride(from: 0, to: bytes.count - 1, by: 3) {
      let part = Array(bytes[..<count])
      let cut = Self.transcript(part)
      #expect(cut.violations == [])
      if let error = cut.error {
        #expect(error.code == .truncated && cut.points.isEmpty, "cut at \(count): \(error)")
      } else {
        #expect(cut.warnings.contains { $0.code == .truncated }, "cut at \(count)")
        #expect(cut.points.count <= whole.points.count)
      }
      #expect(Self.transcript(part, chunk: 7, capacity: 1).text == cut.text, "cut at \(count)")
      #expect(Self.transcript(part, isStrict: true).error != nil)
    }
  }

  @Test("A record without a valid position is skipped with a warning and its location")
  func flaws() throws {
    let text =
      "{\"locations\":[\n{\"latitudeE7\":10000000,\"longitudeE7\":20000000},\n{\"latitudeE7\":-950000000,\"longitudeE7\":0},7]}"
    let transcript = Self.transcript(text)
    #expect(transcript.points == ["point 1 2"])
    #expect(transcript.warnings.map(\.code) == [.invalidPosition, .invalidValue])
    #expect(transcript.warnings.first?.place.line == 3)
    #expect(transcript.warnings.first?.place.path == "locations[1]")
  }

  @Test("Points of paths without a position are counted")
  func pathFlaws() {
    let history = """
      {"timelineObjects":[{"activitySegment":{"duration":{"startTimestamp":"2024-05-17T08:00:00Z",
      "endTimestamp":"2024-05-17T09:00:00Z"},"simplifiedRawPath":{"points":[
      {"latE7":460000000,"lngE7":70000000,"timestamp":"2024-05-17T08:10:00Z"},{"lngE7":70000000},7]}}}]}
      """
    let phone = """
      {"semanticSegments":[{"startTime":"2024-05-17T08:00:00Z","endTime":"2024-05-17T10:00:00Z","timelinePath":[
      {"point":"46.0°, 7.0°","time":"2024-05-17T08:10:00Z"},{"time":"2024-05-17T08:11:00Z"},7]}]}
      """
    for text in [history, phone] {
      let transcript = Self.transcript(text)
      #expect(transcript.warnings.map(\.code) == [.invalidPosition, .invalidValue])
      #expect(transcript.warnings.map(\.count) == [1, 1])
    }
  }

  @Test("A point belongs to one activity, so that the output is not larger than the input")
  func overlappingActivities() {
    let points = (10..<60).map { minute in
      "{\"point\":\"46.\(minute)°, 7.0°\",\"time\":\"2024-05-17T08:\(minute):00Z\"}"
    }
    let path = points.joined(separator: ",")
    let activity = """
      {"startTime":"2024-05-17T08:00:00Z","endTime":"2024-05-17T09:00:00Z","activity":{
      "start":{"latLng":"46.0°, 7.0°"},"end":{"latLng":"46.9°, 7.0°"},"topCandidate":{"type":"WALKING"}}}
      """
    let activities = Array(repeating: activity, count: 40).joined(separator: ",")
    let transcript = Self.transcript(
      "{\"semanticSegments\":[{\"startTime\":\"2024-05-17T08:00:00Z\",\"timelinePath\":[\(path)]},\(activities)]}"
    )
    // Each of 40 activities has its two ends.
    #expect(transcript.points.count == 50 + 2 * 40)
    #expect(transcript.warnings == [])
  }

  @Test("Invalid JSON is an error after the content before it")
  func fault() {
    let transcript = Self.transcript("{\"locations\":[{\"latitudeE7\":10000000,\"longitudeE7\":20000000},{]}")
    #expect(transcript.points == ["point 1 2"])
    #expect(transcript.error?.code == .malformed)
    #expect(transcript.error?.place.path == "locations[1]")
  }
}
