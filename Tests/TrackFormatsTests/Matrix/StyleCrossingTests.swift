import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import TestSupport
@testable import TrackArchives

/// Converts line colours and widths between formats; the expected values are those of their specifications.
@Suite("Styles in other formats")
struct StyleCrossingTests {
  /// A line in one dialect.
  struct Source: Sendable, CustomTestStringConvertible {
    let dialect: String
    let text: String
    let style: String
    var testDescription: String { "\(dialect): \(style)" }
  }

  /// The texts that each format must contain for a style.
  private static let expected: [String: [String: [String]]] = [
    // Red 200, green 100, blue 50, half transparent (128 of 255), 4 pixels of 1/96 inch: 1.0583 mm. The
    // nearest of Garmin's sixteen colours is DarkYellow (181, 184, 32): 19² + 84² + 18² = 7741; Red has
    // 15525.
    "orange": [
      "kml": ["<color>803264c8</color>", "<width>4</width>"],
      "geojson": [
        "\"stroke\":\"#c86432\"", "\"stroke-opacity\":0.5,", "\"stroke-width\":4",
      ],
      "gpx": [
        "<color>c86432</color>", "<opacity>0.5</opacity>",
        "<width>1.0583</width>", "<DisplayColor>DarkYellow</DisplayColor>",
        ">#80c86432</color>", ">4</width>",
      ],
    ],
    // Opaque, without a width.
    "navy": [
      "kml": ["<color>ff8b0000</color>"],
      "geojson": ["\"stroke\":\"#00008b\""],
      "gpx": [
        "<color>00008b</color>", "<DisplayColor>DarkBlue</DisplayColor>",
        ">#00008b</color>",
      ],
    ],
    // Only a width: 8 pixels are 2.1167 mm.
    "bold": [
      "kml": ["<width>8</width>"], "geojson": ["\"stroke-width\":8"],
      "gpx": ["<width>2.1167</width>", ">8</width>"],
    ],
  ]

  /// The texts that a style must not contain, because it does not set these values.
  private static let unwanted: [String: [String]] = [
    "navy": ["opacity", "width"], "bold": ["color>", "\"stroke\"", "DisplayColor"],
  ]

  private static func kml(_ style: String) -> String {
    """
    <kml xmlns="http://www.opengis.net/kml/2.2"><Document><Style id="s"><LineStyle>\(style)</LineStyle></Style>
    <Placemark><styleUrl>#s</styleUrl><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>
    </Document></kml>
    """
  }

  private static func geojson(_ style: String) -> String {
    """
    {"type":"Feature","properties":{\(style)},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}
    """
  }

  private static func gpx(_ extensions: String) -> String {
    """
    <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"
     xmlns:s="http://www.topografix.com/GPX/gpx_style/0/2" xmlns:g="http://www.garmin.com/xmlschemas/GpxExtensions/v3"
     xmlns:o="https://osmand.net"><trk><extensions>\(extensions)</extensions><trkseg><trkpt lat="2" lon="1"/>
    <trkpt lat="4" lon="3"/></trkseg></trk></gpx>
    """
  }

  static let sources: [Source] = [
    Source(dialect: "KML", text: kml("<color>803264C8</color><width>4</width>"), style: "orange"),
    Source(
      dialect: "simplestyle",
      text: geojson("\"stroke\":\"#C86432\",\"stroke-opacity\":0.5,\"stroke-width\":4"), style: "orange"),
    Source(
      dialect: "gpx_style",
      text: gpx(
        "<s:line><s:color>C86432</s:color><s:opacity>0.5</s:opacity><s:width>1.0583</s:width></s:line>"),
      style: "orange"),
    Source(
      dialect: "OsmAnd", text: gpx("<o:color>#80c86432</o:color><o:width>medium</o:width>"), style: "orange"),
    Source(
      dialect: "topografix before Garmin",
      text: gpx(
        "<s:line><s:color>00008b</s:color></s:line><g:TrackExtension><g:DisplayColor>Red</g:DisplayColor>"
          + "</g:TrackExtension>"), style: "navy"),
    Source(dialect: "KML", text: kml("<color>ff8b0000</color>"), style: "navy"),
    Source(dialect: "simplestyle", text: geojson("\"stroke\":\"#00008b\""), style: "navy"),
    Source(
      dialect: "Garmin",
      text: gpx("<g:TrackExtension><g:DisplayColor>DarkBlue</g:DisplayColor></g:TrackExtension>"),
      style: "navy"),
    Source(dialect: "OsmAnd", text: gpx("<o:color>#00008b</o:color>"), style: "navy"),
    Source(dialect: "KML", text: kml("<width>8</width>"), style: "bold"),
    Source(dialect: "simplestyle", text: geojson("\"stroke-width\":8"), style: "bold"),
    Source(dialect: "gpx_style", text: gpx("<s:line><s:width>2.1167</s:width></s:line>"), style: "bold"),
    Source(dialect: "OsmAnd", text: gpx("<o:width>bold</o:width>"), style: "bold"),
  ]

  @Test("A line has the same style in every format", arguments: sources)
  func crossing(_ source: Source) throws {
    for (name, pieces) in Self.expected[source.style] ?? [:] {
      var input = ByteInput(bytes: Array(source.text.utf8))
      var reader = try FormatRegistry.withArchives.detect(&input).reader(input)
      let format = try #require(FormatRegistry.withArchives.named(name))
      let folder = try TemporaryFolder()
      var writer = try format.writer(try ByteSink(path: folder.file("out")))
      var batch = PointBatch()
      while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
      try writer.finish()
      #expect(writer.losses.isEmpty)
      // Without prefixes, which the writer chooses.
      let text = try folder.text("out").replacing(/<(\/?)[a-z_]+:/) { "<\($0.1)" }
      for piece in pieces { #expect(text.contains(piece), "\(name): \(piece) in \(text)") }
      for piece in Self.unwanted[source.style] ?? [] { #expect(!text.contains(piece), "\(name): \(piece)") }
    }
  }

  @Test("Transparency is preserved to the nearest of 255 steps by all conversions")
  func opacity() throws {
    for alpha in 0...255 {
      let color = TrackColor(red: 1, green: 2, blue: 3, alpha: UInt8(alpha))
      var document = TrackDocument()
      var track = TrackDocument.Track()
      track.info.style = LineStyle(color: color, width: 2.5)
      var points = PointColumns()
      points.append(Coordinate(latitude: 1, longitude: 2))
      points.append(Coordinate(latitude: 3, longitude: 4))
      track.segments = [TrackDocument.Segment(points: points)]
      document.tracks = [track]
      var first = TrackDocumentReader(document)
      var geojson = GeoJSONWriter(ByteSink())
      try Conversion.copy(&first, to: &geojson)
      var second = GeoJSONReader(ByteInput(bytes: geojson.bytes))
      var gpx = GPXWriter(ByteSink())
      try Conversion.copy(&second, to: &gpx)
      var third = GPXReader(ByteInput(bytes: gpx.bytes))
      var kml = KMLWriter(ByteSink())
      try Conversion.copy(&third, to: &kml)
      let read = try KMLTesting.document(kml.bytes)
      #expect(read.tracks.first?.info.style == LineStyle(color: color, width: 2.5), "alpha \(alpha)")
    }
  }
}
