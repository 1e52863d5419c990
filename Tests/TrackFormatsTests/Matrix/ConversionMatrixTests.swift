import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import TrackArchives

/// Converts generated documents and fixtures from each format to each other and back. The format table
/// defines what must be preserved.
@Suite("Conversion matrix")
struct ConversionMatrixTests {
  /// A pair of formats that can be written and read.
  struct Pair: Sendable, CustomTestStringConvertible {
    let first: FormatTable.Row
    let second: FormatTable.Row

    init(_ first: FormatTable.Row, _ second: FormatTable.Row) {
      var rows = [first, second]
      // A track's type is either Course or an activity type, so that the two cannot be compared.
      let needs = Set(rows.flatMap(\.needs))
      if needs.isSuperset(of: [.courseTypes, .activityTypes]) {
        for index in rows.indices { rows[index].lost.insert("track.type") }
      }
      self.first = rows[0]
      self.second = rows[1]
    }

    var testDescription: String { "\(first.name) → \(second.name) → \(first.name)" }
  }

  /// Each format with itself and the later ones.
  static let pairs: [Pair] = FormatTable.rows.enumerated().flatMap { index, first in
    FormatTable.rows[index...].map { Pair(first, $0) }
  }

  private struct Written {
    var bytes: [UInt8]
    var losses: LossReport
  }

  /// Returns the file, or nil if the format cannot write empty files.
  private static func written(
    _ document: TrackDocument, as row: FormatTable.Row, capacity: Int = 64
  ) throws -> Written? {
    let folder = try TemporaryFolder()
    var reader = TrackDocumentReader(document)
    var writer = try row.writer(try ByteSink(path: folder.file("out")))
    var batch = PointBatch(capacity: capacity)
    while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    do throws(TrackError) {
      try writer.finish()
    } catch {
      if error.code == .noTracks { return nil }
      throw error
    }
    return Written(
      bytes: Array(try Data(contentsOf: URL(filePath: folder.file("out")))), losses: writer.losses)
  }

  private static func document(_ bytes: [UInt8], _ row: FormatTable.Row) throws -> TrackDocument {
    var reader = try row.reader(bytes)
    return try TrackDocument(reading: &reader)
  }

  // MARK: The table

  @Test("Each writable format has a row, and each word of the table is known")
  func table() {
    let writable = FormatRegistry.withArchives.formats.filter(\.canWrite).map(\.name)
    let rows = FormatTable.lines.flatMap(\.formats)
    #expect(Set(rows.map(FormatTable.formatName)) == Set(writable))
    #expect(Set(rows).count == rows.count)
    for line in FormatTable.lines {
      for word in line.lost {
        #expect(
          FormatTable.expanded(word).contains { FormatTable.names.contains($0) }, "\(line.formats): \(word)")
      }
      for word in line.needs { #expect(FormatTable.Need(rawValue: word) != nil, "\(line.formats): \(word)") }
    }
  }

  // MARK: Pairs

  @Test(
    "Content that both formats of a pair can store survives the conversion in both directions",
    arguments: pairs)
  func pair(_ pair: Pair) throws {
    let seed = SeededGenerator.printedSeed("\(pair.testDescription)")
    var compared = 0
    for index in UInt64(0)..<60 where compared == 0 {
      var random = RandomTracks(seed: seed &+ index)
      if try expectEqual(random.document(), pair, "seed \(seed &+ index)") { compared += 1 }
    }
    // A format that requires times and one without times have nothing in common, nor have one of tracks and
    // one of waypoints.
    let rows = [pair.first, pair.second]
    let isEmpty =
      rows.contains { $0.needs.contains(.times) || $0.needs.contains(.trackTimes) }
      && rows.contains { $0.lost.contains("trackpoint.time") }
      || rows.contains { $0.lost.contains("trackpoint") }
        && rows.contains { $0.lost.contains("waypoint") || $0.needs.contains(.waypointsOnTrack) }
    #expect(compared == (isEmpty ? 0 : 1))
  }

  @Test("Documents that failed in the past survive the conversion", arguments: pairs)
  func fixedSeeds(_ pair: Pair) throws {
    var random = RandomTracks(seed: 0)
    _ = try expectEqual(random.document(), pair, "seed 0")
  }

  /// - Returns: Whether the formats can store any content of the document.
  private func expectEqual(_ document: TrackDocument, _ pair: Pair, _ comment: Comment) throws -> Bool {
    guard let expected = document.fitted(to: [pair.first, pair.second]) else { return false }
    var current = expected
    for row in [pair.first, pair.second, pair.first] {
      guard let written = try Self.written(current, as: row) else { return false }
      // Chained files are reported for the sake of other readers, but nothing is lost.
      let lost = written.losses.losses.filter { !$0.what.contains("(chained;") }
      #expect(lost == [], "\(row.name), \(comment)")
      let read = try Self.document(written.bytes, row)
      let difference = DocumentFacts(read).difference(from: DocumentFacts(expected)) { name in
        Self.isHeld(name, pair.first) && Self.isHeld(name, pair.second)
      }
      if let difference {
        Issue.record("as \(row.name): \(difference) (\(comment))")
        return true
      }
      current = read.stripped(for: pair.first).stripped(for: pair.second)
    }
    return true
  }

