import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("FIT writer")
struct FITWriterTests {
  private static let start: Int64 = 1_715_925_600_000_000

  /// A line of points 1 s and about 11 m apart.
  private func line(
    _ count: Int, from second: Int = 0, isTimed: Bool = true, values: [Channel: Double] = [:]
  ) -> PointColumns {
    var points = PointColumns()
    for index in 0..<count {
      points.append(
        Coordinate(latitude: 47 + 0.0001 * Double(index), longitude: 8),
        time: isTimed ? Instant(microseconds: Self.start + Int64(second + index) * 1_000_000) : nil,
        values: values)
    }
    return points
  }

  private func document(_ tracks: TrackDocument.Track...) -> TrackDocument {
    var document = TrackDocument()
    document.tracks = tracks
    return document
  }

  private func track(_ segments: PointColumns..., info: TrackInfo = TrackInfo()) -> TrackDocument.Track {
    TrackDocument.Track(info: info, segments: segments.map { TrackDocument.Segment(points: $0) })
  }

  private func type(_ bytes: [UInt8]) throws -> FITFileType? {
    var input = ByteInput(bytes: bytes)
    return try FITFileType.peek(&input)
  }

  @Test("Activities are read back unchanged", arguments: [1, 7, 64, 4096])
  func roundTrip(_ capacity: Int) throws {
    let seed = SeededGenerator.printedSeed()
    for round in 0..<UInt64(Effort.rounds(20)) {
      let document = FITWriting.activities(seed: seed &+ round)
      let (bytes, losses) = try FITWriting.fit(document, capacity: capacity)
      let (read, warnings) = try FITReading.document(bytes)
      #expect(warnings.isEmpty)
      #expect(losses.keys.allSatisfy { $0 == "times between 128ths of a second (rounded)" }, "\(losses)")
      #expect(read.info == document.info)
      #expect(read.waypoints == document.waypoints)
      #expect(read.tracks.map(\.info) == document.tracks.map(\.info))
      #expect(read.tracks.map { $0.segments.count } == document.tracks.map { $0.segments.count })
      for (left, right) in zip(read.tracks.flatMap(\.segments), document.tracks.flatMap(\.segments)) {
        #expect(left.points.with(times: right.points.times) == right.points)
        #expect(
          zip(left.points.times, right.points.times).allSatisfy { abs($0 - $1) <= 1 }, "round \(round)")
      }
    }
  }

  @Test("A track without laps is written as a course, one with laps as an activity, unless a type is set")
  func kinds() throws {
    var withLaps = TrackInfo()
    withLaps.laps = [Lap(start: Instant(microseconds: Self.start))]
    var course = withLaps
    course.type = "Course"
    let cases: [(TrackInfo, FITWriter.Kind, FITFileType)] = [
      (TrackInfo(name: "course"), .automatic, .course), (withLaps, .automatic, .activity),
      (course, .automatic, .course), (TrackInfo(), .activity, .activity), (withLaps, .course, .course),
    ]
    for (info, kind, expected) in cases {
      let bytes = try FITWriting.fit(document(track(line(3), info: info)), kind: kind).bytes
      #expect(try type(bytes) == expected)
    }
  }

  @Test("A track whose laps follow its points is an activity with its segments, and a course on request")
  func lateLaps() throws {
    // The numbers of laps follow each other at 3 s and 6 s; the pause makes a segment.
    var table = "time,lat,lon,lap,segment\n"
    for second in 0..<10 {
      table += "2024-05-17T06:00:0\(second)Z,\(47 + 0.0001 * Double(second)),8,\(second / 3),\(second / 5)\n"
    }
    let source = try CSVTable.document(Array(table.utf8))
    #expect(source.tracks.first?.info.laps.map(\.elapsedTime) == [3, 3])
    func fit(_ kind: FITWriter.Kind) throws -> [UInt8] {
      var reader = CSVReader(ByteInput(bytes: Array(table.utf8)))
      var writer = FITWriter(ByteSink(), kind: kind)
      try Conversion.copy(&reader, to: &writer)
      return writer.bytes
    }
    let bytes = try fit(.automatic)
    #expect(try type(bytes) == .activity)
    let (read, warnings) = try FITReading.document(bytes)
    #expect(warnings.isEmpty)
    #expect(read.tracks.first?.info.laps.map(\.elapsedTime) == [3, 3])
    #expect(read.tracks.first?.segments.map(\.points.count) == [5, 5])
    #expect(
      read.tracks.first?.segments.flatMap(\.points.times)
        == source.tracks.first?.segments.flatMap(\.points.times))
    #expect(try bytes == fit(.activity))
    #expect(try type(fit(.course)) == .course)
  }

  @Test("An activity lasts as long as its laps, also if the last one ends after the last point")
  func lapsAfterPoints() throws {
    var info = TrackInfo()
    info.laps = [0, 5, 10].map { (second: Int64) in
      var lap = Lap(start: Instant(microseconds: Self.start + second * 1_000_000))
      lap.elapsedTime = 5
      lap.timerTime = 5
      return lap
    }
    let bytes = try FITWriting.fit(document(track(line(15), info: info)), kind: .activity).bytes
    let track = try FITReading.document(bytes).document.tracks[0]
    let span = try #require(track.info.timeSpan)
    // The last point is at 14 s.
    #expect(span.begin?.microseconds == Self.start && span.end?.microseconds == Self.start + 15_000_000)
    #expect(track.info.laps.map(\.elapsedTime) == [5, 5, 5])
  }

  @Test("Laps that follow the points and have only starts last until the next one, to the millisecond")
  func lateStarts() throws {
    var writer = FITWriter(ByteSink(), kind: .activity)
    var batch = PointBatch()
    try writer.write(.header(FileInfo()), batch)
    try writer.write(.beginTrack(TrackInfo()), batch)
    try writer.write(.beginSegment, batch)
    _ = batch.append(line(30), from: 0)
    try writer.write(.points, batch)
    try writer.write(.endSegment, batch)
    var info = TrackInfo()
    info.laps = [0, 10_250_000].map { Lap(start: Instant(microseconds: Self.start + $0)) }
    try writer.write(.annotation(.track(info)), batch)
    try writer.write(.endTrack, batch)
    try writer.finish()
    let laps = try FITReading.document(writer.bytes).document.tracks[0].info.laps
    #expect(laps.map(\.elapsedTime) == [10.25, 18.75])
  }

  @Test("A course keeps its name, times and distances, and has one segment")
  func course() throws {
    let (bytes, losses) = try FITWriting.fit(
      document(track(line(10), line(10, from: 60), info: TrackInfo(name: "Rennstrecke ÄÖ"))))
    let (read, warnings) = try FITReading.document(bytes)
    let points = try #require(read.tracks.first?.segments.first?.points)
    #expect(warnings.isEmpty)
    #expect(read.tracks.count == 1 && read.tracks[0].segments.count == 1)
    #expect(read.tracks[0].info.name == "Rennstrecke ÄÖ" && read.tracks[0].info.type == "Course")
    let seconds: [Int64] = Array(0..<10) + Array(60..<70)
    #expect(points.times == seconds.map { Self.start + $0 * 1_000_000 })
    // 0.0001° of a circle around the Earth, 6371.0088 km, are 11.1195 m; the pause adds nothing.
    let step = 6_371_008.8 * 0.0001 * Double.pi / 180
    #expect(abs((points.value(.distance, at: 19) ?? 0) - 18 * step) < 0.02)
    #expect(read.tracks[0].info.laps.first?.elapsedTime == 69)
    #expect(losses == ["segments of courses (joined)": 1])
  }

  @Test(
    "The kind of a track that is written as a course is counted as lost",
    arguments: [("Ride", true), ("Course", false)])
  func courseKind(_ type: String, _ isLost: Bool) throws {
    var info = TrackInfo()
    info.type = type
    let losses = try FITWriting.fit(document(track(line(10), info: info)), kind: .course).losses
    #expect(losses == (isLost ? ["types of tracks (replaced by Course)": 1] : [:]))
  }

  @Test("A course without times gets estimated times, which are reported")
  func untimedCourse() throws {
    var document = TrackDocument()
    document.routes = [TrackDocument.Route(info: TrackInfo(name: "Plan"), points: line(11, isTimed: false))]
    let (bytes, losses) = try FITWriting.fit(document, kind: .activity)
    let points = try FITReading.onlyPoints(bytes)
    #expect(
      losses == [
        "routes (written as courses)": 1,
        "times of course points (estimated at 10 km/h, because devices require them)": 11,
      ])
    // 111.2 m at 10 km/h take 40 s.
    #expect((points.times[10] - points.times[0]) / 1_000_000 == 40)
  }

  @Test("Estimated times stay in FIT's range for any distances", arguments: [-1e10, 1e10, 1e300])
  func madeUpTimes(_ distance: Double) throws {
    var source = document(track(line(3, isTimed: false, values: [.distance: distance])))
    // A few seconds before FIT's last second.
    source.info.time = Instant(microseconds: (631_065_600 + 0xFFFF_FFF0) * 1_000_000)
    let (read, warnings) = try FITReading.document(FITWriting.fit(source).bytes)
    #expect(warnings.isEmpty)
    let times = try #require(read.tracks.first?.segments.first?.points.times)
    #expect(times.count == 3)
    #expect(times.allSatisfy { $0 >= source.info.time?.microseconds ?? .max })
  }

  @Test("Waypoints that precede or follow a course become its course points, sorted along the course")
  func coursePoints() throws {
    var events: [TrackEvent] = [.header(FileInfo())]
    func waypoint(_ index: Int, _ name: String, _ type: String?) -> TrackEvent {
      var details = PointDetails(name: name)
      details.type = type
      return .waypoint(
        Waypoint(
          coordinate: Coordinate(latitude: 47 + 0.0001 * Double(index) + 0.00001, longitude: 8.0001),
          details: details))
    }
    var batch = PointBatch()
    var writer = FITWriter(ByteSink())
    events += [
      waypoint(7, "late", "Left"), waypoint(2, "early", "summit"), .beginTrack(TrackInfo()), .beginSegment,
    ]
    for event in events { try writer.write(event, batch) }
    _ = batch.append(line(10), from: 0)
    try writer.write(.points, batch)
    for event in [.endSegment, .endTrack, waypoint(5, "behind", "Cow")] { try writer.write(event, batch) }
    try writer.finish()
    let read = try FITReading.document(writer.bytes).document
    #expect(read.waypoints.map(\.details.name) == ["early", "behind", "late"])
    #expect(read.waypoints.map(\.details.type) == ["Summit", nil, "Left"])
    #expect(
      read.waypoints.map(\.time) == [2, 5, 7].map { Instant(microseconds: Self.start + $0 * 1_000_000) })
    let distances = read.waypoints.compactMap { $0.values[.distance] }
    #expect(zip(distances, [22.24, 55.6, 77.84]).allSatisfy { abs($0 - $1) < 0.02 })
    #expect(writer.losses.losses.map(\.what) == ["types of waypoints"])
  }

  @Test("An activity that starts before the previous one ends, and a second course, start a new file")
  func chained() throws {
    let overlapping = document(track(line(10)), track(line(10, from: 5)), track(line(5, from: 100)))
    let activities = try FITWriting.fit(overlapping, kind: .activity)
    let read = try FITReading.document(activities.bytes)
    #expect(read.document.tracks.map { $0.segments[0].points.count } == [10, 10, 5] && read.warnings.isEmpty)
    #expect(
      activities.losses == [
        "activities that start before the previous one ends (chained; services may read only one)": 1
      ])
    let courses = try FITWriting.fit(document(track(line(3)), track(line(4))))
    #expect(courses.losses == ["courses after the first (chained; devices may read only one)": 1])
    #expect(try FITReading.points(courses.bytes).map(\.count) == [3, 4])
  }

  @Test("Values that FIT cannot store are counted")
  func losses() throws {
    var info = TrackInfo(name: "Ride")
    info.comment = "c"
    info.type = "dog sledding"
    info.style = LineStyle()
    let points = line(
      2, values: [.hdop: 1, .heartRate: 300, .temperature: 20.5, .elevation: 20_000, .course: 9])
    var source = document(track(points, line(1, isTimed: false), PointColumns(), info: info))
    source.info.name = "File"
    source.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2))]
    #expect(
      try FITWriting.fit(source, kind: .activity).losses == [
        "names of files": 1, "waypoints": 1, "comments of tracks": 1, "line styles": 1,
        "names of activities": 1, "activity types unknown to FIT": 1, "HDOP values": 2,
        "heart rates out of range": 2, "fractional temperatures (rounded)": 2,
        "elevations out of range": 2, "courses": 2, "trackpoints without a time": 1,
        "segments without a point that has a time": 2,
      ])
  }

  @Test("Rounded values are counted; exact values are not")
  func steps() throws {
    // Exact values: fifths of metres, whole watts, whole seconds.
    var exact = TrackInfo()
    exact.laps = [Lap(start: Instant(microseconds: Self.start))]
    exact.timeSpan = TimeSpan(
      begin: Instant(microseconds: Self.start), end: Instant(microseconds: Self.start + 1_500_000))
    var source = document(track(line(2, values: [.elevation: 431.2, .power: 150]), info: exact))
    source.info.time = Instant(microseconds: Self.start)
    #expect(try FITWriting.fit(source).losses == [:])

    var info = TrackInfo()
    info.laps = [Lap(start: Instant(microseconds: Self.start + 1))]
    info.laps[0].calories = 70_000
    info.timeSpan = TimeSpan(
      begin: Instant(microseconds: Self.start + 250_000), end: Instant(microseconds: Self.start))
    source = document(track(line(2, values: [.elevation: 431.25, .power: 150.5, .distance: -1]), info: info))
    source.info.time = Instant(microseconds: Self.start + 500_000)
    source.info.creator = String(repeating: "é", count: 128)
    #expect(
      try FITWriting.fit(source).losses == [
        "times of files between seconds (truncated)": 1, "creators of more than 254 bytes (shortened)": 1,
        "elevations (rounded to 0.2 m)": 2, "fractional watts (rounded)": 2,
        "distances out of range": 2, "starts of laps between seconds (truncated)": 1,
        "calorie counts out of range": 1,
        "starts of time spans between seconds (truncated)": 1, "ends of time spans before their starts": 1,
      ])
  }

  @Test("The end of a session is exact to the millisecond for up to 49 days")
  func longActivity() throws {
    // 2³² ms are 4,294,967.296 s; the largest number is the invalid value.
    for (seconds, isKept) in [(4_294_967, true), (4_294_968, false)] {
      let begin = Instant(microseconds: Self.start)
      let end = Instant(microseconds: Self.start + Int64(seconds) * 1_000_000 + 250_000)
      var info = TrackInfo()
      info.timeSpan = TimeSpan(begin: begin, end: end)
      let source = document(track(line(2), info: info))
      let (bytes, losses) = try FITWriting.fit(source, kind: .activity)
      #expect(losses == (isKept ? [:] : ["ends of time spans between seconds (truncated)": 1]))
      let kept = isKept ? end : Instant(microseconds: end.microseconds - 250_000)
      #expect(try FITReading.document(bytes).document.tracks.first?.info.timeSpan?.end == kept)
    }
  }

  @Test("A segment that starts before the previous one ends is counted, because readers split it elsewhere")
  func overlappingSegments() throws {
    let apart = try FITWriting.fit(document(track(line(3), line(3, from: 3))), kind: .activity)
    #expect(apart.losses == [:])
    #expect(try FITReading.points(apart.bytes).map(\.count) == [3, 3])
    let touching = try FITWriting.fit(document(track(line(3), line(3, from: 2))), kind: .activity)
    #expect(touching.losses == [:])
    #expect(try FITReading.points(touching.bytes).map(\.count) == [3, 3])
    let overlapping = try FITWriting.fit(document(track(line(3), line(3, from: 1))), kind: .activity)
    #expect(
      overlapping.losses == [
        "segments that start before the previous one ends (split elsewhere)": 1
      ])
  }

  /// Returns points at these times, in milliseconds.
  private func points(_ milliseconds: Int64...) -> PointColumns {
    var points = PointColumns()
    for time in milliseconds {
      points.append(
        Coordinate(latitude: 47, longitude: Double(points.count)),
        time: Instant(microseconds: Self.start + time * 1000))
    }
    return points
  }

  @Test("Tracks that touch become sessions of one file and are read back unchanged")
  func touchingSessions() throws {
    for tracks in [
      [points(0, 5000, 10_000), points(10_000, 15_000), points(15_000, 20_000)],
      // Several points within one second, as cameras and phones record.
      [points(0, 9750, 10_250), points(10_250, 10_500, 11_000)],
      [points(0, 10_250), points(10_500, 20_000)],
      [points(0, 10_000, 10_000), points(10_000, 10_000, 11_000)],
      [points(0, 9500), points(10_000, 10_500), points(11_000, 12_000)],
    ] {
      var source = TrackDocument()
      source.tracks = tracks.map { track($0) }
      let (bytes, losses) = try FITWriting.fit(source, kind: .activity)
      #expect(losses == [:])
      // A single header: its data size covers all sessions.
      #expect(bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } == bytes.count - 16)
      let (read, warnings) = try FITReading.document(bytes)
      #expect(warnings.isEmpty)
      #expect(read.tracks.map { $0.segments.map(\.points.times) } == tracks.map { [$0.times] })
      #expect(read.tracks.allSatisfy { $0.info.laps.count == 1 })
    }
  }

  @Test("Tracks whose shared second is ambiguous become separate files")
  func ambiguousTouch() throws {
    let second = Instant(microseconds: Self.start + 10_000_000)
    var lapAtEnd = TrackInfo()
    lapAtEnd.laps = [Lap(start: Instant(microseconds: Self.start)), Lap(start: second)]
    var early = TrackInfo()
    early.timeSpan = TimeSpan(begin: second, end: nil)
    for (first, next) in [
      // A session of length zero: both sessions would start at the same time.
      (track(points(10_000)), track(points(10_000, 20_000))),
      // A lap that starts with the next track would be read as one of the next track.
      (track(points(0, 10_000), info: lapAtEnd), track(points(10_000, 20_000))),
      // The last point of the first track would become the first point of the second.
      (track(points(0, 10_000)), track(points(15_000, 20_000), info: early)),
      // The second track starts before the first ends.
      (track(points(0, 10_500)), track(points(10_250, 20_000))),
    ] {
      let (bytes, losses) = try FITWriting.fit(document(first, next), kind: .activity)
      #expect(losses.count == 1 && losses.keys.first?.contains("chained") == true)
      let read = try FITReading.document(bytes).document
      #expect(
        read.tracks.map { $0.segments.map(\.points.times) }
          == [first, next].map { $0.segments.map(\.points.times) })
    }
  }

  @Test("Tracks whose start, laps or points overlap the previous track are written as separate files")
  func mixedSessions() throws {
    func instant(_ second: Int64) -> Instant { Instant(microseconds: Self.start + second * 1_000_000) }
    var late = TrackInfo()
    late.laps = [Lap(start: instant(5)), Lap(start: instant(105))]
    var early = TrackInfo()
    early.timeSpan = TimeSpan(begin: instant(-10), end: instant(110))
    var lapped = TrackInfo()
    lapped.laps = [Lap(start: instant(0))]
    for (first, second) in [
      (TrackInfo(), early), (TrackInfo(), lapped), (late, TrackInfo()), (late, early), (late, lapped),
    ] {
      let source = document(track(line(10), info: first), track(line(4, from: 100), info: second))
      let (read, warnings) = try FITReading.document(
        FITWriting.fit(source, kind: .activity).bytes)
      #expect(warnings.isEmpty)
      #expect(read.tracks.map { $0.segments[0].points.count } == [10, 4])
      for (track, info) in zip(read.tracks, [first, second]) {
        if !info.laps.isEmpty { #expect(track.info.laps.map(\.start) == info.laps.map(\.start)) }
        if let span = info.timeSpan { #expect(track.info.timeSpan == span) }
      }
    }
  }

  @Test("Waypoints with the course's own times and distances lose nothing")
  func exactPlaces() throws {
    let points = line(10, values: [:])
    var source = document(track(points, info: TrackInfo(name: "a")))
    var place = Waypoint(coordinate: points.coordinate(at: 3), time: points.time(at: 3))
    // 0.0003° of a circle around the Earth are 33.36 m.
    place.values[.distance] = 33.36
    source.waypoints = [place]
    #expect(try FITWriting.fit(source).losses == [:])
    source.waypoints[0].time = points.time(at: 4)
    source.waypoints[0].values[.distance] = 35
    #expect(
      try FITWriting.fit(source).losses == [
        "times of waypoints (replaced by the course's)": 1,
        "distances of waypoints (replaced by the course's)": 1,
      ])
  }

  @Test("Points with times outside FIT's range are skipped and counted")
  func times() throws {
    var points = PointColumns()
    // FIT treats values below 0x10000000 as times since the device's start: 1998-07-03T21:24:16Z.
    let first: Int64 = 631_065_600 + 0x1000_0000
    let last: Int64 = 631_065_600 + 0xFFFF_FFFD
    let seconds: [Int64] = [0, first - 1, first, last, 1 << 33]
    for second in seconds {
      points.append(
        Coordinate(latitude: 1, longitude: 2), time: Instant(microseconds: second * 1_000_000))
    }
    let (bytes, losses) = try FITWriting.fit(document(track(points)), kind: .activity)
    #expect(losses == ["trackpoints with a time before July 1998 or after 2126": 3])
    #expect(
      try FITReading.onlyPoints(bytes).times == [first, last].map { $0 * 1_000_000 })
  }

  @Test(
    "Writing a document without FIT content fails, and the omitted content is reported",
    arguments: FITWriter.Kind.allCases)
  func empty(_ kind: FITWriter.Kind) throws {
    var old = PointColumns()
    old.append(Coordinate(latitude: 1, longitude: 2), time: Instant(microseconds: 0))
    for document in [TrackDocument(), document(track(old)), document(track(PointColumns()))] {
      #expect {
        try FITWriting.fit(document, kind: kind)
      } throws: { error in
        let error = error as? TrackError
        return error?.code == .noTracks && error?.message.hasPrefix("nothing to write as FIT") == true
      }
    }
  }

  @Test("The distance of a session is measured from its first point, for any initial distance")
  func sessionDistances() throws {
    func leg(from second: Int, metres: Double) -> TrackDocument.Track {
      var points = PointColumns()
      for index in 0..<5 {
        points.append(
          Coordinate(latitude: 47 + 0.0001 * Double(index), longitude: 8),
          time: Instant(microseconds: Self.start + Int64(second + index) * 1_000_000),
          values: [.distance: metres + 25 * Double(index)])
      }
      return track(points)
    }
    let legs = document(leg(from: 0, metres: 0), leg(from: 100, metres: 100), leg(from: 200, metres: 1000))
    // Four steps of 25 m each.
    let activity = try FITReading.document(FITWriting.fit(legs, kind: .activity).bytes).document
    #expect(activity.tracks.map { $0.info.laps.map(\.distance) } == [[100], [100], [100]])
    #expect(
      activity.tracks.map { $0.segments[0].points.value(.distance, at: 0) } == [0, 100, 1000])
    let courses = try FITReading.document(FITWriting.fit(legs, kind: .course).bytes).document
    #expect(courses.tracks.map { $0.info.laps.map(\.distance) } == [[100], [100], [100]])
    for course in courses.tracks {
      #expect(course.segments[0].points.values(of: .distance) == [0, 25, 50, 75, 100])
    }
  }

  @Test("The distance of a course never decreases when the source's distance restarts")
  func courseOfTwoCounts() throws {
    var points = PointColumns()
    let counts: [Double] = [370, 380, 0, 10]
    for (index, distance) in counts.enumerated() {
      points.append(
        Coordinate(latitude: 47 + 0.0001 * Double(index), longitude: 8),
        time: Instant(microseconds: Self.start + Int64(index) * 1_000_000), values: [.distance: distance])
    }
    let bytes = try FITWriting.fit(document(track(points)), kind: .course).bytes
    let values = try #require(FITReading.onlyPoints(bytes).values(of: .distance))
    // The step at the restart is 0.0001° of a circle around the Earth: 11.1195 m.
    #expect(zip(values, [0, 10, 21.12, 31.12]).allSatisfy { abs($0 - $1) < 0.001 })
  }

  @Test("A lap without a duration gets the duration of its points")
  func lapsWithoutTotals() throws {
    var info = TrackInfo()
    info.laps = [0, 10, 40].map { Lap(start: Instant(microseconds: Self.start + $0 * 1_000_000)) }
    // The second lap has a pause of 20 s, from second 19 to 39.
    let points = { (from: Int, count: Int) in
      var points = PointColumns()
      for second in from..<(from + count) {
        points.append(
          Coordinate(latitude: 47, longitude: 8),
          time: Instant(microseconds: Self.start + Int64(second) * 1_000_000),
          values: [.distance: 300 + 2 * Double(second < 39 ? second : second - 20)])
      }
      return points
    }
    let source = document(track(points(0, 20), points(39, 12), info: info))
    let laps = try FITReading.document(FITWriting.fit(source).bytes).document.tracks[0].info.laps
    #expect(laps.map(\.start) == info.laps.map(\.start))
    #expect(laps.map(\.elapsedTime) == [10, 30, 10])
    #expect(laps.map(\.timerTime) == [10, 10, 10])
    #expect(laps.map(\.distance) == [20, 20, 20])
  }

  @Test("The road before the first lap and after a lap is not part of its distance")
  func partialLaps() throws {
    var info = TrackInfo()
    info.laps = [(start: Int64(10), seconds: 10.0), (20, 20)].map { start, seconds in
      var lap = Lap(start: Instant(microseconds: Self.start + start * 1_000_000))
      lap.elapsedTime = seconds
      return lap
    }
    var points = PointColumns()
    for second in 0..<60 {
      points.append(
        Coordinate(latitude: 47, longitude: 8),
        time: Instant(microseconds: Self.start + Int64(second) * 1_000_000),
        values: [.distance: 300 + 2 * Double(second)])
    }
    let source = document(track(points, info: info))
    let laps = try FITReading.document(FITWriting.fit(source, kind: .activity).bytes).document.tracks[0].info
      .laps
    #expect(laps.map(\.elapsedTime) == [10, 20])
    #expect(laps.map(\.timerTime) == [10, 20])
    #expect(laps.map(\.distance) == [20, 40])
  }

  @Test("Any document is written without a crash and read back without a warning")
  func anyDocument() throws {
    let seed = SeededGenerator.printedSeed()
    for round in 0..<UInt64(Effort.rounds(60)) {
      var random = RandomDocument(seed: seed &+ round, isWild: true)
      let document = random.document()
      for kind in FITWriter.Kind.allCases {
        guard let bytes = try? FITWriting.fit(document, kind: kind).bytes else { continue }
        let transcript = Transcript(fit: bytes)
        #expect(transcript.error == nil && transcript.warnings == [], "round \(round), \(kind)")
        #expect(transcript.violations == [])
      }
    }
  }
}
