import Foundation
import Testing
import TrackFormats
import TrackModel

/// Tests the structure of the output and the counted losses.
@Suite("TCX writer")
struct TCXWriterTests {
  private static func instant(_ second: Int64) -> Instant {
    // 2024-05-01T10:00:00Z
    Instant(microseconds: 1_714_557_600_000_000 + second * 1_000_000)
  }

  /// Returns a segment with points at these seconds, each a thousandth of a degree north of the previous
  /// one.
  private static func segment(_ seconds: Int64...) -> TrackDocument.Segment { segment(seconds) }

  private static func segment(_ seconds: [Int64]) -> TrackDocument.Segment {
    var points = PointColumns()
    for second in seconds {
      points.append(
        Coordinate(latitude: 47 + Double(second) / 1000, longitude: 8), time: instant(second))
    }
    return TrackDocument.Segment(points: points)
  }

  private static func document(_ info: TrackInfo, _ segments: TrackDocument.Segment...) -> TrackDocument {
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(info: info, segments: segments)]
    return document
  }

  private static func text(_ document: TrackDocument) throws -> (text: String, losses: String) {
    let (bytes, losses) = try Conversion.tcx(document)
    return (String(decoding: bytes, as: UTF8.self), losses.text)
  }

  @Test("A track is an activity with one lap, whose figures are computed from its points")
  func activity() throws {
    let (text, losses) = try TCXWriterTests.text(
      TCXWriterTests.document(
        TrackInfo(), TCXWriterTests.segment(0, 10), TCXWriterTests.segment(60, 61)))
    #expect(losses == "")
    // A thousandth of a degree is 111.195 m on a sphere of 6371008.8 m; 11 of them are 1223.146 m.
    let metres = try #require(text.firstMatch(of: /<DistanceMeters>([0-9.]+)<\/DistanceMeters>/)?.1)
    #expect(abs(try #require(Double(metres)) - 1223.146) < 0.001)
    #expect(
      text.replacing(metres, with: "X") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <TrainingCenterDatabase xmlns="\(TCXSample.namespace)" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ns3="\(TCXSample.extensions)" \
        xsi:schemaLocation="\(TCXSample.namespace) http://www.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd">
         <Activities>
          <Activity Sport="Other">
           <Id>2024-05-01T10:00:00Z</Id>
           <Lap StartTime="2024-05-01T10:00:00Z">
            <TotalTimeSeconds>11</TotalTimeSeconds><DistanceMeters>X</DistanceMeters><Calories>0</Calories>\
        <Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>
            <Track>
             <Trackpoint><Time>2024-05-01T10:00:00Z</Time><Position><LatitudeDegrees>47</LatitudeDegrees>\
        <LongitudeDegrees>8</LongitudeDegrees></Position></Trackpoint>
             <Trackpoint><Time>2024-05-01T10:00:10Z</Time><Position><LatitudeDegrees>47.01</LatitudeDegrees>\
        <LongitudeDegrees>8</LongitudeDegrees></Position></Trackpoint>
            </Track>
            <Track>
             <Trackpoint><Time>2024-05-01T10:01:00Z</Time><Position><LatitudeDegrees>47.06</LatitudeDegrees>\
        <LongitudeDegrees>8</LongitudeDegrees></Position></Trackpoint>
             <Trackpoint><Time>2024-05-01T10:01:01Z</Time><Position><LatitudeDegrees>47.061</LatitudeDegrees>\
        <LongitudeDegrees>8</LongitudeDegrees></Position></Trackpoint>
            </Track>
           </Lap>
          </Activity>
         </Activities>
        </TrainingCenterDatabase>

        """)
  }

  @Test("Channels are written where the schema has them; values out of range are lost, fractions are rounded")
  func channels() throws {
    var points = PointColumns()
    points.append(
      Coordinate(latitude: 1, longitude: 180), time: TCXWriterTests.instant(0),
      values: [
        .elevation: -3.5, .distance: 12.25, .heartRate: 120, .cadence: 90, .speed: 3.25, .power: 200,
        .course: 5,
      ])
    points.append(
      Coordinate(latitude: 1, longitude: 2), time: TCXWriterTests.instant(1),
      values: [.heartRate: 256, .cadence: 255, .power: 65_536, .course: 6, .temperature: 20])
    points.append(
      Coordinate(latitude: 1, longitude: 2), time: TCXWriterTests.instant(2),
      values: [.heartRate: 0, .cadence: 80.5])
    for sport in ["Biking", "Running"] {
      var info = TrackInfo()
      info.type = sport
      let (text, losses) = try TCXWriterTests.text(
        TCXWriterTests.document(info, TrackDocument.Segment(points: points)))
      let isRun = sport == "Running"
      let cadence = isRun ? "" : "<Cadence>90</Cadence>"
      let runCadence = isRun ? "<ns3:RunCadence>90</ns3:RunCadence>" : ""
      let point = """
        <LongitudeDegrees>-180</LongitudeDegrees></Position><AltitudeMeters>-3.5</AltitudeMeters>\
        <DistanceMeters>12.25</DistanceMeters><HeartRateBpm><Value>120</Value></HeartRateBpm>\(cadence)\
        <Extensions><ns3:TPX><ns3:Speed>3.25</ns3:Speed>\(runCadence)<ns3:Watts>200</ns3:Watts></ns3:TPX>\
        </Extensions></Trackpoint>
        """
      #expect(text.contains(point))
      #expect(
        losses == "2 heart rates out of range, 1 cadence out of range, 1 power out of range, "
          + "1 fractional cadence (rounded), 2 courses, 1 temperature")
    }
  }

  @Test("Points and segments without a time are lost if others have one, and are counted")
  func timeless() throws {
    var mixed = TCXWriterTests.segment(5).points
    mixed.append(Coordinate(latitude: 1, longitude: 1), values: [.temperature: 3])
    var timeless = PointColumns()
    timeless.append(Coordinate(latitude: 1, longitude: 1))
    var document = TCXWriterTests.document(
      TrackInfo(), TrackDocument.Segment(points: mixed), TrackDocument.Segment(points: timeless),
      TrackDocument.Segment())
    document.tracks.append(
      TrackDocument.Track(
        info: TrackInfo(name: "empty"), segments: [TrackDocument.Segment()]))
    let (bytes, losses) = try Conversion.tcx(document)
    #expect(
      losses.text == "3 segments without a point that has a time, 1 track without a time, "
        + "2 trackpoints without a time")
    let read = try Conversion.tcxDocument(bytes)
    #expect(read.tracks.map { $0.segments.map(\.points.count) } == [[1]])
  }

  @Test(
    "A track or route without any time is a course at 10 km/h, from the track's start if it is known"
  )
  func madeUpTimes() throws {
    var points = PointColumns()
    for row in 0..<3 { points.append(Coordinate(latitude: 1 + Double(row) / 10, longitude: 2)) }
    var document = TCXWriterTests.document(
      TrackInfo(name: "Planned"), TrackDocument.Segment(points: points))
    document.tracks[0].info.timeSpan = TimeSpan(begin: TCXWriterTests.instant(7))
    document.routes = [TrackDocument.Route(info: TrackInfo(name: "Route"), points: points)]
    let (bytes, losses) = try Conversion.tcx(document)
    #expect(
      Set(losses.losses.map { "\($0.count) \($0.what)" }) == [
        "1 routes (written as courses)", "1 tracks without a time (written as courses)",
        "6 times of course points (estimated at 10 km/h, because devices require them)",
      ])
    let read = try Conversion.tcxDocument(bytes)
    #expect(read.tracks.map(\.info.name) == ["Route", "Planned"])
    #expect(read.tracks.map(\.info.type) == ["Course", "Course"])
    // A tenth of a degree is 6,371,008.8 m · π / 1800 = 11,119.51 m, for which 10 km/h needs 4,003.02 s.
    let begin = TCXWriterTests.instant(7).microseconds
    #expect(
      read.tracks.last?.segments.first?.points.times.map { $0 - begin } == [0, 4_003_000_000, 8_006_000_000])
    // A billion seconds after the last second of 1989-12-30.
    #expect(
      read.tracks.first?.segments.first?.points.times.first
        == ISO8601.read(Array("2021-09-08T01:46:40Z".utf8).span)?.instant.microseconds)
  }

  @Test("Points before the first time have none")
  func lateTimes() throws {
    var points = PointColumns()
    for row in 0..<10_000 { points.append(Coordinate(latitude: Double(row) / 1000, longitude: 2)) }
    points.append(Coordinate(latitude: 20, longitude: 2), time: TCXWriterTests.instant(1))
    points.append(Coordinate(latitude: 21, longitude: 2), time: TCXWriterTests.instant(2))
    let (bytes, losses) = try Conversion.tcx(
      TCXWriterTests.document(TrackInfo(), TrackDocument.Segment(points: points)))
    #expect(losses.text == "10 000 trackpoints without a time")
    let read = try Conversion.tcxDocument(bytes)
    #expect(read.tracks.count == 1)
    #expect(read.tracks.map { $0.segments.map(\.points.latitudes) } == [[[20, 21]]])
  }

  @Test("An empty document is a valid, empty file")
  func empty() throws {
    let (text, losses) = try TCXWriterTests.text(TrackDocument())
    #expect(losses == "")
    #expect(text.hasSuffix(".xsd\">\n</TrainingCenterDatabase>\n"))
    #expect(Transcript(tcx: text).lines.first == "header")
  }

  @Test("Information about files and tracks that TCX cannot represent is counted, and a name becomes a note")
  func losses() throws {
    var info = TrackInfo(name: "Evening")
    info.comment = "c"
    info.description = "to the lake"
    info.source = "Phone"
    info.links = [TrackLink(address: "a"), TrackLink(address: "b")]
    info.number = 3
    info.type = "Skiing"
    info.style = LineStyle(color: TrackColor(red: 1, green: 2, blue: 3))
    info.timeSpan = TimeSpan(begin: TCXWriterTests.instant(-60), end: TCXWriterTests.instant(60))
    info.resolution = Resolution(time: 60)
    var document = TCXWriterTests.document(info, TCXWriterTests.segment(0))
    document.info.name = "n"
    document.info.description = "d"
    document.info.creator = "Logger"
    document.info.keywords = "k"
    document.info.time = TCXWriterTests.instant(0)
    document.info.links = [TrackLink(address: "a")]
    document.info.author = Person(name: "p")
    document.info.copyright = Copyright(author: "c")
    document.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 1))]
    let (bytes, losses) = try Conversion.tcx(document)
    #expect(
      Set(losses.losses.map { "\($0.count) \($0.what)" }) == [
        "1 names of files", "1 descriptions of files", "1 authors of files", "1 copyrights of files",
        "1 links of files", "1 times of files", "1 keywords of files", "1 comments of tracks",
        "2 links of tracks",
        "1 numbers of tracks", "1 line styles", "1 ends of time spans", "1 notes on coarse sources",
        "1 kinds of activity other than Running, Biking and Other",
        "1 names of activities (written as notes)",
        "1 waypoints without a course",
      ])
    let read = try Conversion.tcxDocument(bytes)
    #expect(read.info.creator == "Logger")
    let track = try #require(read.tracks.first?.info)
    #expect(track.description == "Evening\n\nto the lake" && track.source == "Phone" && track.type == nil)
    #expect(track.timeSpan == TimeSpan(begin: TCXWriterTests.instant(-60)))
    #expect(track.extensions == [] && read.info.extensions == [])
  }

  @Test(
    "The kind of activity is recognized by its names in other formats",
    arguments: [
      ("cycling", "Biking"), ("Ride", "Biking"), ("run", "Running"), ("RUNNING", "Running"),
      ("other", "Other"),
    ])
  func sports(_ type: String, _ sport: String) throws {
    var info = TrackInfo()
    info.type = type
    let (text, losses) = try TCXWriterTests.text(TCXWriterTests.document(info, TCXWriterTests.segment(0)))
    #expect(text.contains("<Activity Sport=\"\(sport)\">"))
    #expect(losses == "")
  }

  @Test("An activity without a kind still has none after writing and reading it")
  func noSport() throws {
    let (bytes, losses) = try Conversion.tcx(
      TCXWriterTests.document(TrackInfo(), TCXWriterTests.segment(0, 1)))
    #expect(losses.text == "")
    #expect(try Conversion.tcxDocument(bytes).tracks.map(\.info.type) == [nil])
  }

  @Test("Activities with the same start get different identifiers, as the schema requires")
  func identifiers() throws {
    var document = TCXWriterTests.document(TrackInfo(), TCXWriterTests.segment(0))
    document.tracks += document.tracks + document.tracks
    let (text, losses) = try TCXWriterTests.text(document)
    #expect(
      text.matches(of: /<Id>(.+?)<\/Id>/).map { String($0.1) } == [
        "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.001Z", "2024-05-01T10:00:00.002Z",
      ])
    #expect(losses == "2 starts of activities that another has too (moved by milliseconds)")
  }

  // MARK: Laps

  private static func lap(_ start: Int64, distance: Double, timer: Double) -> Lap {
    var lap = Lap(start: instant(start))
    lap.distance = distance
    lap.timerTime = timer
    lap.trigger = "Distance"
    lap.calories = 3
    return lap
  }

  /// Returns the laps of a text with the times of their tracks' points: `start: first last | first last`.
  private static func laps(_ text: String) -> [String] {
    text.matches(of: /(?s)<Lap StartTime="(.+?)">(.*?)<\/Lap>/).map { lap in
      let tracks = lap.2.matches(of: /(?s)<Track>(.*?)<\/Track>/).map { track in
        track.1.matches(of: /<Time>.{11}(.+?)Z<\/Time>/).map { String($0.1) }.joined(separator: " ")
      }
      return "\(lap.1.dropFirst(11).dropLast()): " + tracks.joined(separator: " | ")
    }
  }

  @Test(
    "Segments belong to the laps in which they begin, whether laps are delivered before or after the points")
  func laps() throws {
    var info = TrackInfo()
    info.laps = [
      TCXWriterTests.lap(0, distance: 1, timer: 2), TCXWriterTests.lap(20, distance: 3, timer: 4),
    ]
    let document = TCXWriterTests.document(
      info, TCXWriterTests.segment(0, 8), TCXWriterTests.segment(9, 20), TCXWriterTests.segment(20, 30))
    let (text, losses) = try TCXWriterTests.text(document)
    #expect(losses == "")
    #expect(
      TCXWriterTests.laps(text) == [
        "10:00:00: 10:00:00 10:00:08 | 10:00:09 10:00:20", "10:00:20: 10:00:20 10:00:30",
      ])
    #expect(
      text.contains(
        "<TotalTimeSeconds>4</TotalTimeSeconds><DistanceMeters>3</DistanceMeters><Calories>3</Calories>"
          + "<Intensity>Active</Intensity><TriggerMethod>Distance</TriggerMethod>"))
    var writer = TCXWriter(ByteSink())
    var batch = PointBatch()
    try writer.write(.header(FileInfo()), batch)
    try writer.write(.beginTrack(TrackInfo()), batch)
    for segment in document.tracks[0].segments {
      try writer.write(.beginSegment, batch)
      batch.removeAll()
      _ = batch.append(segment.points, from: 0)
      try writer.write(.points, batch)
      try writer.write(.endSegment, batch)
    }
    try writer.write(.annotation(.track(info)), batch)
    try writer.write(.endTrack, batch)
    try writer.finish()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
  }

  @Test("A lap that begins inside a segment splits it, which is counted")
  func partedSegment() throws {
    var info = TrackInfo()
    info.laps = [0, 10, 20].map { TCXWriterTests.lap($0, distance: 5, timer: 10) }
    var segment = TCXWriterTests.segment(0, 9, 10, 15, 29)
    // A line feed inside a point must not be read as the start of the next one.
    var noted = segment.points.rows(0..<2)
    var details = PointDetails()
    details.extensions = [
      ExtensionElement(namespace: "u", prefix: "u", name: "a", text: "\n<Trackpoint><Time>\n")
    ]
    noted.append(
      Coordinate(latitude: 47.01, longitude: 8), time: TCXWriterTests.instant(10), details: details)
    for row in 3..<5 { noted.append(segment.points.coordinate(at: row), time: segment.points.time(at: row)) }
    segment.points = noted
    let (text, losses) = try TCXWriterTests.text(TCXWriterTests.document(info, segment))
    #expect(losses == "2 segments split at laps")
    #expect(
      TCXWriterTests.laps(text) == [
        "10:00:00: 10:00:00 10:00:09", "10:00:10: 10:00:10 10:00:15", "10:00:20: 10:00:29",
      ])
    #expect(Transcript(tcx: text).points.count == 5)
  }

  @Test("Laps without figures have those of their points, including the distance to the next lap")
  func measuredLaps() throws {
    var info = TrackInfo()
    info.laps = [0, 100, 110, 400].map { Lap(start: TCXWriterTests.instant($0)) }
    // Nothing was recorded in the second lap, and the third continues after a pause.
    let (text, losses) = try TCXWriterTests.text(
      TCXWriterTests.document(
        info, TCXWriterTests.segment(0, 90, 120, 150), TCXWriterTests.segment(300, 340, 430)))
    #expect(losses == "3 segments split at laps")
    #expect(
      TCXWriterTests.laps(text) == [
        "10:00:00: 10:00:00 10:01:30", "10:01:40: ", "10:01:50: 10:02:00 10:02:30 | 10:05:00 10:05:40",
        "10:06:40: 10:07:10",
      ])
    let figures = text.matches(
      of: /<TotalTimeSeconds>(.+?)<\/TotalTimeSeconds><DistanceMeters>(.+?)<\/DistanceMeters>/
    ).map { (seconds: Double($0.1) ?? -1, metres: Double($0.2) ?? -1) }
    // A thousandth of a degree in a second, 111.19508 m; the third lap is stationary from 150 to 300.
    let seconds: [Double] = [120, 0, 30 + 130, 0]
    #expect(figures.map(\.seconds) == seconds)
    for (lap, time) in zip(figures, seconds) { #expect(abs(lap.metres - time * 111.19508) < 0.01) }
  }

  /// - Parameter step: the seconds between the points, two steps before the first lap.
  @Test(
    "The road before the first lap and after a lap is not part of its distance", arguments: [1, 2], [10, 2])
  func partialLaps(count: Int, step: Int64) throws {
    var info = TrackInfo()
    let laps = [(start: 2 * step, seconds: 3 * Double(step)), (5 * step, 2 * Double(step))]
    info.laps = laps.prefix(count).map { start, seconds in
      var lap = Lap(start: TCXWriterTests.instant(start))
      lap.elapsedTime = seconds
      return lap
    }
    let (text, _) = try TCXWriterTests.text(
      TCXWriterTests.document(info, TCXWriterTests.segment((0...9).map { $0 * step })))
    let metres = text.matches(of: /<\/TotalTimeSeconds><DistanceMeters>(.+?)<\/DistanceMeters>/)
      .map { Double($0.1) ?? -1 }
    // A thousandth of a degree in a second, 111.19508 m.
    #expect(metres.count == count)
    for (lap, (_, seconds)) in zip(metres, laps) { #expect(abs(lap - seconds * 111.19508) < 0.01) }
  }

  @Test("Laps without distinct starts are merged into one, and are counted")
  func unmappedLaps() throws {
    var info = TrackInfo()
    info.laps = [Lap(), Lap()]
    let (text, losses) = try TCXWriterTests.text(TCXWriterTests.document(info, TCXWriterTests.segment(0, 60)))
    #expect(losses == "2 laps")
    #expect(TCXWriterTests.laps(text) == ["10:00:00: 10:00:00 10:01:00"])
  }

  @Test("Lap information that TCX cannot represent is counted")
  func lapLosses() throws {
    var info = TrackInfo()
    var lap = TCXWriterTests.lap(0, distance: 1, timer: 2)
    lap.elapsedTime = 3
    lap.calories = 70_000
    lap.trigger = "session_end"
    info.laps = [lap]
    let (text, losses) = try TCXWriterTests.text(TCXWriterTests.document(info, TCXWriterTests.segment(0)))
    #expect(losses == "1 elapsed time of laps, 1 calorie count out of range, 1 trigger of laps")
    #expect(text.contains("<Calories>0</Calories>") && text.contains("<TriggerMethod>Manual</TriggerMethod>"))
  }

  // MARK: Courses

  @Test("Routes and tracks of the type Course are courses; waypoints before and after one are its points")
  func courses() throws {
    var document = TrackDocument()
    var first = Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2), time: TCXWriterTests.instant(3))
    first.details.name = "A very long name"
    first.details.symbol = "danger"
    first.values = [.elevation: 5, .temperature: 6]
    document.waypoints = [first, Waypoint(coordinate: first.coordinate)]
    document.routes = [
      TrackDocument.Route(
        info: TrackInfo(name: "Over the pass and back"), points: TCXWriterTests.segment(1).points),
      TrackDocument.Route(
        info: TrackInfo(name: "Over the pass and on"), points: TCXWriterTests.segment(2).points),
    ]
    let (bytes, losses) = try Conversion.tcx(document)
    #expect(
      Set(losses.losses.map { "\($0.count) \($0.what)" }) == [
        "2 names of courses of more than 15 letters (cut)",
        "1 duplicate names of courses (numbered)",
        "1 names of waypoints of more than 10 letters (cut)",
        "1 waypoints without a time", "1 temperatures", "2 routes (written as courses)",
      ])
    let read = try Conversion.tcxDocument(bytes)
    #expect(read.tracks.map(\.info.name) == ["Over the pass a", "Over the pass 2"])
    #expect(read.tracks.map(\.info.type) == ["Course", "Course"])
    #expect(read.waypoints.count == 1)
    #expect(
      read.waypoints.first?.details.name == "A very lon" && read.waypoints.first?.details.type == "Danger")
    #expect(read.waypoints.first?.values == [.elevation: 5] && read.waypoints.first?.time == first.time)
  }

  @Test("Activities are written before courses, whatever the order of the stream")
  func order() throws {
    var course = TrackInfo(name: "C")
    course.type = "course"
    var document = TCXWriterTests.document(course, TCXWriterTests.segment(0))
    document.tracks.append(TrackDocument.Track(segments: [TCXWriterTests.segment(1)]))
    document.tracks.append(
      TrackDocument.Track(info: TrackInfo(name: "D"), segments: [TCXWriterTests.segment(2)]))
    document.tracks[2].info.type = "Course"
    let text = try TCXWriterTests.text(document).text
    let tags = text.matches(of: /<(\/?(?:Activities|Activity|Courses|Course|Name))\b/).map { String($0.1) }
    #expect(
      tags == [
        "Activities", "Activity", "/Activity", "/Activities", "Courses", "Course", "Name", "/Name", "/Course",
        "Course", "Name", "/Name", "/Course", "/Courses",
      ])
  }

  @Test("Several streams are written to one file")
  func severalStreams() throws {
    var writer = TCXWriter(ByteSink())
    for index in 0..<3 {
      var document = TCXWriterTests.document(TrackInfo(), TCXWriterTests.segment(Int64(index)))
      document.info.creator = "Logger \(index / 2)"
      var reader = TrackDocumentReader(document)
      var batch = PointBatch()
      while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    }
    try writer.finish()
    #expect(writer.losses.text == "1 further creator of files")
    let read = try Conversion.tcxDocument(writer.bytes)
    #expect(read.tracks.count == 3 && read.info.creator == "Logger 0")
  }

  @Test("A track of more than 4 MiB is stored in a file and written completely")
  func largeTrack() throws {
    var points = PointColumns()
    for second in 0..<40_000 {
      points.append(
        Coordinate(latitude: Double(second) / 1e4, longitude: 8), time: TCXWriterTests.instant(Int64(second)))
    }
    var info = TrackInfo()
    info.laps = [0, 15_000, 30_000].map { TCXWriterTests.lap($0, distance: 5, timer: 10) }
    let document = TCXWriterTests.document(info, TrackDocument.Segment(points: points))
    let (bytes, losses) = try Conversion.tcx(document, capacity: 4096)
    #expect(bytes.count > 5_000_000)
    #expect(losses.text == "2 segments split at laps")
    let read = try Conversion.tcxDocument(bytes)
    #expect(read.tracks.first?.segments.map(\.points.count) == [15_000, 15_000, 10_000])
    #expect(read.tracks.first?.segments.last?.points.latitudes.last == points.latitudes.last)
  }
}
