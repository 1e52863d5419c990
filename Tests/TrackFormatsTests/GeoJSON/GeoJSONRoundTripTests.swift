import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Document → GeoJSON → document, for random documents and real files.
@Suite("GeoJSON round trips")
struct GeoJSONRoundTripTests {
  /// The expected document after writing to GeoJSON and reading back.
  ///
  /// - A route becomes a track with a property that marks it; routes precede the tracks.
  /// - A segment of one point becomes a waypoint. Empty segments, and tracks of these, are omitted.
  /// - Trackpoints lose their texts and extensions, segments their extensions, and other formats'
  ///   extensions are lost.
  /// - Empty texts become `nil`. Elevations, times and channels are unchanged.
  /// - Minus zero becomes zero.
  private enum Normalization {
    static func normalized(_ document: TrackDocument) -> TrackDocument {
      var result = TrackDocument()
      result.info = document.info
      result.info.namespaces = []
      result.info.extensions = []
      result.info.name = text(document.info.name)
      result.waypoints = document.waypoints.map { waypoint in
        Waypoint(
          coordinate: waypoint.coordinate, time: waypoint.time, values: waypoint.values,
          details: words(waypoint.details))
      }
      let routes = document.routes.map { route -> TrackDocument.Track in
        var info = route.info
        info.extensions = [element("{\"_gpxType\":\"rte\"}")]
        return TrackDocument.Track(info: info, segments: [TrackDocument.Segment(points: route.points)])
      }
      let tracks = document.tracks.map { track -> TrackDocument.Track in
        var track = track
        track.info.extensions = []
        return track
      }
      for track in routes + tracks {
        let isOnly = track.segments.filter { $0.points.count > 0 }.count == 1
        var track = track
        for segment in track.segments where segment.points.count == 1 {
          // The only point gets all texts of the track, others only its name and type.
          var details = PointDetails(name: text(track.info.name))
          details.type = text(track.info.type)
          if isOnly {
            details.comment = track.info.comment
            details.description = track.info.description
            details.source = track.info.source
            details.links = track.info.links
            // A waypoint has no property for a number or a route marker.
            let isRoute = !track.info.extensions.isEmpty
            let kept = [track.info.number.map { "\"number\":\($0)" }, isRoute ? "\"_gpxType\":\"rte\"" : nil]
            let members = kept.compactMap(\.self).joined(separator: ",")
            if !members.isEmpty { details.extensions = [element("{\(members)}")] }
          }
          var values: [Channel: Double] = [:]
          for channel in segment.points.channels.channels {
            values[channel] = segment.points.value(channel, at: 0)
          }
          result.waypoints.append(
            Waypoint(
              coordinate: segment.points.coordinate(at: 0), time: segment.points.time(at: 0), values: values,
              details: details))
        }
        track.segments = track.segments.filter { $0.points.count > 1 }.map {
          TrackDocument.Segment(points: bare($0.points))
        }
        if !track.segments.isEmpty { result.tracks.append(track) }
      }
      return result
    }

    private static func element(_ members: String) -> ExtensionElement {
      ExtensionElement(namespace: "urn:ietf:rfc:7946", prefix: "geojson", name: "properties", text: members)
    }

    private static func text(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }

    private static func words(_ details: PointDetails) -> PointDetails {
      var details = details
      details.extensions = []
      return details
    }

    private static func bare(_ points: PointColumns) -> PointColumns {
      var bare = PointColumns()
      for row in 0..<points.count {
        var values: [Channel: Double] = [:]
        for channel in points.channels.channels { values[channel] = points.value(channel, at: row) }
        bare.append(points.coordinate(at: row), time: points.time(at: row), values: values)
      }
      return bare
    }
  }

  @Test(
    "A property that does not suit its meaning or its feature is written again unchanged",
    arguments: [
      #""name":true"#, #""desc":{"a":[1]}"#, #""number":"first""#, #""stroke":"red""#,
      ##""stroke":"#12345""##,
      #""stroke-width":"thin""#, #""stroke-opacity":0.5"#, #""marker-color":"none""#,
      ##""marker-color":"#ff0000""##,
      #""sym":"Flag""#, #""fix":"3d""#, #""dgpsid":5"#, #""links":7"#, #""timespan":7"#, #""laps":7"#,
      #""coarseness":7"#, #""heart":true"#,
      #""heart":"high""#,
      #""_gpxType":"rte""#, #""number":7"#, ##""stroke":"#ff0000""##, #""stroke-width":2.5"#,
    ])
  func unsuitableProperties(_ member: String) throws {
    for geometry in [GeoJSON.line("[1,2],[3,4]"), #"{"type":"Point","coordinates":[1,2]}"#] {
      let document = try GeoJSON.document(GeoJSON.feature(geometry, "{\(member)}"))
      let (text, losses) = try GeoJSON.written(document)
      #expect(text.contains(member), "\(text)")
      #expect(losses.isEmpty, "\(losses)")
    }
  }

