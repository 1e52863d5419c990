import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("Values of other channels")
struct ExtraValuesTests {
  private static let table = """
    time,latitude,longitude,speed,RPM (1/min),Throttle Position [%],RPM (1/min),state
    2024-05-17T06:12:30Z,47.1,8.1,10,3000,12.5,7,a
    2024-05-17T06:12:31Z,47.2,8.1,11,,13,,b
    2024-05-17T06:12:32Z,47.3,8.1,12,3100.25,,-8,c
    """
  private static let names = [
    ExtraValues.Name("RPM", unit: "1/min"), ExtraValues.Name("Throttle Position", unit: "%"),
    ExtraValues.Name("RPM 2", unit: "1/min"),
  ]
  /// The values of each point by heading.
  private static let expected = [
    ["RPM (1/min)": 3000, "Throttle Position (%)": 12.5, "RPM 2 (1/min)": 7], ["Throttle Position (%)": 13],
    ["RPM (1/min)": 3100.25, "RPM 2 (1/min)": -8],
  ]

  private static func document() throws -> TrackDocument { try CSVTable.document(Array(table.utf8)) }

  /// Returns the values of each point that has any.
  private static func values(_ bytes: [UInt8], _ format: TrackFormat) throws -> [[String: Double]] {
    var reader = try format.reader(ByteInput(bytes: bytes))
    var batch = PointBatch(capacity: 2)
    var values: [[String: Double]] = []
    while let event = try reader.next(into: &batch) {
      guard case .points = event else { continue }
      for row in batch.details {
        guard let extra = row.details.extraValues else { continue }
        values.append(
          Dictionary(
            uniqueKeysWithValues: zip(extra.names, extra.values).filter { !$1.isNaN }.map { ($0.heading, $1) }
          ))
      }
    }
    return values
  }

  @Test("Columns of numbers without a known meaning are channels with the units of their headings")
  func columns() throws {
    let document = try Self.document()
    #expect(try Self.values(Array(Self.table.utf8), .csv) == Self.expected)
    let extra = document.tracks.first?.segments.first?.points.details.first?.details.extraValues
    #expect(extra?.names == Self.names)
    #expect(
      CSVTable.warnings(Self.table) == ["line 1: unknown columns, ignored: \"state\""])
  }

  @Test(
    "A channel can begin anywhere in the table; a text in the place of its first value is an unknown column",
    arguments: [1, 300, 5000])
  func lateChannels(rows: Int) throws {
    let early = String(repeating: "2024-05-17T06:12:30Z,47.1,8.1,,-,,\n", count: rows)
    let table =
      "time,lat,lon,rpm (1/min),gear,state,never\n" + early + "2024-05-17T06:12:31Z,47.2,8.1,3000,2,idle,\n"
      + "2024-05-17T06:12:32Z,47.3,8.1,,,7,\n2024-05-17T06:12:32Z,47.3,8.1,,,idle,\n"
    let isInSample = early.utf8.count < CSVLayout.sampleLength
    #expect(try Self.values(Array(table.utf8), .csv) == [["rpm (1/min)": 3000, "gear": 2]])
    #expect(
      CSVTable.warnings(table).filter { $0.contains("columns") } == [
        "line \(isInSample ? 1 : rows + 2): unknown columns, ignored: \"state\""
      ])
  }

  @Test("Repeated names of RaceChrono have the sources below their units")
  func sources() throws {
    let table = """
      timestamp,latitude,longitude,speed,speed,lean_angle,rpm,rpm
      unix time,deg,deg,m/s,m/s,deg,rpm,rpm
      ,100: gps,100: gps,100: gps,calc,calc,200: obd,300: canbus
      1715926350,47.1,8.1,10,10.5,3,3000,3001
      """
    let document = try CSVTable.document(Array(table.utf8))
    let points = document.tracks.first?.segments.first?.points
    #expect(points?.value(.speed, at: 0) == 10)
    #expect(
      points?.details.first?.details.extraValues?.names.map(\.heading) == [
        "speed calc (m/s)", "lean_angle (deg)", "rpm (rpm)", "rpm canbus (rpm)",
      ])
    #expect(CSVTable.warnings(table) == [])
  }

  @Test(
    "Formats that represent other channels return them",
    arguments: [TrackFormat.csv, .tsv, .gpx, .geojson, .geojsonseq, .vbo])
  func roundTrip(_ format: TrackFormat) throws {
    let (bytes, losses) = try Self.written(format)
    #expect(losses.isEmpty)
    #expect(try Self.values(bytes, format) == Self.expected)
  }

  @Test(
    "GeoJSON returns channels whose names have another meaning in its arrays",
    arguments: [TrackFormat.geojson, .geojsonseq])
  func takenNames(_ format: TrackFormat) throws {
    let names = [
      "altitude", "times", "time", "coordTimes", "speeds", "sats", "cads", "heart", "heart_rate", "gpx:hr",
      "channel altitude", "channel channel times", "channel", "Channel speed", "channel x", "lap",
    ].map { ExtraValues.Name($0) }
    var points = PointColumns()
    for row in 0..<2 {
      var details = PointDetails()
      details.extraValues = ExtraValues(names, names.indices.map { Double(100 * row + $0) })
      points.append(
        Coordinate(latitude: Double(row), longitude: 2), time: Instant(microseconds: Int64(row) * 1_000_000),
        values: [.elevation: 5, .speed: 6, .heartRate: 7], details: details)
    }
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(segments: [TrackDocument.Segment(points: points)])]
    var source = TrackDocumentReader(document)
    let folder = try TemporaryFolder()
    var writer = try format.writer(try ByteSink(path: folder.file("out")))
    try Conversion.copy(&source, to: &writer)
    var reader = try format.reader(try ByteInput(path: folder.file("out")))
    #expect(try TrackDocument(reading: &reader).tracks.first?.segments.first?.points == points)
  }

  @Test("Other formats count them as lost", arguments: [TrackFormat.kml, .tcx, .fit, .igc, .plt, .polyline])
  func lost(_ format: TrackFormat) throws {
    let (_, losses) = try Self.written(format)
    // Three values of the first point, one of the second, two of the third.
    #expect(losses.losses.first { $0.what == "values of other channels" }?.count == 6)
  }

  private static func written(_ format: TrackFormat) throws -> (bytes: [UInt8], losses: LossReport) {
    let folder = try TemporaryFolder()
    var source = TrackDocumentReader(try document())
    var writer = try format.writer(try ByteSink(path: folder.file("out")))
    var batch = PointBatch(capacity: 2)
    while let event = try source.next(into: &batch) { try writer.write(event, batch) }
    try writer.finish()
    return (Array(try Data(contentsOf: URL(filePath: folder.file("out")))), writer.losses)
  }
}
