import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Compares ``XMLScanner`` with ``LibXMLParser``: same tokens, lines and verdict for the same bytes.
@Suite("The XML scanner compared with libxml2")
struct XMLScannerTests {
  static let chunks = [1, 2, 7, 61, 65536]

  /// Compares the scanner's results, for all chunk sizes, with those of libxml2.
  private func compare(_ bytes: [UInt8], chunks: [Int] = chunks, _ comment: @autoclosure () -> String = "") {
    let expected = XMLReading(bytes, usesLibrary: true)
    for chunk in chunks {
      let found = XMLReading(bytes, chunk: chunk, usesLibrary: false)
      if found != expected, !XMLCases.isAccepted(found, expected) {
        let place = zip(found.tokens, expected.tokens).prefix { $0 == $1 }.count
        Issue.record(
          """
          \(comment()) in chunks of \(chunk):
          \(String(decoding: bytes.prefix(2000), as: UTF8.self).debugDescription)
          scanner: \(found.tokens.dropFirst(place).prefix(3)) \(found.verdict) \(found.error?.description ?? "")
          libxml2: \(expected.tokens.dropFirst(place).prefix(3)) \(expected.verdict) \(expected.error?.description ?? "")
          """)
        return
      }
    }
  }

  @Test("A fixture is read with the same result", arguments: Fixture.all(of: "gpx"))
  func fixtures(_ fixture: Fixture) throws { compare(try fixture.bytes()) }

  @Test("A sample is read with the same result", arguments: Sample.all)
  func samples(_ sample: Sample) { compare(sample.bytes) }

  @Test(
    "Real files exist", .enabled(if: Fixture.hasShared, "the shared files are missing"))
  func realFilesExist() { #expect(XMLScannerTests.corpusFiles().count > 50) }

  @Test("A real file is read with the same result", arguments: XMLScannerTests.corpusFiles())
  func realFile(_ file: Fixture) throws {
    let bytes = try file.bytes()
    compare(bytes, chunks: bytes.count > 50_000 ? [65536] : [61, 65536])
  }

  /// Returns the files of the corpus that should be XML, including broken ones.
  private static func corpusFiles() -> [Fixture] {
    let corpus = Fixture.shared.appending(path: "corpus")
    return ["gpx", "kml", "tcx"].flatMap { ending in
      [ending, "bad"].flatMap { Fixture.files(in: corpus.appending(path: $0), ending: "." + ending) }
    }
  }

  @Test("Well-formed documents are read completely and with the same result", arguments: XMLCases.sound)
  func sound(_ sample: Sample) {
    compare(sample.bytes)
    #expect(XMLReading(sample.bytes, usesLibrary: false).verdict == .whole(hasMore: false))
  }

  @Test("Documents that are not well-formed are rejected at the same place", arguments: XMLCases.broken)
  func broken(_ sample: Sample) {
    compare(sample.bytes)
    #expect(XMLReading(sample.bytes, usesLibrary: false).verdict == .fault)
  }

  @Test("Both parsers ignore content after the root element", arguments: XMLCases.trailing)
  func trailing(_ sample: Sample) {
    compare(sample.bytes)
    #expect(XMLReading(sample.bytes, usesLibrary: false).verdict == .whole(hasMore: true))
  }

  #if DEBUG
    private static let mutants = 1_000
    private static let documents = 200
  #else
    private static let mutants = 40_000
    private static let documents = 10_000
  #endif

  @Test("A damaged file is read with the same result")
  func mutations() throws {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    let real = try (Fixture.all(of: "gpx") + XMLScannerTests.corpusFiles()).map { try $0.bytes() }
    let originals = real.filter { $0.count < 6_000 } + Sample.all.map(\.bytes) + XMLCases.sound.map(\.bytes)
    for _ in 0..<XMLScannerTests.mutants {
      let mutant = XMLMutation.damage(originals.randomElement(using: &random) ?? [], using: &random)
      compare(mutant, chunks: [XMLScannerTests.chunks.randomElement(using: &random) ?? 1], "a mutant")
    }
  }

  @Test("A random document is read with the same result, which equals the written document")
  func randomDocuments() {
    var random = SeededGenerator(seed: SeededGenerator.printedSeed())
    for _ in 0..<XMLScannerTests.documents {
      let text = XMLMutation.document(using: &random)
      let bytes = Array(text.utf8)
      compare(bytes, chunks: [1, XMLScannerTests.chunks.randomElement(using: &random) ?? 1], "a document")
      #expect(XMLReading(bytes, usesLibrary: false).verdict == .whole(hasMore: false), "\(text)")
    }
  }
}