  @Test(
    "Times and sensors of positions in another form are a loss when writing, because writing needs their names"
  )
  func unsuitableArrays() throws {
    let document = try GeoJSON.document(
      GeoJSON.feature(GeoJSON.line("[1,2],[3,4]"), #"{"coordTimes":7,"coordinateProperties":7}"#))
    #expect(try GeoJSON.written(document).losses.losses.map(\.count) == [2])
  }

  @Test("Links may be addresses, and a title next to a name is kept")
  func links() throws {
    let properties = #"{"links":["https://a.example",{"href":"https://b.example"}],"name":"n","title":"t"}"#
    let document = try GeoJSON.document(GeoJSON.feature(GeoJSON.line("[1,2],[3,4]"), properties))
    let info = try #require(document.tracks.first).info
    #expect(info.links.map(\.address) == ["https://a.example", "https://b.example"])
    #expect(info.name == "n")
    #expect(try GeoJSON.written(document).text.contains(#""title":"t""#))
    let one = try GeoJSON.document(
      GeoJSON.feature(GeoJSON.line("[1,2],[3,4]"), #"{"links":"https://c.example"}"#))
    #expect(one.tracks.first?.info.links.map(\.address) == ["https://c.example"])
  }

  @Test("A document is read back unchanged, except for the documented changes")
  func property() throws {
    let seed = SeededGenerator.printedSeed()
    for index in 0..<UInt64(Effort.rounds(100)) {
      var random = RandomDocument(seed: seed &+ index, isWild: true)
      let document = withoutCrossings(random.document())
      let comment: Comment = "seed \(seed &+ index)"
      let (text, _) = try GeoJSON.written(document, capacity: 7)
      var reader = GeoJSONReader(ByteInput(bytes: Array(text.utf8), chunk: 61))
      let read = try TrackDocument(reading: &reader)
      #expect(reader.warnings.allSatisfy { $0.message == "feature without a position, skipped" }, comment)
      let expected = Normalization.normalized(document)
      #expect(read == expected, comment)
      if read != expected {
        // The differing lines are more readable than two documents.
        let lines = [read, expected].map { GeoJSON.transcript(of: $0).split(separator: "\n") }
        for change in lines[0].difference(from: lines[1]) { Issue.record("\(change)") }
        return
      }
      // Writing the result again changes nothing.
      let again = try GeoJSON.written(read, capacity: 3)
      #expect(try GeoJSON.written(GeoJSON.document(again.text)).text == again.text, comment)
    }
  }

  /// Lines on one side of the antimeridian, so that no point is added.
  private func withoutCrossings(_ document: TrackDocument) -> TrackDocument {
    var result = document
    func halved(_ points: PointColumns) -> PointColumns {
      var halved = PointColumns()
      for row in 0..<points.count {
        var values: [Channel: Double] = [:]
        for channel in points.channels.channels { values[channel] = points.value(channel, at: row) }
        let coordinate = points.coordinate(at: row)
        halved.append(
          Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude / 2),
          time: points.time(at: row),
          values: values, details: points.details.first { $0.row == row }?.details ?? PointDetails())
      }
      return halved
    }
    for index in result.routes.indices { result.routes[index].points = halved(result.routes[index].points) }
    for track in result.tracks.indices {
      for segment in result.tracks[track].segments.indices {
        result.tracks[track].segments[segment].points = halved(result.tracks[track].segments[segment].points)
      }
    }
    return result
  }

  @Test("A line across the antimeridian is read back as one line of its own points")
  func crossings() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var points = PointColumns()
      for _ in 0..<Int.random(in: 2...12, using: &generator) {
        let longitude =
          [-180, 180, Double.random(in: -180...180, using: &generator)].randomElement(using: &generator) ?? 0
        points.append(
          Coordinate(latitude: Double.random(in: -80...80, using: &generator), longitude: longitude))
      }
      var document = TrackDocument()
      document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: points)])]
      let text = try GeoJSON.written(document, capacity: 4).text
      let read = try #require(try GeoJSON.document(text).tracks.first).segments.map(\.points)
      #expect(read.map(\.latitudes) == [points.latitudes], "seed \(seed)")
      // A point on the meridian takes the sign of its neighbours.
      #expect(
        read.map { $0.longitudes.map { abs($0) == 180 ? 180 : $0 } }
          == [points.longitudes.map { abs($0) == 180 ? 180 : $0 }], "seed \(seed)")
    }
  }

  @Test(
    "A real file is read as by other readers, even after it has been written again",
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"),
    arguments: CorpusFigures.all(in: "geojson"))
  func corpus(_ figures: CorpusFigures) throws {
    let document = try GeoJSON.document(figures.bytes())
    #expect(figures.differences(from: document) == [])
    let (text, _) = try GeoJSON.written(document)
    let again = try GeoJSON.document(text)
    // Number forms that are not canonical and points on the antimeridian may change, nothing else.
    #expect(again.waypoints.count == document.waypoints.count)
    if !text.contains("180,") { #expect(GeoJSON.transcript(of: again) == GeoJSON.transcript(of: document)) }
    let sequence = try GeoJSON.written(document, isSequence: true)
    if !sequence.text.isEmpty { #expect(try GeoJSON.document(sequence.text).tracks == again.tracks) }
  }

  @Test("Content that GPX and GeoJSON share survives conversion in both directions")
  func throughGPX() throws {
    let text = GeoJSON.collection(
      GeoJSON.feature(
        GeoJSON.line("[1,2,3.5],[4,5]"),
        "{\"name\":\"n\",\"coordTimes\":[\"2024-04-01T06:00:00Z\",null],\"heart\":[90,91],\"lanes\":[2,{\"a\":null}]}"
      ),
      "{\"type\":\"Feature\",\"id\":5,\"properties\":{\"note\":\"<&>\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[7,8]}}"
    )
    let document = try GeoJSON.document(text)
    let gpx = try Conversion.gpx(document)
    #expect(gpx.losses.text == "")
    var back = try Conversion.document(gpx.bytes)
    back.info = document.info
    #expect(try GeoJSON.written(back).text == GeoJSON.written(document).text)
  }
}