  private static func isHeld(_ name: String, _ row: FormatTable.Row) -> Bool {
    guard let dot = name.firstIndex(of: ".") else { return !row.lost.contains(name) }
    return !row.loses(String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  // MARK: Losses

  /// A field of a container, and a document with this field alone.
  struct Single: Sendable, CustomTestStringConvertible {
    let name: String
    let document: TrackDocument
    var testDescription: String { name }
  }

  /// A document for each field, extracted from random documents without long lines.
  static let singles: [Single] = {
    var names: Set<String> = []
    var singles: [Single] = []
    for seed in UInt64(0)..<400 {
      var random = RandomTracks(seed: seed)
      let whole = random.document()
      let lines = whole.routes.map(\.points) + whole.tracks.flatMap { $0.segments.map(\.points) }
      guard lines.allSatisfy({ $0.count < 10 }) else { continue }
      let document = whole.fitted(to: [
        .pointsInRoutes, .twoPoints, .timesOrNone, .withinAntimeridian, .fiveDecimals,
      ])
      for name in DocumentFacts(document).lines.keys.sorted() where !names.contains(name) {
        guard name.contains("."), !name.hasSuffix(".position") else { continue }
        names.insert(name)
        singles.append(Single(name: name, document: document.only(name)))
      }
    }
    return singles.sorted { $0.name < $1.name }
  }()

  @Test(
    "Exactly the content that the table lists as lost is lost and counted",
    arguments: FormatTable.rows)
  func single(_ row: FormatTable.Row) throws {
    #expect(Self.singles.count > 120)
    for single in Self.singles {
      guard let document = single.document.fitted(to: [row], except: single.name) else { continue }
      let before = DocumentFacts(document)
      guard before.lines[single.name] != nil else { continue }
      guard let written = try Self.written(document, as: row) else { continue }
      let read = written.bytes.isEmpty ? TrackDocument() : try Self.document(written.bytes, row)
      let difference = DocumentFacts(read).difference(from: before) { $0 == single.name }
      if Self.isHeld(single.name, row) {
        #expect(difference == nil, "\(row.name) is said to hold \(single.name)")
        #expect(written.losses.text == "", "\(row.name) is said to hold \(single.name)")
      } else {
        #expect(difference != nil, "\(row.name) is said not to hold \(single.name)")
        // The creator is replaced by this program.
        guard single.name != "file.creator" else { continue }
        #expect(!written.losses.isEmpty, "\(row.name) loses \(single.name) silently")
      }
    }
  }

  @Test("All lost content is counted", arguments: FormatTable.rows)
  func nothingSilently(_ row: FormatTable.Row) throws {
    let seed = SeededGenerator.printedSeed("\(#function) \(row.name)")
    // For formats with few fields, random documents are rarely preserved. More are tried until some are.
    let wanted = row.lost.contains("track") ? 0 : 4
    var whole = 0
    for index in UInt64(0)..<1000 where index < Effort.rounds(40) || whole < wanted {
      var random = RandomTracks(seed: seed &+ index)
      // Content that is always lost is removed, so that other losses become visible. Missing laps, starts
      // and distances are added, because only complete documents are preserved.
      let isMade = row.needs.contains { [.laps, .distances].contains($0) }
      let needs = isMade ? row.needs : row.needs.filter(\.isChange)
      let document = random.document().fitted(to: needs).stripped(for: row)
      guard let written = try Self.written(document, as: row) else { continue }
      guard written.losses.isEmpty, !written.bytes.isEmpty else { continue }
      whole += 1
      let read = try Self.document(written.bytes, row)
      let difference = DocumentFacts(read).difference(from: DocumentFacts(document)) { Self.isHeld($0, row) }
      #expect(difference == nil, "seed \(seed &+ index)")
    }
    #expect(whole >= wanted)
  }

  // MARK: Files

  /// The fixtures that are read without an error.
  static let fixtures: [Fixture] = FormatRegistry.withArchives.formats.filter(\.canRead).flatMap { format in
    format.fileExtensions.flatMap { ending in
      Fixture.files(in: Fixture.packageRoot.appending(path: "Fixtures/\(format.name)"), ending: "." + ending)
    }
  }.filter { !FileManager.default.fileExists(atPath: $0.sibling("error").path()) }

  @Test(
    "A fixture of any format survives conversion to each format, as far as that can store it",
    arguments: fixtures)
  func fixture(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    var input = ByteInput(bytes: bytes)
    let format = try FormatRegistry.withArchives.detect(&input)
    var reader = try format.reader(input)
    guard let whole = try? TrackDocument(reading: &reader) else { return }
    for row in FormatTable.rows {
      guard let document = whole.fitted(to: [row]) else { continue }
      guard let written = try Self.written(document, as: row) else { continue }
      let read = try Self.document(written.bytes, row)
      let difference = DocumentFacts(read).difference(from: DocumentFacts(document)) { Self.isHeld($0, row) }
      #expect(difference == nil || !written.losses.isEmpty, "\(format) → \(row.name)")
    }
  }
}
