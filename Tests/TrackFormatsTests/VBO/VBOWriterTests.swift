import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("VBO writer")
struct VBOWriterTests {
  private static let head = [
    "[header]", "satellites", "time", "latitude", "longitude", "velocity kmh", "heading", "height", "",
    "[comments]", "", "[column names]", "sats time lat long velocity heading height", "", "[data]",
  ]

  private func written(
    _ segments: [[Waypoint]], capacity: Int = 64
  ) throws(TrackError) -> (bytes: [UInt8], losses: String) {
    var document = TrackDocument()
    document.tracks = [
      TrackDocument.Track(segments: segments.map { TrackDocument.Segment(points: PointColumns($0)) })
    ]
    var reader = TrackDocumentReader(document)
    var writer = VBOWriter(ByteSink())
    try Conversion.copy(&reader, to: &writer, capacity: capacity)
    return (writer.bytes, writer.losses.text)
  }

  private func point(_ latitude: Double, _ longitude: Double, _ time: String?) -> Waypoint {
    Waypoint(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      time: time.flatMap { ISO8601.read(Array($0.utf8).span)?.instant })
  }

  @Test("Positions are written in minutes, speeds in km/h, and missing speeds and courses are computed")
  func rows() throws {
    var first = point(50, 10, "2024-03-01T12:00:00.500Z")
    first.values = [.speed: 10, .course: 91.25, .elevation: 149.5, .satellites: 9]
    for capacity in [1, 64] {
      let (bytes, losses) = try written(
        [[first, point(50, 10, "2024-03-01T12:00:01.625Z")]], capacity: capacity)
      #expect(
        String(decoding: bytes, as: UTF8.self)
          == (["File created on 01/03/2024 at 12:00:00", ""] + Self.head + [
            "009 120000.50 +03000.00000000 -00600.00000000 36 91.25 149.5",
            "009 120001.625 +03000.00000000 -00600.00000000 0 0 nan", "",
          ]).joined(separator: "\r\n"))
      #expect(losses == "")
    }
  }

  @Test(
    "If the first points have no satellites and elevations, these columns are left out; later ones are lost")
  func noSatellites() throws {
    let points = [point(50, 10, "2024-03-01T12:00:00Z"), point(50, 10, "2024-03-01T12:00:01Z")]
    let (bytes, losses) = try written([points])
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == (["File created on 01/03/2024 at 12:00:00", ""]
        + Self.head.filter { !["satellites", "height"].contains($0) }.map {
          $0.replacing("sats ", with: "").replacing(" height", with: "")
        } + [
          "120000.00 +03000.00000000 -00600.00000000 0 0",
          "120001.00 +03000.00000000 -00600.00000000 0 0", "",
        ]).joined(separator: "\r\n"))
    #expect(losses == "")
    let read = Transcript(vbo: bytes).points
    #expect(read.count == 2 && !read.contains { $0.contains("satellites") })
    var late = points
    late[1].values = [.satellites: 9, .elevation: 100]
    let lost = try written([late], capacity: 1).losses
    #expect(lost.contains("1 number of satellites that the first points lack"))
    #expect(lost.contains("1 elevation that the first points lack"))
  }

  @Test("The first point without a speed and a course has those of the step that follows it")
  func firstMotion() throws {
    // 0.001° of a meridian on a sphere of 6,371,008.8 m have 111.195 m, driven in two seconds to the south.
    let points = [
      point(50, 10, "2024-03-01T12:00:00Z"), point(49.999, 10, "2024-03-01T12:00:02Z"),
      point(49.999, 10, "2024-03-01T12:00:03Z"),
    ]
    let rows = Transcript(vbo: try written([points]).bytes).points
    #expect(rows[0].contains("speed 55.597") && rows[0].contains("course 180"))
    #expect(rows[1].contains("speed 55.597") && rows[1].contains("course 180"))
    #expect(rows[2].contains("speed 0 "))
  }

  @Test("A point without satellites has those of the point before, or of the first point that has some")
  func repeatedSatellites() throws {
    var points = (0..<4).map { point(50, 10, "2024-03-01T12:00:0\($0)Z") }
    points[1].values = [.satellites: 9]
    points[2].values = [.satellites: 0]
    let (bytes, losses) = try written([points])
    #expect(Transcript(vbo: bytes).points.allSatisfy { $0.contains("satellites 9") })
    #expect(Transcript(vbo: bytes).points.count == 4)
    #expect(losses.contains("1 number of satellites outside 1 to 63"))
  }

  @Test(
    "A missing elevation is read back as missing, and missing speeds and courses are those of the positions")
  func missingValues() throws {
    var points = (0..<3).map { point(50 + Double($0) / 10_000, 10, "2024-03-01T12:00:0\($0)Z") }
    points[0].values = [.elevation: 1500, .speed: 10]
    points[2].values = [.elevation: 1501, .course: 90]
    let (bytes, losses) = try written([points])
    #expect(losses == "")
    let read = Transcript(vbo: bytes).points
    func contains(_ text: String) -> [Bool] { read.map { $0.contains(text) } }
    #expect(contains("elevation") == [true, false, true])
    #expect(contains("course 90") == [false, false, true])
    // A ten-thousandth of a degree on a sphere with a radius of 6,371 km.
    #expect(contains("speed 11.1") == [false, true, true])
  }

  @Test("Other channels keep their names, also those of usual columns, and their units")
  func otherChannels() throws {
    var points = [point(50, 10, "2024-03-01T12:00:00Z")]
    points[0].details.extraValues = ExtraValues(
      [
        ExtraValues.Name("sats", unit: ""), ExtraValues.Name("velocity mph"),
        ExtraValues.Name("a b", unit: "bar"), ExtraValues.Name("a_b"), ExtraValues.Name("time", unit: "s"),
        ExtraValues.Name("speed", unit: "mph"), ExtraValues.Name("[data]"), ExtraValues.Name(""),
      ], [1, 2, 3, 4, 5, 6, 7, 8])
    let (bytes, _) = try written([points])
    let lines = Transcript(vbo: bytes).lines
    #expect(
      lines.contains(
        "  channels sats 1, velocity mph 2, a b (bar) 3, a_b 4, time (s) 5,"
          + " speed (mph) 6, -[data] 7, - 8"))
    #expect(lines.contains("point 50 10 2024-03-01T12:00:00Z speed 0 course 0"))
  }

  @Test("A channel with a name that other programs give to a usual column stays a channel")
  func looseNames() throws {
    var points = [point(50, 10, "2024-03-01T12:00:00Z")]
    let names = ["Altitude", "Course", "Boost"].map {
      ExtraValues.Name($0, unit: $0 == "Boost" ? "kPa" : nil)
    }
    points[0].details.extraValues = ExtraValues(names, [100, 200, 300])
    let (bytes, losses) = try written([points])
    #expect(losses == "")
    let lines = Transcript(vbo: bytes).lines
    #expect(lines.contains("  channels Altitude 100, Course 200, Boost (kPa) 300"))
    #expect(lines.allSatisfy { !$0.contains("elevation") })
  }

  @Test("A point at latitude 0, longitude 0 would be a row without a fix, and is counted as lost")
  func zero() throws {
    let (bytes, losses) = try written([[point(0, 0, nil), point(0, 1e-9, nil), point(0, 1e-11, nil)]])
    #expect(Transcript(vbo: bytes).points.count == 1)
    #expect(losses.contains("2 points at latitude 0, longitude 0"))
  }

  @Test("Times past midnight are read back; a longer pause is a loss")
  func midnight() throws {
    let times = ["2023-12-31T23:59:59Z", "2024-01-01T00:00:01Z", "2024-01-03T00:00:02Z"]
    let (bytes, losses) = try written([times.map { point(-33.5, -70.25, $0) }])
    let read = Transcript(vbo: bytes).points.map { $0.split(separator: " ").prefix(4).joined(separator: " ") }
    #expect(
      read == [
        "point -33.5 -70.25 2023-12-31T23:59:59Z", "point -33.5 -70.25 2024-01-01T00:00:01Z",
        "point -33.5 -70.25 2024-01-01T00:00:02Z",
      ])
    #expect(losses.contains("1 day of times more than 12 hours after the previous one"))
  }

  @Test("The days of a track at the time of the one before it are a loss with its own words")
  func trackAtTheSameTime() throws {
    let times = [
      "2023-12-31T23:59:59Z", "2024-01-01T00:00:01Z", "2023-12-31T23:59:58Z", "2024-01-01T00:00:00Z",
    ]
    let (_, losses) = try written([times.map { point(-33.5, -70.25, $0) }])
    #expect(losses.contains("2 days of times after a step back"))
    #expect(!losses.contains("12 hours"))
  }

  @Test("Without a time of the first point, the file has no date; otherwise points without times are lost")
  func missingTimes() throws {
    let timed = point(1, 2, "2024-01-01T00:00:01Z")
    let (bytes, losses) = try written([[point(1, 2, nil), timed]])
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("[header]"))
    let read = Transcript(vbo: bytes)
    #expect(read.points.count == 2 && read.warnings == [])
    #expect(read.points.allSatisfy { !$0.contains("1999") })
    #expect(losses.contains("1 time"))
    let other = try written([[timed, point(1, 2, nil)]])
    #expect(Transcript(vbo: other.bytes).points.count == 1)
    #expect(other.losses.contains("1 point without times"))
  }

  @Test("Segments are joined, which is counted, and a file needs a point")
  func segments() throws {
    let (bytes, losses) = try written([[point(1, 2, nil)], [], [point(1, 2, nil)]])
    #expect(Transcript(vbo: bytes).points.count == 2)
    #expect(losses.contains("1 bound between segments and tracks"))
    #expect(losses.contains("1 segment without points"))
    expectError(.noTracks) { try written([]) }
  }
}
