import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Fixtures with changed, removed, inserted or repeated bytes cause no crash and no invalid stream, and are
/// read alike in chunks of any size.
@Suite("Damaged GeoJSON and Timelines")
struct GeoJSONMutationTests {
  private static let alphabet =
    Array("{}[],:\"\\ \n0123456789eE+-.truefalsnulltypecoordinates".utf8) + [0, 0x1E, 0x80, 0xFF]

  static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(index + Int.random(in: 1...30, using: &generator), bytes.count)
      switch Int.random(in: 0...4, using: &generator) {
      case 0: bytes[index] = alphabet.randomElement(using: &generator) ?? 0
      case 1: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: index)
      case 2: bytes.removeSubrange(index..<end)
      case 3:
        bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0..<bytes.count, using: &generator))
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  @Test("A damaged fixture gives a valid stream", arguments: GeoJSONFixtureTests.fixtures)
  func geojson(_ fixture: Fixture) throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let bytes = try fixture.bytes()
    for _ in 0..<60 {
      let damaged = Self.mutated(bytes, &generator)
      let whole = Transcript(geojson: damaged)
      #expect(whole.violations == [], "seed \(seed)")
      for (chunk, capacity) in [(1, 3), (7, 1), (61, 64)] {
        let part = Transcript(geojson: damaged, chunk: chunk, capacity: capacity)
        #expect(part.text == whole.text, "seed \(seed): \(String(decoding: damaged, as: UTF8.self))")
        #expect(part.violations == [])
        if part.text != whole.text { return }
      }
    }
  }

  @Test("A damaged Timeline gives a valid stream", arguments: TimelineReaderTests.fixtures)
  func timeline(_ fixture: Fixture) throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let bytes = try fixture.bytes()
    for _ in 0..<60 {
      let damaged = Self.mutated(bytes, &generator)
      for options in [TimelineOptions(), .driving] {
        func transcript(chunk: Int, capacity: Int) -> Transcript {
          var reader = TimelineReader(ByteInput(bytes: damaged, chunk: chunk), timeline: options)
          return Transcript(reading: &reader, capacity: capacity)
        }
        let whole = transcript(chunk: 4096, capacity: 64)
        #expect(whole.violations == [], "seed \(seed)")
        for (chunk, capacity) in [(1, 3), (61, 1)] {
          let part = transcript(chunk: chunk, capacity: capacity)
          #expect(part.text == whole.text, "seed \(seed): \(String(decoding: damaged, as: UTF8.self))")
          if part.text != whole.text { return }
        }
      }
    }
  }
}
