import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Decompressing gzip files")
struct GzipStreamTests {
  /// The output of `for i in $(seq 1 40); do echo "line $i of a text that repeats"; done | gzip -9n`, as
  /// base64.
  private static let packed = """
    H4sIAAAAAAACA4XTsQ3CQBhD4Z4p/hGwHQKMc8WhIEUBwRWMjxiAl/p1n+z1vvVSPW7VavTPqLG0Ua/+7G28D+uvGmuwTlhPWGes
    Z6wXrFesOnJmLTGX2EsMJhYTk4nNxGhiNbOadzbGamY1s5pZzaxmVjOrmdXCamG17FyT1cJqYbWwWlgtrBZWm/6qfQFNFLnozwQA
    AA==
    """

  private static let text = Array((1...40).map { "line \($0) of a text that repeats\n" }.joined().utf8)

  /// Returns the content, and the warnings as `code count`, with the code of an error at the end.
  private static func read(_ bytes: [UInt8]) throws -> (content: [UInt8], flaws: [String]) {
    let damage = CompressionDamage()
    let stream = try GzipStream(ByteInput(bytes: bytes, chunk: 7), damage)
    var input = ByteInput(stream: stream, name: nil, chunk: 100)
    var end: [String] = []
    do throws(TrackError) { while try input.fill() {} } catch { end = ["\(error.code)"] }
    return (input.available.array, damage.warnings.map { "\($0.code) \($0.count)" } + end)
  }

  private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] { try read(bytes).content }

  private static func file() throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: packed, options: .ignoreUnknownCharacters)))
  }

  @Test("A gzip file is decompressed completely, including concatenated ones")
  func whole() throws {
    let file = try Self.file()
    for (bytes, count) in [(file, 1), (file + file, 2), (Gzip.stored(Self.text) + file + file, 3)] {
      let read = try Self.read(bytes)
      #expect(read.content == (0..<count).flatMap { _ in Self.text })
      #expect(read.flaws == [])
    }
  }

  @Test("A header with all optional fields is skipped")
  func header() throws {
    // RFC 1952, 2.3: extra bytes with their number, a name, a comment, and a checksum of the header.
    let fields: [UInt8] = [3, 0, 0x1F, 0x8B, 8] + Array("a.gpx\0of today\0".utf8) + [1, 2]
    var file = try Self.file()
    file[3] = 4 | 8 | 16 | 2
    file.insert(contentsOf: fields, at: 10)
    #expect(try Self.read(file).content == Self.text)
    // Reserved flags.
    file[3] |= 0x20
    #expect(try Self.read(file).flaws == ["malformed"])
  }

  /// The flaws of two members, each with a bit changed at an offset from its end.
  @Test(
    "A wrong checksum or size is counted, and the next member is read",
    arguments: [(8, "wrong-checksum 2"), (5, "wrong-checksum 2"), (4, "wrong-size 2"), (1, "wrong-size 2")])
  func wrongTrailer(_ offset: Int, _ flaw: String) throws {
    var file = try Self.file()
    file[file.count - offset] ^= 4
    let read = try Self.read(file + file)
    #expect(read.content == Self.text + Self.text)
    #expect(read.flaws == [flaw])
  }

  @Test("An altered byte that is still valid content is found by the checksum")
  func alteredContent() throws {
    var file = Gzip.stored(Self.text)
    file[15 + 5] ^= 1
    #expect(try Self.read(file).flaws == ["wrong-checksum 1"])
  }

  @Test("Bytes after the end are counted, except zeros")
  func trailing() throws {
    let file = try Self.file()
    var damaged = file
    damaged[1] = 0x8C
    let padding = [UInt8](repeating: 0, count: 1000)
    #expect(try Self.read(file + padding).flaws == [])
    #expect(try Self.read(file + padding + file).content == Self.text + Self.text)
    for (junk, text) in [
      (Array("JUNK".utf8), "4 bytes"), ([9], "1 byte"), (damaged, "\(file.count) bytes"),
      (padding + [7] + padding, "1001 bytes"),
    ] {
      let damage = CompressionDamage()
      let stream = try GzipStream(ByteInput(bytes: file + junk, chunk: 7), damage)
      var input = ByteInput(stream: stream, name: nil)
      while try input.fill() {}
      #expect(input.available.array == Self.text)
      #expect(damage.warnings.map(\.code) == [.trailingContent])
      #expect(damage.warnings.first?.message == "\(text) after the compressed data, ignored")
    }
  }

  @Test("A file cut off anywhere gives the start of its content, longer for later cuts")
  func cut() throws {
    let file = try Self.file()
    var longest = 0
    for length in 0...file.count {
      let (result, flaws) = try Self.read(Array(file.prefix(length)))
      #expect(Self.text.starts(with: result))
      #expect(flaws == (length < file.count ? ["truncated"] : []))
      #expect(result.count >= longest)
      longest = result.count
    }
    #expect(longest == Self.text.count)
  }

  @Test("Damaged bytes anywhere cause no crash")
  func damaged() throws {
    let file = try Self.file()
    for index in file.indices {
      var bytes = file
      bytes[index] ^= 0x55
      _ = try Self.inflated(bytes)
    }
  }

  @Test("A cut-off input gives everything before the cut and reports the damage", arguments: [1, 2])
  func salvaged(_ depth: Int) throws {
    let file = Array(try Self.file().dropLast(30))
    let packed = depth == 1 ? file : Gzip.stored(file)
    // As from a pipe, which cannot be read again.
    let pipe = ByteInput(stream: BytePieces(packed, chunk: 50), name: nil)
    var input = try Decompression.unpacked(pipe)
    while try input.fill() {}
    #expect(input.available.array == (try Self.inflated(file)))
    #expect(input.available.count > 100)
    #expect(input.damage?.error?.code == .truncated)
    #expect(
      input.damage?.warnings.map(\.message) == ["the compressed file is truncated; complete data is kept"])
  }

  @Test("An input of which nothing can be read is an error that does not claim otherwise")
  func nothing() throws {
    let file = Array(try Self.file().prefix(12))
    do throws(TrackError) {
      _ = try Decompression.unpacked(ByteInput(bytes: file))
      Issue.record("no error")
    } catch {
      #expect(error.code == .truncated && error.message == "the compressed file is truncated")
    }
  }

  @Test("The size of the content is limited")
  func limit() throws {
    let zeros = [UInt8](repeating: 0, count: 300_000)
    var limits = ArchiveLimits()
    limits.entrySize = 299_999
    expectError(.limitExceeded) {
      var input = try Decompression.unpacked(ByteInput(bytes: Gzip.stored(zeros)), limits: limits)
      while try input.fill() { input.consumeAll() }
    }
  }
}
