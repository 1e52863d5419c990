import Foundation
import GhostConvertKit
import TestSupport
import Testing
import TrackArchives

@Suite("Writing drives and comparisons")
struct DriveWritingTests {
  private static let start: Instant? = Instant(microseconds: 1_714_543_929_000_000)

  private static func drive(_ name: String = "Way", from start: Instant? = start) -> Drive {
    Drive(
      name: name, startTime: start, endTime: start.flatMap { $0.advanced(bySeconds: 40) }, duration: 40,
      distance: 0.28,
      coordinates: (0..<41).map { Coordinate(latitude: 47 + Double($0) / 10_000, longitude: 8.5) })
  }

  @Test(
    "A drive that is written and read again is the same drive",
    arguments: [TrackFormat.gpx, .kml, .kmz, .tcx, .geojson, .geojsonseq, .csv, .drive])
  func sameDrive(format: TrackFormat) throws {
    for drive in [Self.drive(), Self.drive(from: nil)] {
      let data = try drive.data(as: format)
      var expected = drive
      // TCX requires a sport for each activity, which is read as the kind.
      if format == .tcx { expected.kind = try Drive.read(data).first?.kind }
      #expect(try Drive.read(data, as: format) == [expected])
    }
  }

  @Test(
    "Every writable format of tracks keeps the points",
    arguments: FormatRegistry.withArchives.formats.filter { $0.canWrite && $0 != .wpt })
  func everyFormat(format: TrackFormat) async throws {
    let drives = format.holdsSeveralTracks ? [Self.drive("A"), Self.drive("B")] : [Self.drive()]
    var points = 0
    for try await recording in TrackFile(try drives.data(as: format), as: format.canRead ? format : nil)
      .recordings
    {
      points += recording.count
    }
    // An encoded polyline cannot contain several tracks.
    #expect(points == 41 * drives.count, "\(format)")
  }

  @Test("The file extension determines the format")
  func fileExtension() throws {
    let folder = try TemporaryFolder()
    let drive = Self.drive()
    try drive.write(to: folder.url.appending(path: "a.drive.json"))
    #expect(
      try JSONDecoder().decode(Drive.self, from: Data(contentsOf: folder.url.appending(path: "a.drive.json")))
        == drive)
    try drive.write(to: folder.url.appending(path: "a.kmz"), formats: .withArchives)
    #expect(
      try Drive.read(contentsOf: folder.url.appending(path: "a.kmz"), formats: .withArchives) == [drive])
    expectError(.unsupported) {
      try drive.write(to: folder.url.appending(path: "a.doc"))
    }
    expectError(.unsupported) { try drive.data(as: .nmea) }
    expectError(.usage) { try [drive, drive].data(as: .drive) }
    expectError(.notCreatable) {
      try drive.write(to: folder.url.appending(path: "missing/a.gpx"))
    }
    #expect(try folder.names() == ["a.drive.json", "a.kmz"])
  }

  @Test("Drives with equal names get different labels in a comparison")
  func labels() throws {
    let comparison = try DriveComparison(Self.drive(), Self.drive(), Self.drive(""))
    #expect(comparison.drives.map(\.label) == ["Way", "Way (2)", "Drive (3)"])
    let named = try DriveComparison(Self.drive(), Self.drive("Way (3)"), Self.drive())
    #expect(named.drives.map(\.label) == ["Way", "Way (3)", "Way (4)"])
  }

  @Test("The comparison uses exact times; the app's engine spaces points evenly in time")
  func exactTimes() throws {
    let tuesday = try Drive.read(contentsOf: DocExamplesTests.fixture("tuesday.gpx"))[0]
    let thursday = try Drive.read(contentsOf: DocExamplesTests.fixture("thursday.gpx"))[0]
    let comparison = try DriveComparison(tuesday, thursday)
    #expect(comparison.timing == .timestamps)
    // The simulated drives have stops and detours, which result in a margin of 1:04.
    #expect(abs((comparison.margin ?? 0) - 64) < 1.5)
    let app = try DriveComparison(tuesday, thursday, engine: .app)
    #expect(app.timing == .even && app.traces.allSatisfy { !$0.hasTimestamps })
    #expect(try app.data(as: .csv).isEmpty == false)
  }

  @Test("Every kind of output can be written, and a comparison requires two drives")
  func outputs() throws {
    let comparison = try DriveComparison(Self.drive("A"), Self.drive("B"))
    for output in ComparisonOutput.standard {
      #expect(try !comparison.data(as: output).isEmpty, "\(output)")
    }
    expectError(.usage) { try DriveComparison([Self.drive()]) }
    expectError(.unsupported) {
      try comparison.write(to: URL(filePath: "/tmp/race.txt"))
    }
  }

  @Test(
    "Several drives are not written to a format with one track", arguments: [TrackFormat.igc, .vbo, .plt])
  func oneTrack(format: TrackFormat) throws {
    #expect(try Drive.read([Self.drive()].data(as: format), as: format).count == 1)
    let error = #expect(throws: TrackError.self) { try [Self.drive("A"), Self.drive("B")].data(as: format) }
    #expect(error?.code == .usage)
  }

  @Test("A drive with an invalid value is neither written nor compared")
  func invalidDrive() throws {
    var short = Self.drive()
    short.duration = -5
    var endless = Self.drive()
    endless.duration = .nan
    var far = Self.drive()
    far.distance = .infinity
    let nowhere = Drive(
      name: "", startTime: nil, endTime: nil, duration: 5, distance: 1,
      coordinates: [Coordinate(latitude: 47, longitude: 8), Coordinate(latitude: .nan, longitude: 8)])
    for drive in [short, endless, far, nowhere] {
      for format in [TrackFormat.gpx, .drive] {
        let error = #expect(throws: TrackError.self) { try drive.data(as: format) }
        #expect(error?.code == .invalidValue)
      }
      #expect(throws: TrackError.self) { try DriveComparison(Self.drive(), drive) }
    }
  }

  @Test(
    "A comparison without the traces of its drives is not written",
    arguments: [ComparisonOutput.html, .kml, .csv, .gapImage])
  func noTraces(output: ComparisonOutput) throws {
    var comparison = try DriveComparison(Self.drive("A"), Self.drive("B"))
    _ = try comparison.data(as: output)
    comparison.traces = []
    let error = #expect(throws: TrackError.self) { try comparison.data(as: output) }
    #expect(error?.code == .usage)
  }
}
