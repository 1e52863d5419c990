import Testing
import TrackModel

@testable import TrackFormats

@Suite("KML lines of any length")
struct KMLLongLineTests {
  @Test(
    "A line with coordinates longer than the limit on other texts is read completely",
    arguments: [4093, 1 << 16])
  func longLine(_ chunk: Int) throws {
    var options = ReadingOptions()
    options.limits.textSize = 1 << 19
    let block = (0..<3600).map { "\(Double($0 % 360) - 179.5),\(Double($0) / 100),12.25\n" }.joined()
    let blocks = 2 * options.limits.textSize / block.utf8.count
    let count = 3600 * blocks
    let text =
      "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><LineString><coordinates>"
      + String(repeating: block, count: blocks)
      + "</coordinates></LineString><name>late</name></Placemark></kml>"
    #expect(text.utf8.count > options.limits.textSize)
    var reader = KMLReader(ByteInput(bytes: Array(text.utf8), chunk: chunk), options: options)
    var batch = PointBatch()
    var row = 0
    var names: [String] = []
    while let event = try reader.next(into: &batch) {
      if case .annotation(.track(let info)) = event { names.append(info.name ?? "") }
      guard case .points = event else { continue }
      for index in 0..<batch.count {
        let point = batch.coordinate(at: index)
        // One expectation for all points: one for each would take longer than the reading.
        if point.longitude != Double(row % 360) - 179.5 || point.latitude != Double(row % 3600) / 100 {
          Issue.record("point \(row) is \(point)")
          return
        }
        row += 1
      }
    }
    #expect(row == count)
    #expect(names == ["late"])
    #expect(reader.warnings == [])
  }

  @Test("A line truncated inside a long text keeps its complete points")
  func cutOff() throws {
    let text =
      "<kml><Placemark><LineString><coordinates>"
      + String(repeating: "1.5,2.5\n", count: 50_000) + "3.5,4"
    var reader = KMLReader(ByteInput(bytes: Array(text.utf8)))
    let document = try TrackDocument(reading: &reader)
    #expect(document.tracks.first?.segments.first?.points.count == 50_000)
    #expect(reader.warnings.map(\.code) == [.truncated])
  }

  @Test("A point's long list of positions is split between positions")
  func points() throws {
    let text =
      "<kml><Placemark><Point><coordinates>" + String(repeating: " ", count: 1 << 19)
      + "1.25,2.5,3</coordinates>"
      + "</Point></Placemark></kml>"
    var reader = KMLReader(ByteInput(bytes: Array(text.utf8)))
    let document = try TrackDocument(reading: &reader)
    #expect(document.waypoints.map(\.coordinate) == [Coordinate(latitude: 2.5, longitude: 1.25)])
    #expect(reader.warnings == [])
  }
}
