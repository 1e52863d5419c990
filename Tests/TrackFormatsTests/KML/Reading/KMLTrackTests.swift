import Testing
import TrackFormats
import TrackModel

/// Tests `gx:Track`, with its lists of times, positions and sensor values.
@Suite("KML tracks with times")
struct KMLTrackTests {
  private func points(_ content: String) -> [String] {
    Transcript(kml: KMLTesting.file("<Placemark><gx:Track>\(content)</gx:Track></Placemark>")).points
  }

  private static let whens =
    "<when>2024-05-01T10:00:00Z</when><when>2024-05-01T10:00:01Z</when><when>2024-05-01T10:00:02Z</when>"

  @Test("The n-th time belongs to the n-th position, in any order of the elements")
  func order() {
    let expected = [
      "point 2 1 2024-05-01T10:00:00Z elevation 3", "point 5 4 2024-05-01T10:00:01Z elevation 6",
      "point 8 7 2024-05-01T10:00:02Z",
    ]
    let coords = ["<gx:coord>1 2 3</gx:coord>", "<gx:coord>4 5 6</gx:coord>", "<gx:coord>7 8</gx:coord>"]
    let whens = (0...2).map { "<when>2024-05-01T10:00:0\($0)Z</when>" }
    #expect(points((whens + coords).joined()) == expected)
    #expect(points((coords + whens).joined()) == expected)
    #expect(points(zip(whens, coords).map { $0 + $1 }.joined()) == expected)
    #expect(points(coords[0] + whens[0] + whens[1] + whens[2] + coords[1] + coords[2]) == expected)
  }

