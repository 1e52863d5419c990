/// Builds ZIP archives byte by byte (APPNOTE 6.3), including unusual ones.
package struct ZIPBuilder {
  package struct Entry {
    package var name: [UInt8]
    package var content: [UInt8]
    /// General purpose flags: bit 0 for encryption, bit 3 for sizes after the content.
    package var flags: UInt16 = 0
    /// The compression method; 0 is stored.
    package var method: UInt16 = 0
    /// The size in the headers, or nil for the actual size.
    package var claimedSize: Int?
    /// The upper half of the external attributes: the Unix mode.
    package var mode: UInt16 = 0o100644
  }

  package var entries: [Entry] = []

  package mutating func add(_ name: String, _ content: [UInt8], flags: UInt16 = 0, mode: UInt16 = 0o100644) {
    entries.append(Entry(name: Array(name.utf8), content: content, flags: flags, mode: mode))
  }

  package var bytes: [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = file.count
      let crc = Checksum.crc32(entry.content)
      let size = entry.claimedSize ?? entry.content.count
      let isLate = entry.flags & 8 != 0
      let common =
        word(20) + word(entry.flags | 0x800) + word(entry.method) + word(0) + word(33)
        + long(isLate ? 0 : crc) + long(isLate ? 0 : size) + long(isLate ? 0 : size)
      file +=
        [0x50, 0x4B, 3, 4] + common + word(UInt16(entry.name.count)) + word(0) + entry.name + entry.content
      if isLate { file += [0x50, 0x4B, 7, 8] + long(crc) + long(size) + long(size) }
      directory +=
        [0x50, 0x4B, 1, 2] + word(3 << 8 | 20) + word(20) + word(entry.flags | 0x800) + word(entry.method)
        + word(0)
      directory += word(33) + long(crc) + long(size) + long(size) + word(UInt16(entry.name.count)) + word(0)
      directory += word(0) + word(0) + word(0) + long(Int(entry.mode) << 16) + long(offset) + entry.name
    }
    let start = file.count
    let count = UInt16(entries.count)
    return file + directory + [0x50, 0x4B, 5, 6] + word(0) + word(0) + word(count) + word(count)
      + long(directory.count) + long(start) + word(0)
  }

  private func word(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
  private func long(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
}

/// Creates gzip files (RFC 1952) with stored, uncompressed content.
package enum Gzip {
  package static func stored(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var position = 0
    repeat {
      let count = min(content.count - position, 65_535)
      let isLast = position + count == content.count
      bytes += [isLast ? 1 : 0] + pair(count) + pair(65_535 - count)
      bytes += content[position..<(position + count)]
      position += count
    } while position < content.count
    let crc = Checksum.crc32(content)
    return bytes + pair(crc & 65_535) + pair(crc >> 16) + pair(content.count & 65_535)
      + pair(content.count >> 16 & 65_535)
  }

  private static func pair(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
}

package enum Checksum {
  /// Returns the CRC-32 of ISO 3309, computed bit by bit.
  package static func crc32(_ bytes: [UInt8]) -> Int {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return Int(~crc)
  }
}
