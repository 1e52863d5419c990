import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests document → GPX → document, with random documents and with real files.
@Suite("GPX round trips")
struct GPXRoundTripTests {
  @Test("A document that was written and read again is equal, except for the documented changes")
  func property() throws {
    let seed = SeededGenerator.printedSeed()
    for index in 0..<UInt64(Effort.rounds(120)) {
      var random = RandomDocument(seed: seed &+ index, isWild: true)
      try expectRoundTrip(random.document(), "seed \(seed &+ index)")
    }
  }

  @Test("Documents that failed earlier remain equal", arguments: [0, 1, 2, 3] as [UInt64])
  func fixedSeeds(_ seed: UInt64) throws {
    var random = RandomDocument(seed: seed, isWild: true)
    try expectRoundTrip(random.document(), "seed \(seed)")
  }

  private func expectRoundTrip(_ document: TrackDocument, _ comment: Comment) throws {
    let (bytes, losses) = try Conversion.gpx(document, capacity: 64)
    #expect(losses.text == "", comment)
    var reader = GPXReader(ByteInput(bytes: bytes))
    let read = try TrackDocument(reading: &reader)
    #expect(reader.warnings == [], comment)
    let declared = Set(read.info.namespaces.map(\.uri))
    #expect(document.info.namespaces.allSatisfy { declared.contains($0.uri) }, comment)
    let prefixes = read.info.namespaces.map(\.prefix)
    #expect(Set(prefixes).count == prefixes.count && declared.count == prefixes.count, comment)
    expectEqual(GPXNormalization.withoutPrefixes(read), GPXNormalization.normalized(document), comment)
    // Writing the read document again yields the same bytes.
    let (again, _) = try Conversion.gpx(read, capacity: 3)
    #expect(try Conversion.rewritten(again) == again, comment)
  }

  /// Expects two documents to be equal, and reports the first lines that differ.
  private func expectEqual(_ read: TrackDocument, _ expected: TrackDocument, _ comment: Comment) {
    guard read != expected else { return }
    let lines = zip(Transcript.lines(of: read), Transcript.lines(of: expected)).first { $0 != $1 }
    Issue.record("read \(lines?.0 ?? "another document"), expected \(lines?.1 ?? "") (\(comment))")
  }

  @Test("The size of the batches does not affect the output")
  func batches() throws {
    var random = RandomDocument(seed: 7, isWild: false)
    var document = random.document()
    var points = PointColumns()
    for index in 0..<200 { points.append(Coordinate(latitude: 1, longitude: Double(index) / 8)) }
    document.tracks.append(TrackDocument.Track(segments: [TrackDocument.Segment(points: points)]))
    let whole = try Conversion.gpx(document, capacity: 4096).bytes
    for capacity in [1, 3, 61] { #expect(try Conversion.gpx(document, capacity: capacity).bytes == whole) }
  }

  @Test("A fixture that is read, written and read again is unchanged", arguments: Fixture.all(of: "gpx"))
  func fixture(_ fixture: Fixture) throws { try expectSame(fixture) }

  @Test(
    "A real file that is read, written and read again is unchanged",
    // Requires the shared corpus next to the package.
    .enabled(if: Fixture.hasShared, "the shared corpus is missing"),
    arguments: Fixture.files(in: Fixture.shared.appending(path: "corpus/gpx"), ending: ".gpx"))
  func corpus(_ fixture: Fixture) throws { try expectSame(fixture) }

  private func expectSame(_ fixture: Fixture) throws {
    let document = try Conversion.document(fixture.bytes())
    let (bytes, losses) = try Conversion.gpx(document)
    // Content that GPX 1.1 cannot represent is reported; the rest is exactly the same.
    let read = try Conversion.document(bytes)
    if losses.isEmpty {
      expectEqual(
        GPXNormalization.withoutPrefixes(read), GPXNormalization.normalized(document), "\(fixture.path)")
    } else {
      #expect(read.tracks.count == document.tracks.count)
      for (left, right) in zip(read.tracks, document.tracks) {
        #expect(left.segments.map(\.points.count) == right.segments.map(\.points.count))
        #expect(left.segments.map(\.points.times) == right.segments.map(\.points.times))
        #expect(left.segments.map(\.points.latitudes) == right.segments.map(\.points.latitudes))
      }
    }
  }
}

extension Transcript {
  /// Returns a document as lines, for readable failures.
  fileprivate static func lines(of document: TrackDocument) -> [String] {
    var reader = TrackDocumentReader(document)
    return Transcript(reading: &reader).lines
  }
}
