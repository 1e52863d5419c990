import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Content of inputs")
struct ContentTapTests {
  private let text = Array(String(repeating: "<gpx>a line of a file</gpx>\n", count: 9000).utf8)

  private func input(_ path: String) throws -> DiscoveredInput {
    let walk = InputEnumerator([path])
    while let step = walk.next() { if case .input(let input) = step { return input } }
    throw TrackError(.notFound, "no input in \(path)")
  }

  private static func identity(_ bytes: [UInt8]) -> ContentIdentity {
    ContentIdentity(hash: ContentHash(bytes.span), size: bytes.count)
  }

  @Test("A partially read input has the hash of the whole file", arguments: [0, 1, 65_536, 100_000, 252_000])
  func partly(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.gpx")
    try Data(text).write(to: URL(filePath: path))
    let input = try input(path)
    let tap = HashingInput()
    var bytes = try input.open(tap: tap)
    try bytes.fill(atLeast: count)
    let available = bytes.available.count
    #expect(available >= min(count, text.count))
    let identity = try #require(try tap.finish())
    #expect(identity == Self.identity(text))
    #expect(try input.identity() == identity)
    #expect(input.size == text.count)
    #expect(try tap.finish() == nil)
  }

  @Test("An input that is read out of order has the hash of the whole file")
  func outOfOrder() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.gpx")
    try Data(text).write(to: URL(filePath: path))
    for offsets in [[200_000, 0], [100, 70_000, 65_000, 251_000], [300_000]] {
      let tap = HashingInput()
      var bytes = try input(path).open(tap: tap)
      for offset in offsets {
        try bytes.seek(to: offset)
        try bytes.fill(atLeast: 10)
        #expect(bytes.available.extracting(first: 10).array == Array(text.dropFirst(offset).prefix(10)))
      }
      #expect(try tap.finish() == Self.identity(text))
    }
  }

  /// A film of 1 GiB whose bytes follow from their offsets.
  private final class Film: ByteStream {
    static let size = 1 << 30
    private(set) var bytesRead = 0
    private var offset = 0
    var isSeekable: Bool { true }

    static func byte(_ offset: Int) -> UInt8 {
      offset < 8
        ? [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70][offset] : UInt8(truncatingIfNeeded: offset / 4096 &* 7)
    }

    func seek(to offset: Int) { self.offset = offset }

    @unsafe
    func read(to start: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
      let count = min(count, Film.size - offset)
      for index in 0..<count { unsafe start[index] = Film.byte(offset + index) }
      offset += count
      bytesRead += count
      return count
    }
  }

  @Test("A large film is identified by 64 evenly distributed samples, without reading the rest")
  func film() throws {
    let step = (Film.size - 65_536) / 63
    let sampled = (0..<64).flatMap { sample in (0..<65_536).map { Film.byte(sample * step + $0) } }
    let expected = ContentIdentity(hash: ContentHash(sampled.span), size: Film.size)
    let film = Film()
    let tap = HashingInput()
    var bytes = tap.watching(ByteInput(stream: film, name: nil, size: Film.size))
    try bytes.fill(atLeast: 100)
    #expect(try tap.finish() == expected)
    // 64 samples of 64 KiB are 4 MiB.
    #expect(film.bytesRead < 10 << 20)
  }

  @Test("Smaller films and other content are identified by all of their bytes", arguments: ["ftyp", "fxyp"])
  func smallFilm(type: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.mp4")
    let bytes =
      [0, 0, 0, 24] + Array(type.utf8) + Array(repeating: 7, count: type == "ftyp" ? 1 << 20 : 17 << 20)
    try Data(bytes).write(to: URL(filePath: path))
    let content = DiscoveredInput.Content.file(path)
    let input = DiscoveredInput(
      root: 0, label: InputLabel(path: path), isInContainer: false, notes: .none, format: nil,
      content: content)
    #expect(try input.identity() == Self.identity(bytes))
  }

  @Test("A compressed file is identified by its bytes on disk")
  func compressed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.gpx")
    try Data(text).write(to: URL(filePath: path))
    let gzip = OtherProgram("gzip")
    #expect(try gzip.run(["-n", path]).status == 0)
    let packed = try Data(contentsOf: URL(filePath: path + ".gz"))
    let tap = HashingInput()
    let input = try input(path + ".gz")
    var bytes = try input.open(tap: tap)
    while try bytes.fill() {}
    let unpacked = bytes.available.array
    #expect(unpacked == text)
    #expect(try tap.finish() == Self.identity(Array(packed)))
  }

  @Test("A changed file has a different fingerprint")
  func fingerprint() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.gpx")
    try Data(text).write(to: URL(filePath: path))
    let first = try input(path).fingerprint(inside: path)
    #expect(first != nil)
    #expect(try input(path).fingerprint(inside: path) == first)
    try Data(text + [0x0A]).write(to: URL(filePath: path))
    #expect(try input(path).fingerprint(inside: path) != first)
  }
}