  @Test("An empty position counts in the numbering of times and sensor values, but is not a point")
  func emptyPositions() {
    let sensors = """
      <ExtendedData><SchemaData><gx:SimpleArrayData name="heartrate"><gx:value>100</gx:value><gx:value>101</gx:value>\
      <gx:value>102</gx:value></gx:SimpleArrayData></SchemaData></ExtendedData>
      """
    #expect(
      points("\(Self.whens)<gx:coord/><gx:coord>4 5 6</gx:coord><gx:coord> </gx:coord>\(sensors)") == [
        "point 5 4 2024-05-01T10:00:01Z elevation 6 heartRate 101"
      ])
  }

  @Test("Marks of a pause by older versions of OpenTracks split the segment and are not points")
  func pauseMarks() {
    func row(_ position: String, _ minute: Int) -> String {
      "<when>2024-05-01T10:0\(minute):00Z</when><gx:coord>\(position)</gx:coord>"
    }
    func transcript(_ tracks: [[String]], capacity: Int) -> Transcript {
      let content = tracks.map { "<gx:Track>\($0.joined())</gx:Track>" }.joined()
      return Transcript(
        kml: KMLTesting.file("<Placemark><gx:MultiTrack>\(content)</gx:MultiTrack></Placemark>"),
        capacity: capacity)
    }
    let first = [row("1 2 3", 1), row("1.1 2 3", 2)]
    let second = [row("1.2 2 3", 6)]
    let pause = row("0.0 100.0", 3)
    let resumption = row("0 200 0", 5)
    for capacity in [1, 64] {
      let marked = transcript(
        [[resumption] + first + [pause, resumption] + second + [pause, resumption]], capacity: capacity)
      #expect(marked.text == transcript([first, second], capacity: capacity).text)
      #expect(marked.warnings.isEmpty && marked.violations.isEmpty)
      // Without the other mark.
      for mark in [pause, resumption] {
        let alone = transcript([first + [mark] + second + [mark]], capacity: capacity)
        #expect(alone.text == marked.text)
        #expect(alone.warnings.isEmpty && alone.violations.isEmpty)
      }
    }
  }

  @Test(
    "Empty positions are counted, with the first place, and are not an error", arguments: [false, true])
  func countedEmptyPositions(isStrict: Bool) throws {
    let track =
      "<gx:Track>\(Self.whens)\n<gx:coord/><gx:coord>4 5 6</gx:coord>\n<gx:coord></gx:coord></gx:Track>"
    let transcript = Transcript(
      kml: KMLTesting.file("<Placemark>\(track)</Placemark><Placemark>\(track)</Placemark>"),
      isStrict: isStrict)
    #expect(transcript.error == nil)
    #expect(transcript.points.count == 2)
    let warning = try #require(transcript.warnings.first)
    #expect(transcript.warnings.count == 1)
    #expect(warning.message == "trackpoint without a position, skipped")
    #expect(warning.count == 4)
    let text = KMLTesting.file("<Placemark>\(track)</Placemark>")
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex {
      $0.contains("<gx:coord/>")
    }
    #expect(warning.place.line == line.map { $0 + 1 })
  }

  @Test("Different counts are reported, and the first values of each list belong together")
  func counts() {
    let few = Transcript(
      kml: KMLTesting.file(
        "<Placemark><gx:Track><when>2024</when><gx:coord>1 2</gx:coord><gx:coord>3 4</gx:coord></gx:Track></Placemark>"
      ))
    #expect(few.points == ["point 2 1 2024-01-01T00:00:00Z", "point 4 3"])
    #expect(few.warnings.map(\.message) == ["track with fewer times than positions, the last ones have none"])
    let many = Transcript(
      kml: KMLTesting.file(
        "<Placemark><gx:Track><when>2024</when><when>2025</when><gx:coord>1 2</gx:coord></gx:Track></Placemark>"
      ))
    #expect(many.points == ["point 2 1 2024-01-01T00:00:00Z"])
    #expect(
      many.warnings.map(\.message) == ["track with more times than positions, the last times ignored"])
    // A track without any time is a line.
    let none = Transcript(
      kml: KMLTesting.file("<Placemark><gx:Track><gx:coord>1 2</gx:coord></gx:Track></Placemark>"))
    #expect(none.points == ["point 2 1"])
    #expect(none.warnings == [])
  }

  @Test("A point with an empty or invalid time has no time")
  func times() {
    let transcript = Transcript(
      kml: KMLTesting.file(
        """
        <Placemark><gx:Track><when/><when>soon</when><when>2024-05-01T12:00:00+02:00</when><when>2024-05</when>
        <when>2024-05-01T10:00:00</when><gx:coord>1 1</gx:coord><gx:coord>2 2</gx:coord><gx:coord>3 3</gx:coord>
        <gx:coord>4 4</gx:coord><gx:coord>5 5</gx:coord></gx:Track></Placemark>
        """))
    #expect(
      transcript.points == [
        "point 1 1", "point 2 2", "point 3 3 2024-05-01T10:00:00Z", "point 4 4 2024-05-01T00:00:00Z",
        "point 5 5 2024-05-01T10:00:00Z",
      ])
    #expect(transcript.warnings.map(\.code) == [.invalidTime, .timeWithoutZone])
    #expect(transcript.warnings.map(\.offendingText) == ["soon", "2024-05-01T10:00:00"])
  }

  struct Sensor: Sendable {
    let name: String
    let expected: String
    var heading: String?
    init(_ name: String, _ expected: String, heading: String? = nil) {
      self.name = name
      self.expected = expected
      self.heading = heading
    }
  }

  @Test(
    "Sensors are recognized by the names used by programs, with the units in their headings",
    arguments: [
      Sensor("heartrate", "heartRate 36"), Sensor("heart_rate", "heartRate 36"), Sensor("HR", "heartRate 36"),
      Sensor("cadence", "cadence 36"), Sensor("power", "power 36"), Sensor("temperature", "temperature 36"),
      Sensor("temp", "temperature 36"), Sensor("speed", "speed 36"),
      Sensor("accuracy", "horizontalAccuracy 36"),
      Sensor("accuracy_horizontal", "horizontalAccuracy 36"),
      Sensor("accuracy_vertical", "verticalAccuracy 36"),
      Sensor("bearing", "course 36"), Sensor("course", "course 36"), Sensor("depth", "depth 36"),
      Sensor("satellites", "satellites 36"), Sensor("distance", "distance 36"),
      Sensor("speed", "speed 36", heading: "Vitesse (m/s)"),
      Sensor("speed", "speed 10", heading: "Speed (km/h)"),
      Sensor("speed", "speed 16.09344", heading: "Speed (mph)"),
      Sensor("distance", "distance 36000", heading: "Distance (km)"),
      Sensor("altitude", "elevation 36"),
    ])
  func sensors(_ sensor: Sensor) {
    let text = KMLTesting.file(
      """
      <Schema id="s"><gx:SimpleArrayField name="\(sensor.name)" type="float">\
      <displayName>\(sensor.heading ?? "")</displayName></gx:SimpleArrayField></Schema>
      <Placemark><gx:Track><gx:coord>1 2</gx:coord><gx:coord>3 4</gx:coord><gx:coord>5 6</gx:coord>
      <ExtendedData><SchemaData schemaUrl="#s"><gx:SimpleArrayData name="\(sensor.name)"><gx:value>36</gx:value><gx:value/>
      </gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track></Placemark>
      """)
    let transcript = Transcript(kml: text)
    #expect(transcript.points == ["point 2 1 \(sensor.expected)", "point 4 3", "point 6 5"])
    #expect(transcript.warnings == [])
  }

  @Test("Unknown arrays and invalid values are omitted with a warning, or are treated as unknown values")
  func badSensors() {
    let transcript = Transcript(
      kml: KMLTesting.file(
        """
        <Placemark><gx:Track><gx:coord>1 2</gx:coord><gx:coord>3 4</gx:coord><ExtendedData><SchemaData>
        <gx:SimpleArrayData name="mood"><gx:value>good</gx:value></gx:SimpleArrayData>
        <gx:SimpleArrayData name="speed"><gx:value>-1</gx:value><gx:value>fast</gx:value></gx:SimpleArrayData>
        <gx:SimpleArrayData name="bearing"><gx:value>360</gx:value><gx:value>361</gx:value></gx:SimpleArrayData>
        </SchemaData></ExtendedData><gx:angles>1 2 3</gx:angles></gx:Track></Placemark>
        """))
    #expect(transcript.points == ["point 2 1 course 0", "point 4 3"])
    #expect(
      transcript.warnings.map { "\($0.message) \($0.offendingText ?? "")" } == [
        "array of values for an unknown channel, ignored mood", "invalid number, ignored fast",
        "angles of a model, ignored ",
      ])
  }

  @Test("The tracks of a multiple track are segments, with the information about each")
  func multiTrack() {
    let transcript = Transcript(
      kml: KMLTesting.file(
        """
        <Placemark><gx:MultiTrack><gx:interpolate>0</gx:interpolate>
        <gx:Track><when>2024</when><gx:coord>1 2</gx:coord>
        <ExtendedData><Data name="lap"><value>1</value></Data></ExtendedData></gx:Track>
        <gx:Track><when>2025</when><gx:coord>3 4</gx:coord></gx:Track></gx:MultiTrack><name>late</name></Placemark>
        """))
    #expect(
      transcript.lines == [
        "header", "track", "segment", "point 2 1 2024-01-01T00:00:00Z",
        "late, about the innermost container",
        "  extension {http://www.opengis.net/kml/2.2}Data name=\"lap\"",
        "    extension {http://www.opengis.net/kml/2.2}value", "      text \"1\"", "end of segment",
        "segment", "point 4 3 2025-01-01T00:00:00Z", "end of segment", "late, about the track or route",
        "  name \"late\"", "end of track",
      ])
  }
}
