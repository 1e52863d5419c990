import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Decompressing xz and other files")
struct XZStreamTests {
  private static let count = 200_000

  /// The output of `head -c 200000 /dev/zero | xz --check=crc32`, as base64.
  private static func zeros() throws -> [UInt8] {
    let text = """
      /Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj4w0/AGFdAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN
      2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3fz/n8wAAAAAAe1jgXAABecCaDAAAq5iK3T4w
      DYsCAAAAAAFZWg==
      """
    return Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
  }

  /// Changes the dictionary of the first block, whose header of 12 bytes follows that of the file: the sizes
  /// are 2 or 3 times a power of two, so property 28 is 64 MiB.
  private static func zeros(dictionary property: UInt8) throws -> [UInt8] {
    var file = try zeros()
    file[16] = property
    let sum = Checksum.crc32(Array(file[12..<20]))
    for index in 0..<4 { file[20 + index] = UInt8(sum >> (8 * index) & 255) }
    return file
  }

  private static func read(
    _ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()
  ) throws -> (count: Int, damage: CompressionDamage?) {
    var input = try Decompression.unpacked(ByteInput(bytes: bytes, chunk: 13), limits: limits)
    var count = 0
    repeat {
      #expect(input.available.array.allSatisfy { $0 == 0 })
      count += input.available.count
      input.consumeAll()
    } while try input.fill()
    return (count, input.damage)
  }

  @Test("A dictionary up to the limit is accepted, in each block", arguments: [UInt8(0), 1, 22, 28])
  func small(_ property: UInt8) throws {
    let file = try Self.zeros(dictionary: property)
    let read = try Self.read(file + Self.zeros() + file)
    #expect(read.count == 3 * Self.count && read.damage?.warnings.isEmpty == true)
  }

  @Test("A larger dictionary is rejected, in each block", arguments: [UInt8(29), 36, 40])
  func large(_ property: UInt8) throws {
    let file = try Self.zeros(dictionary: property)
    for bytes in [file, try Self.zeros() + file, try Self.zeros() + [0, 0, 0, 0] + file] {
      expectError(.limitExceeded) { try Self.read(bytes) }
    }
  }

  @Test("The limit of the dictionary can be changed")
  func limit() throws {
    var limits = ArchiveLimits()
    limits.dictionarySize = 3 << 25
    #expect(try Self.read(Self.zeros(dictionary: 29), limits).count == Self.count)
    expectError(.limitExceeded) { try Self.read(Self.zeros(dictionary: 30), limits) }
  }

  @Test("xz inside a compression that libarchive reads is rejected")
  func nested() throws {
    let file = try Self.zeros()
    // Zstandard (RFC 8878): no flags, a window of 1 KiB, and one block that is stored.
    let zstd: [UInt8] =
      [0x28, 0xB5, 0x2F, 0xFD, 0, 0, UInt8(file.count << 3 & 255 | 1), UInt8(file.count >> 5), 0] + file
    expectError(.unsupported) { try Self.read(zstd) }
    expectError(.unsupported) {
      try ArchiveReader(
        stream: BytePieces(Gzip.stored(file), chunk: 100), formats: [.archives, .compressedFile])
    }
    // Single files are decompressed one by one.
    #expect(try Self.read(Gzip.stored(file)).count == Self.count)
  }

  @Test("A window of 2 GiB of Zstandard is a limit")
  func window() {
    // A window of 2 to the power of 10 + 21, and a stored block of 5 bytes.
    let file: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 21 << 3, 5 << 3 | 1, 0, 0, 0, 0, 0, 0, 0]
    expectError(.limitExceeded) { try Self.read(file) }
  }

  @Test("A damaged xz file is read up to the last blocks before the damage, which the warning states")
  func damaged() throws {
    let junk = try Self.read(Self.zeros() + Array(String(repeating: "JUNK", count: 100).utf8))
    let cut = try Self.read(Self.zeros().dropLast(30))
    for (read, state) in [(junk, "damaged; everything before the damage"), (cut, "truncated; complete data")]
    {
      #expect(read.count > Self.count - (1 << 17))
      #expect(
        read.damage?.warnings.map(\.message) == [
          "the compressed file is \(state) is kept, except for up to 1 MiB"
        ])
    }
  }

  @Test(
    "Messages of the libraries that decompress become errors in our words",
    arguments: [
      ("lzma library error:  no progress is possible", TrackError.Code.truncated),
      ("truncated zstd input", .truncated), ("truncated input", .truncated),
      ("lzma library error:  corrupted input data", .malformed), ("bzip decompression failed", .malformed),
      ("zip decompression failed (-5)", .malformed),
      ("zstd decompression failed: frame requires too much memory for decoding", .limitExceeded),
      ("lzma library error: cannot allocate memory", .limitExceeded),
    ])
  func messages(_ message: String, _ code: TrackError.Code) {
    #expect(ArchiveReader.compressionFault(message)?.code == code)
    #expect(ArchiveReader.compressionFault("zip bad crc: 0x1 should be 0x2") == nil)
  }
}
