import Testing
import TrackFormats
import TrackModel

/// Tests sensor values inside `extensions`, in the notations of the manufacturers' schemas and files.
@Suite("GPX reader: sensors and extensions")
struct GPXSensorTests {
  struct Dialect: Sendable, CustomTestStringConvertible {
    let name: String
    /// The namespace, bound to the prefix `p`; nil for elements without one.
    let namespace: String?
    let xml: String
    let line: String
    var testDescription: String { name }
  }

  static let dialects = [
    Dialect(
      name: "Garmin TrackPointExtension v1",
      namespace: "http://www.garmin.com/xmlschemas/TrackPointExtension/v1",
      xml: """
        <p:TrackPointExtension><p:atemp>18.5</p:atemp><p:wtemp>12</p:wtemp><p:depth>3.5</p:depth><p:hr>121</p:hr>
        <p:cad>78</p:cad></p:TrackPointExtension>
        """,
      line: " heartRate 121 cadence 78 temperature 18.5 waterTemperature 12 depth 3.5"),
    Dialect(
      name: "Garmin TrackPointExtension v2",
      namespace: "http://www.garmin.com/xmlschemas/TrackPointExtension/v2",
      xml: """
        <p:TrackPointExtension><p:hr>121</p:hr><p:speed>11.5</p:speed><p:course>61.5</p:course>
        <p:bearing>62.5</p:bearing></p:TrackPointExtension>
        """, line: " speed 11.5 course 61.5 heartRate 121 bearing 62.5"),
    Dialect(
      name: "Garmin GpxExtensions v3", namespace: "http://www.garmin.com/xmlschemas/GpxExtensions/v3",
      xml: """
        <p:TrackPointExtension><p:Temperature>21.5</p:Temperature><p:Depth>8</p:Depth></p:TrackPointExtension>
        """,
      line: " temperature 21.5 depth 8"),
    Dialect(
      name: "Garmin PowerExtension", namespace: "http://www.garmin.com/xmlschemas/PowerExtension/v1",
      xml: "<p:PowerExtension><p:PowerInWatts>215</p:PowerInWatts></p:PowerExtension>", line: " power 215"),
    Dialect(
      name: "Garmin PowerExtension without its container",
      namespace: "http://www.garmin.com/xmlschemas/PowerExtension/v1",
      xml: "<p:PowerInWatts>215</p:PowerInWatts>", line: " power 215"),
    Dialect(
      name: "Cluetrust", namespace: "http://www.cluetrust.com/XML/GPXDATA/1/0",
      xml: "<p:hr>124</p:hr><p:cadence>80</p:cadence><p:temp>18.5</p:temp><p:distance>36.25</p:distance>",
      line: " heartRate 124 cadence 80 temperature 18.5 distance 36.25"),
    Dialect(
      name: "OpenTracks", namespace: "http://opentracksapp.com/xmlschemas/v1",
      xml: "<p:accuracy_horizontal>4.5</p:accuracy_horizontal><p:accuracy_vertical>6</p:accuracy_vertical>",
      line: " horizontalAccuracy 4.5 verticalAccuracy 6"),
    Dialect(
      name: "OsmAnd", namespace: "https://osmand.net", xml: "<p:speed>7.5</p:speed>", line: " speed 7.5"),
    Dialect(
      name: "OsmAnd's longer address",
      namespace: "https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx",
      xml: "<p:speed>7.5</p:speed>", line: " speed 7.5"),
    Dialect(name: "Strava", namespace: nil, xml: "<power>215</power>", line: " power 215"),
    Dialect(
      name: "Apple Watch exports", namespace: nil,
      xml: "<speed>2.5</speed><course>181.5</course><hAcc>3.5</hAcc><vAcc>2</vAcc>",
      line: " horizontalAccuracy 3.5 verticalAccuracy 2 speed 2.5 course 181.5"),
    Dialect(
      name: "loggers without a namespace", namespace: nil,
      xml: "<heartrate>99</heartrate><cadence>81</cadence><temp>20</temp><distance>5</distance>",
      line: " heartRate 99 cadence 81 temperature 20 distance 5"),
    Dialect(
      name: "accuracies of -1, which mean unknown", namespace: nil, xml: "<hAcc>-1</hAcc><speed>-1</speed>",
      line: ""),
  ]

  private static func document(_ dialect: Dialect, point: String) -> String {
    let prefix = dialect.namespace.map { " xmlns:p=\"\($0)\"" } ?? ""
    let start = "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"\(prefix)>"
    return start + point.replacing("$", with: "<extensions>\(dialect.xml)</extensions>") + "</gpx>"
  }

  @Test("Sensor values become channels, in every kind of point", arguments: dialects)
  func sensors(_ dialect: Dialect) {
    for (kind, point) in [
      ("point", "<trk><trkseg><trkpt lat=\"1\" lon=\"2\">$</trkpt></trkseg></trk>"),
      ("point", "<rte><rtept lat=\"1\" lon=\"2\">$</rtept></rte>"),
      ("waypoint", "<wpt lat=\"1\" lon=\"2\">$</wpt>"),
    ] {
      let transcript = Transcript(gpx: GPXSensorTests.document(dialect, point: point))
      #expect(transcript.points == ["\(kind) 1 2\(dialect.line)"])
      #expect(transcript.warnings == [] && transcript.violations == [])
    }
  }

