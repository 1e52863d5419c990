import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Tests with damaged files: for any bytes reading ends, and the delivered events follow the grammar.
@Suite("GPX reader: damaged files")
struct GPXMutationTests {
  private static let tokens = [
    "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&#0;", "&x;", "\"", "=", "<trkseg>",
    "</trkseg>",
    "<trkpt lat=\"1\" lon=\"2\">", "</trkpt>", "<gpx>", "</gpx>", "<extensions>", "</extensions>",
    "xmlns=\"u\"", "<!DOCTYPE a [", "]>",
    "\u{FEFF}", "\0", "1e999", "<a:b/>",
  ].map { Array($0.utf8) }

  @Test("Random damage never crashes, reading always ends, and all points are valid", arguments: 0..<4)
  func mutants(_ part: Int) {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let samples =
      [Sample.markup, Sample.cutting, Sample.structure, Sample.flaws].map { Array($0.utf8) }
      + Sample.all.filter { $0.name.hasPrefix("UTF-16") }.map(\.bytes)
    for index in 0..<Effort.rounds(800) {
      var bytes = samples[Int.random(in: 0..<samples.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...6, using: &generator) { GPXMutationTests.damage(&bytes, &generator) }
      let whole = Transcript(gpx: bytes)
      #expect(whole.violations == [], "seed \(seed), mutant \(index)")
      let chunk = [1, 5, 64][index % 3]
      let part = Transcript(gpx: bytes, chunk: chunk, capacity: 2)
      #expect(part.lines == whole.lines, "seed \(seed), mutant \(index), chunks of \(chunk)")
      #expect(part.warnings == whole.warnings, "seed \(seed), mutant \(index), chunks of \(chunk)")
      #expect(part.error?.code == whole.error?.code, "seed \(seed), mutant \(index), chunks of \(chunk)")
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    case 1: bytes[place] = .random(in: .min ... .max, using: &generator)
    case 2: bytes.insert(.random(in: .min ... .max, using: &generator), at: place)
    case 3: bytes.removeSubrange(place..<min(place + Int.random(in: 1...20, using: &generator), bytes.count))
    case 4: bytes.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &generator)], at: place)
    default:
      let end = min(place + Int.random(in: 1...100, using: &generator), bytes.count)
      bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
    }
  }
}
