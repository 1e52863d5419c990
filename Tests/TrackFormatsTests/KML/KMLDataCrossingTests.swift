import Testing
import TrackFormats
import TrackModel

/// Tests values of KML's `ExtendedData` as properties of GeoJSON, and the reverse.
@Suite("Extended data between KML and GeoJSON")
struct KMLDataCrossingTests {
  private static let line = "<LineString><coordinates>1,2 3,4</coordinates></LineString>"

  private static func geojson(_ kml: String) throws -> (text: String, losses: LossReport) {
    try GeoJSON.written(KMLTesting.document(KMLTesting.file(kml)))
  }

  @Test(
    "Values of a placemark become string properties of its feature",
    arguments: [line, "<Point><coordinates>1,2</coordinates></Point>"])
  func properties(_ geometry: String) throws {
    let (text, losses) = try Self.geojson(
      """
      <Placemark><name>n</name><ExtendedData><Data name="lanes"><value>2</value></Data>\
      <Data name="Surface &amp; co"><value>"gravel"</value></Data>\
      <SchemaData schemaUrl="#s"><SimpleData name="grade">A</SimpleData></SchemaData></ExtendedData>\(geometry)</Placemark>
      """)
    #expect(text.contains(#""lanes":"2","Surface & co":"\"gravel\"","grade":"A""#))
    #expect(losses.isEmpty)
  }

  @Test("Values with a used or reserved name, and display names, are losses")
  func losses() throws {
    let (text, losses) = try Self.geojson(
      """
      <Placemark><description>d</description><ExtendedData><Data name="description"><value>e</value></Data>\
      <Data name="coordTimes"><value>x</value></Data><Data name="a"><displayName>A</displayName><value>1</value></Data>\
      <Data name="a"><value>2</value></Data></ExtendedData>\(Self.line)</Placemark>
      """)
    #expect(text.contains(#""desc":"d","a":"1"}"#))
    #expect(losses.text == "3 properties of a name that is taken, 1 display name of values")
  }

  @Test("Simple properties of GeoJSON become values of the placemark; others are unchanged")
  func data() throws {
    let document = try GeoJSON.document(
      GeoJSON.feature(
        GeoJSON.line("[1,2],[3,4]"),
        #"{"lanes":2,"surface":"<gravel>","open":true,"tags":["a"],"none":null,"heart":"?","_gpxType":"rte","x\u0001":"y"}"#
      ))
    let (bytes, losses) = try KMLTesting.kml(document)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains(
        """
        <Data name="lanes"><value>2</value></Data><Data name="surface"><value>&lt;gravel></value></Data>\
        <Data name="open"><value>true</value></Data>
        """) || text.contains("<Data name=\"surface\"><value>&lt;gravel&gt;</value></Data>"))
    #expect(losses.isEmpty)
    // In GeoJSON all are properties again, with numbers as numbers. Written as KML again, each value occurs
    // once.
    let again = try KMLTesting.kml(KMLTesting.document(bytes)).bytes
    #expect(String(decoding: again, as: UTF8.self).split(separator: "\"lanes\">").count == 2)
    let back = try GeoJSON.written(KMLTesting.document(bytes))
    #expect(back.losses.isEmpty)
    for member in [
      #""lanes":2"#, #""surface":"<gravel>""#, #""open":true"#, #""tags":["a"]"#, #""none":null"#,
      #""heart":"?""#, #""_gpxType":"rte""#, #""x\u0001":"y""#,
    ] {
      #expect(back.text.contains(member), "\(member) in \(back.text)")
    }
  }

  @Test("Values of KML are restored from GeoJSON")
  func roundTrip() throws {
    let kml = KMLTesting.file(
      """
      <Placemark><ExtendedData><Data name="lanes"><value>2</value></Data><Data name="é"><value> b </value></Data>\
      </ExtendedData>\(Self.line)</Placemark>
      """)
    let document = try KMLTesting.document(kml)
    let geojson = try GeoJSON.document(GeoJSON.written(document).text)
    let back = try KMLTesting.document(KMLTesting.kml(geojson).bytes)
    #expect(back.tracks.map(\.info.extensions) == document.tracks.map(\.info.extensions))
    #expect(document.tracks.first?.info.extensions.count == 2)
  }
}
