import Testing
import TrackFormats
import TrackModel

@testable import TestSupport

@Suite("Waypoint colours")
struct WaypointColorTests {
  private static let red = TrackColor(red: 255, green: 16, blue: 0)

  /// The same waypoint in the three formats with waypoint colours: OsmAnd's element, KML's icon style with
  /// its order of components, and simplestyle's property.
  private static let documents: [(TrackFormat, String)] = [
    (
      .gpx,
      """
      <gpx version="1.1" creator="c" xmlns="http://www.topografix.com/GPX/1/1"
       xmlns:osmand="https://osmand.net"><wpt lat="48" lon="11"><name>A</name>
       <extensions><osmand:color>#ff1000</osmand:color></extensions></wpt></gpx>
      """
    ),
    (
      .kml,
      """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Document>
      <Style id="s"><IconStyle><color>ff0010ff</color></IconStyle></Style>
      <Placemark><name>A</name><styleUrl>#s</styleUrl><Point><coordinates>11,48</coordinates></Point></Placemark>
      </Document></kml>
      """
    ),
    (
      .geojson,
      """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[11,48]},
       "properties":{"name":"A","marker-color":"#ff1000"}}
      """
    ),
  ]

  private static func waypoints(_ text: [UInt8], _ format: TrackFormat) throws -> [Waypoint] {
    var reader = try format.reader(ByteInput(bytes: text))
    var batch = PointBatch()
    var waypoints: [Waypoint] = []
    while let event = try reader.next(into: &batch) {
      if case .waypoint(let waypoint) = event { waypoints.append(waypoint) }
    }
    return waypoints
  }

  private static func written(_ waypoints: [Waypoint], _ format: TrackFormat) throws -> (
    bytes: [UInt8], losses: LossReport
  ) {
    let folder = try TemporaryFolder()
    let path = folder.file("out")
    var writer = try format.writer(ByteSink(path: path))
    let batch = PointBatch()
    try writer.write(.header(FileInfo()), batch)
    for waypoint in waypoints { try writer.write(.waypoint(waypoint), batch) }
    try writer.finish()
    return (Array(try folder.text("out").utf8), writer.losses)
  }

  @Test("A colour is read", arguments: documents.indices)
  func read(index: Int) throws {
    let (format, text) = Self.documents[index]
    let waypoints = try Self.waypoints(Array(text.utf8), format)
    #expect(waypoints.map(\.details.color) == [Self.red])
    #expect(waypoints.first?.details.extensions == [])
  }

  @Test("A colour is converted to each of the other formats", arguments: documents.indices, documents.indices)
  func crosses(from: Int, to: Int) throws {
    let (source, text) = Self.documents[from]
    let waypoints = try Self.waypoints(Array(text.utf8), source)
    let (bytes, losses) = try Self.written(waypoints, Self.documents[to].0)
    #expect(losses.isEmpty, "\(losses.text)")
    let back = try Self.waypoints(bytes, Self.documents[to].0)
    #expect(back.map(\.details.color) == [Self.red])
  }

  @Test("Formats without colours count them as lost", arguments: [TrackFormat.csv, .tsv])
  func losses(format: TrackFormat) throws {
    var waypoint = Waypoint(
      coordinate: Coordinate(latitude: 48, longitude: 11), time: Instant(secondsSince1970: 1_700_000_000))
    waypoint.details.color = Self.red
    let (_, losses) = try Self.written([waypoint], format)
    #expect(
      losses.losses.contains { ["colours of points", "waypoints"].contains($0.what) && $0.count == 1 },
      "\(losses.text)")
  }

  @Test("White leaves a KML icon unchanged and is not a colour")
  func white() throws {
    let text = Self.documents[1].1.replacing("ff0010ff", with: "ffffffff")
    #expect(try Self.waypoints(Array(text.utf8), .kml).map(\.details.color) == [nil])
  }
}