  @Test("Sensors are matched by namespace only", arguments: dialects.filter { $0.namespace != nil })
  func foreignNamespace(_ dialect: Dialect) {
    let point = "<trk><trkseg><trkpt lat=\"1\" lon=\"2\">$</trkpt></trkseg></trk>"
    let strange = GPXSensorTests.document(dialect, point: point)
      .replacing(dialect.namespace ?? "", with: "urn:unknown")
    let transcript = Transcript(gpx: strange)
    #expect(transcript.points.count == 1)
    #expect(transcript.points[0].hasPrefix("point 1 2\n  extension {urn:unknown}"))
  }

  @Test("A namespace may be declared on the element itself")
  func localDeclaration() {
    let text = Sample.segment(
      """
      <trkpt lat="1" lon="2"><extensions><TrackPointExtension
       xmlns="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><hr>120</hr></TrackPointExtension>
      <z:TrackPointExtension xmlns:z="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"><z:cad>80</z:cad>
      </z:TrackPointExtension></extensions></trkpt>
      """)
    #expect(Transcript(gpx: text).points == ["point 1 2 heartRate 120 cadence 80"])
  }

  @Test("A channel that only some points have is absent from the others")
  func sparseColumns() {
    let text = Sample.segment(
      """
      <trkpt lat="1" lon="1"/><trkpt lat="2" lon="2"><extensions><power>5</power></extensions></trkpt>
      <trkpt lat="3" lon="3"/><trkpt lat="4" lon="4"><ele>1</ele></trkpt>
      """)
    #expect(
      Transcript(gpx: text).points == [
        "point 1 1", "point 2 2 power 5", "point 3 3", "point 4 4 elevation 1",
      ])
  }

  @Test("Unknown extensions are kept completely at every position")
  func unknown() {
    let extensions = """
      <extensions><x:a k="1" x:l="2" xml:lang="de"> one <x:b/> two <b xmlns="urn:y" xmlns:x="urn:z" x:m="3">three</b>
      </x:a><plain>p</plain><x:empty></x:empty></extensions>
      """
    let expected = [
      "  extension {urn:x}a k=\"1\" {urn:x}l=\"2\" {http://www.w3.org/XML/1998/namespace}lang=\"de\"",
      "    text \" one \"", "    extension {urn:x}b", "    text \" two \"",
      "    extension {urn:y}b {urn:z}m=\"3\"", "      text \"three\"", "  extension {}plain",
      "    text \"p\"",
      "  extension {urn:x}empty",
    ]
    let text = """
      <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x"><metadata>\(extensions)</metadata>
      <wpt lat="1" lon="1">\(extensions)</wpt><rte>\(extensions)<rtept lat="2" lon="2">\(extensions)</rtept></rte>
      <trk>\(extensions)<trkseg><trkpt lat="3" lon="3">\(extensions)</trkpt>\(extensions)</trkseg></trk>
      \(extensions)</gpx>
      """
    let transcript = Transcript(gpx: text)
    let all: [[String]] = [
      ["header", "  namespace x urn:x"] + expected, ["waypoint 1 1"] + expected, ["route"] + expected,
      ["point 2 2"] + expected, ["end of route", "track"] + expected, ["segment", "point 3 3"] + expected,
      ["late, about the innermost container"] + expected, ["end of segment", "end of track"],
      ["late, about the file"] + expected,
    ]
    #expect(transcript.lines == all.flatMap { $0 })
    #expect(transcript.warnings == [])
  }

  @Test("Other elements in a sensor container are kept in it")
  func container() {
    let text = """
      <gpx xmlns:g="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><trkseg><trkpt lat="1" lon="2">
      <extensions><g:TrackPointExtension><g:hr>120</g:hr><g:Extensions><g:more q="1"/></g:Extensions>
      <g:mystery>7</g:mystery></g:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
      """
    let namespace = "{http://www.garmin.com/xmlschemas/TrackPointExtension/v1}"
    #expect(
      Transcript(gpx: text).points == [
        """
        point 1 2 heartRate 120
          extension \(namespace)TrackPointExtension
            extension \(namespace)Extensions
              extension \(namespace)more q="1"
            extension \(namespace)mystery
              text "7"
        """
      ])
  }

  @Test("Sensor values of a track or a segment are not channels and remain extensions")
  func sensorsOfContainers() {
    let text = Sample.gpx(
      """
      <trk><extensions><power>250</power></extensions><trkseg><trkpt lat="1" lon="2"/>
      <extensions><distance>5</distance></extensions></trkseg></trk>
      """)
    #expect(
      Transcript(gpx: text).lines.dropFirst(2) == [
        "track", "  extension {}power", "    text \"250\"", "segment", "point 1 2",
        "late, about the innermost container", "  extension {}distance", "    text \"5\"", "end of segment",
        "end of track",
      ])
  }

  @Test("Extensions inside extensions belong to the enclosing point")
  func nestedExtensions() {
    let text = """
      <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x"><trk><trkseg><trkpt lat="1" lon="2"><extensions>
      <extensions><x:a>1</x:a><x:b c="d"/></extensions></extensions></trkpt></trkseg></trk></gpx>
      """
    let transcript = Transcript(gpx: text)
    #expect(transcript.points.count == 1)
    #expect(transcript.points.first?.contains("{urn:x}a") == true)
    #expect(transcript.points.first?.contains("{urn:x}b") == true)
    #expect(transcript.lines.last == "end of track", "nothing went to the file")
  }
}
