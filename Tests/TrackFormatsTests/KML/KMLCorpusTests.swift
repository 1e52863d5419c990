import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import TrackArchives

/// Compares the content of real KML and KMZ files with the results of independent readers.
@Suite(
  "KML and KMZ: real files", .enabled(if: Fixture.hasShared, "the shared corpus is missing"))
struct KMLCorpusTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let fields: [Substring]
    var testDescription: String { String(fields[0]) }
  }

  static let rows: [Row] = {
    let file = Fixture.shared.appending(path: "corpus/expected.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map {
      Row(fields: $0.split(separator: "\t", omittingEmptySubsequences: false))
    }
    .filter { $0.fields[1] == "kml" || $0.fields[1] == "kmz" }
  }()

  @Test("There are rows to compare")
  func hasRows() { #expect(KMLCorpusTests.rows.count > 50) }

  @Test("A file has the expected tracks, points, times and places", arguments: rows)
  func row(_ row: Row) throws {
    let path = Fixture.shared.appending(path: "corpus/\(row.fields[0])").path()
    var input = try ByteInput(path: path)
    let format = try FormatRegistry.withArchives.detect(&input)
    #expect(format.name == row.fields[1])
    let document = try read(input, as: format)
    let segments = document.tracks.flatMap(\.segments)
    let counts = [
      document.tracks.count, segments.count, segments.reduce(0) { $0 + $1.points.count },
      document.waypoints.count, document.routes.count, 0,
    ]
    for (count, expected) in zip(counts, row.fields[2...7]) {
      // One place in one file has the latitude 100, which is invalid but was counted.
      let isBeyondPole =
        row.fields[0] == "kml/opentracks-legacy_kml22_statistics_marker.kml" && expected == "3"
      if !isBeyondPole { #expect("\(count)" == expected) }
    }
    let coordinates = segments.flatMap { segment in
      (0..<segment.points.count).map { segment.points.coordinate(at: $0) }
    }
    expect(coordinates.first, row.fields[8], row.fields[9])
    expect(coordinates.last, row.fields[10], row.fields[11])
    let times = segments.flatMap(\.points.times).filter { $0 != Instant.absent }
    #expect(row.fields[14] == "-" || "\(times.count)" == row.fields[14])
    expect(times.first, row.fields[12])
    expect(times.last, row.fields[13])
  }

  private func read(_ input: consuming ByteInput, as format: TrackFormat) throws(TrackError) -> TrackDocument
  {
    if format.name == "kml" {
      var reader = KMLReader(input)
      return try TrackDocument(reading: &reader)
    }
    var reader = KMZReader(input)
    return try TrackDocument(reading: &reader)
  }

  private func expect(_ coordinate: Coordinate?, _ latitude: Substring, _ longitude: Substring) {
    guard let expectedLatitude = Double(latitude), let expectedLongitude = Double(longitude) else { return }
    #expect(abs((coordinate?.latitude ?? .nan) - expectedLatitude) < 1e-6)
    #expect(abs((coordinate?.longitude ?? .nan) - expectedLongitude) < 1e-6)
  }

  private func expect(_ time: Int64?, _ expected: Substring) {
    guard expected != "-" else { return }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let date = try? style.parse(String(expected)) else { return }
    #expect(abs(Double(time ?? .min) / 1e6 - date.timeIntervalSince1970) < 0.0015)
  }
}
