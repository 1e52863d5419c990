import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import TrackArchives

/// Tests document → KML → document, with random documents and with real files.
@Suite("KML round trips")
struct KMLRoundTripTests {
  /// Returns a random document with styles and time spans, and without the names of GPX, which have no
  /// meaning here.
  private func document(_ seed: UInt64, isWild: Bool) -> TrackDocument {
    var random = RandomDocument(seed: seed, isWild: isWild)
    var document = random.document()
    for index in document.tracks.indices {
      if random.chance(2) {
        document.tracks[index].info.style = LineStyle(
          color: random.chance(2)
            ? TrackColor(red: 1, green: 128, blue: 255, alpha: random.pick([0, 9, 255])) : nil,
          width: random.pick([nil, 0.5, 3]))
        if document.tracks[index].info.style == LineStyle() { document.tracks[index].info.style = nil }
      }
      if random.chance(2) {
        let begin = random.chance(2) ? Instant(microseconds: 1_700_000_000_123_456) : nil
        document.tracks[index].info.timeSpan = TimeSpan(begin: begin, end: Instant(microseconds: 0))
      }
    }
    return KMLRoundTripTests.withoutGPX(document)
  }

  private static func withoutGPX(_ document: TrackDocument) -> TrackDocument {
    func bare(_ element: ExtensionElement) -> ExtensionElement {
      var result = element
      if element.namespace == "http://www.topografix.com/GPX/1/1" { result.namespace = nil }
      result.content = element.content.map { content in
        if case .element(let child) = content { .element(bare(child)) } else { content }
      }
      return result
    }
    var result = document
    result.info.extensions = document.info.extensions.map(bare)
    for index in result.waypoints.indices {
      result.waypoints[index].details.extensions = document.waypoints[index].details.extensions.map(bare)
    }
    for index in result.routes.indices {
      result.routes[index].info.extensions = document.routes[index].info.extensions.map(bare)
    }
    for index in result.tracks.indices {
      result.tracks[index].info.extensions = document.tracks[index].info.extensions.map(bare)
      for segment in result.tracks[index].segments.indices {
        result.tracks[index].segments[segment].extensions =
          document.tracks[index].segments[segment].extensions.map(bare)
      }
    }
    return result
  }

  @Test("A document that was written and read again is equal, except for the documented changes")
  func property() throws {
    let seed = SeededGenerator.printedSeed()
    for index in 0..<UInt64(Effort.rounds(120)) {
      try expectRoundTrip(document(seed &+ index, isWild: true), "seed \(seed &+ index)")
    }
  }

  @Test("Documents that used to fail survive the round trip", arguments: [0, 1, 2, 3] as [UInt64])
  func fixedSeeds(_ seed: UInt64) throws { try expectRoundTrip(document(seed, isWild: true), "seed \(seed)") }

  private func expectRoundTrip(_ document: TrackDocument, _ comment: Comment) throws {
    let (bytes, losses) = try KMLTesting.kml(document)
    let transcript = Transcript(kml: bytes)
    #expect(transcript.violations == [] && transcript.error == nil, comment)
    // A track without a segment becomes a name without a line, which is reported.
    let lost = losses.losses.filter { $0.what == "tracks without a segment" }.reduce(0) { $0 + $1.count }
    #expect(transcript.warnings.reduce(0) { $0 + $1.count } == lost, comment)
    let read = try KMLTesting.document(bytes)
    let declared = Set(read.info.namespaces.map(\.uri))
    #expect(document.info.namespaces.allSatisfy { declared.contains($0.uri) }, comment)
    expectEqual(read, document, comment)
    // Writing the read document again yields the same bytes, for any batch size.
    let again = try KMLTesting.kml(read, capacity: 3).bytes
    #expect(try KMLTesting.rewritten(again) == again, comment)
  }

  /// Expects the read document to be equal, except for the documented changes and prefixes.
  private func expectEqual(_ read: TrackDocument, _ document: TrackDocument, _ comment: Comment) {
    let read = GPXNormalization.withoutPrefixes(read)
    let expected = GPXNormalization.withoutPrefixes(KMLNormalization.normalized(document))
    guard read != expected else { return }
    let lines = zip(KMLTesting.lines(of: read), KMLTesting.lines(of: expected)).first { $0 != $1 }
    Issue.record("read \(lines?.0 ?? "another document"), expected \(lines?.1 ?? "") (\(comment))")
  }

  @Test("A document in a KMZ is unchanged")
  func kmz() throws {
    let seed = SeededGenerator.printedSeed()
    for index in 0..<UInt64(Effort.rounds(20)) {
      let document = document(seed &+ index, isWild: false)
      var reader = TrackDocumentReader(document)
      var writer = KMZWriter(ByteSink())
      try Conversion.copy(&reader, to: &writer)
      var packed = KMZReader(ByteInput(bytes: writer.bytes))
      let read = try TrackDocument(reading: &packed)
      expectEqual(read, document, "seed \(seed &+ index)")
    }
  }

  @Test(
    "A real file that is read, written and read again has the same tracks and places",
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"),
    arguments: Fixture.files(in: Fixture.shared.appending(path: "corpus/kml"), ending: ".kml"))
  func corpus(_ fixture: Fixture) throws {
    let document = try KMLTesting.document(fixture.bytes())
    let (bytes, losses) = try KMLTesting.kml(document)
    let read = try KMLTesting.document(bytes)
    #expect(losses.losses.allSatisfy { $0.what == "missing times (filled in and marked)" })
    expectEqual(read, document, "\(fixture.path)")
  }

  @Test(
    "The tracks of a real GPX file are restored from KML, point for point",
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"),
    arguments: Fixture.files(in: Fixture.shared.appending(path: "corpus/gpx"), ending: ".gpx"))
  func gpx(_ fixture: Fixture) throws {
    let document = try Conversion.document(fixture.bytes())
    let read = try KMLTesting.document(try KMLTesting.kml(document).bytes)
    let tracks = document.tracks.filter { !$0.segments.isEmpty }
    #expect(read.tracks.count == tracks.count)
    for (left, right) in zip(read.tracks, tracks) {
      #expect(left.segments.map(\.points.times) == right.segments.map(\.points.times))
      #expect(left.segments.map(\.points.latitudes) == right.segments.map(\.points.latitudes))
      #expect(left.segments.map(\.points.longitudes) == right.segments.map(\.points.longitudes))
      #expect(left.info.name == right.info.name)
      for (left, right) in zip(left.segments, right.segments) {
        for channel in Channel.allCases {
          for row in 0..<right.points.count {
            #expect(left.points.value(channel, at: row) == right.points.value(channel, at: row))
          }
        }
      }
    }
    #expect(read.waypoints.count == document.waypoints.count)
    #expect(read.routes.map(\.points.count) == document.routes.map(\.points.count))
  }
}
