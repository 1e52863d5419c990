import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Decompressing damaged gzip files")
struct InflationTests {
  /// The output of `for i in $(seq 1 40); do echo "line $i of a text that repeats"; done | gzip -9n`, as
  /// base64.
  private static let packed = """
    H4sIAAAAAAACA4XTsQ3CQBhD4Z4p/hGwHQKMc8WhIEUBwRWMjxiAl/p1n+z1vvVSPW7VavTPqLG0Ua/+7G28D+uvGmuwTlhPWGes
    Z6wXrFesOnJmLTGX2EsMJhYTk4nNxGhiNbOadzbGamY1s5pZzaxmVjOrmdXCamG17FyT1cJqYbWwWlgtrBZWm/6qfQFNFLnozwQA
    AA==
    """

  private static let text = Array((1...40).map { "line \($0) of a text that repeats\n" }.joined().utf8)

  private static func inflated(_ bytes: [UInt8]) -> [UInt8] {
    var inflation = Inflation(ByteInput(bytes: bytes, chunk: 7))
    var result: [UInt8] = []
    while case let piece = inflation.next(), !piece.isEmpty { result += piece }
    return result
  }

  private static func file() throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: packed, options: .ignoreUnknownCharacters)))
  }

  @Test("A gzip file is decompressed completely, including concatenated ones")
  func whole() throws {
    let file = try Self.file()
    #expect(Self.inflated(file) == Self.text)
    #expect(Self.inflated(file + file) == Self.text + Self.text)
    #expect(Self.inflated(Gzip.stored(Self.text)) == Self.text)
  }

  @Test("A file cut off anywhere gives the start of its content, longer for later cuts")
  func cut() throws {
    let file = try Self.file()
    var longest = 0
    for length in 0...file.count {
      let result = Self.inflated(Array(file.prefix(length)))
      #expect(Self.text.starts(with: result))
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
      _ = Self.inflated(bytes)
    }
  }

  @Test("A cut-off input gives everything before the cut and reports the damage")
  func salvaged() throws {
    let file = Array(try Self.file().dropLast(30))
    var input = try Decompression.unpacked(ByteInput(bytes: file)) { () throws(TrackError) in
      ByteInput(bytes: file)
    }
    while try input.fill() {}
    #expect(input.available.array == Self.inflated(file))
    #expect(input.available.count > 100)
    #expect(input.damage?.error?.code == .truncated)
  }
}
