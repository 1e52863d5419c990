import TrackModel

extension UnsupportedFormat {
  /// Returns the name of a binary log that has no signature at its start, or nil.
  ///
  /// Extensions such as `bin` and `dat` are common to many kinds of files, so that only the structure counts.
  static func binaryLog(_ opening: FileOpening) -> String? {
    let bytes = opening.bytes
    guard bytes.prefix(512).contains(where: { $0 < 0x09 }) else { return nil }
    if isFlightLog(bytes, name: opening.name) { return "a DJI flight log" }
    if isTelemetryLog(bytes) { return "a MAVLink log" }
    if isMTKLog(bytes) { return "an MTK logger's memory" }
    if isDestinatorLog(bytes) { return "a Destinator track log" }
    if bytes.starts(with: [0xAA, 0x44, 0x12, 0x1C]) { return "a NovAtel log" }
    if isMessage(bytes, start: [0xA0, 0xA2], checksum: 2, end: [0xB0, 0xB3]) { return "a SiRF log" }
    if isMessage(bytes, start: [0xA0, 0xA1], checksum: 1, end: [0x0D, 0x0A]) { return "a SkyTraq log" }
    return nil
  }

  /// Returns whether a file is the log of a DJI aircraft (`BUILD` at byte 16, `LOGH` if it is encrypted) or
  /// of its app, which is identified by its name.
  private static func isFlightLog(_ bytes: [UInt8], name: String?) -> Bool {
    bytes.dropFirst(16).starts(with: Array("BUILD".utf8)) || bytes.starts(with: Array("LOGH".utf8))
      || name.map { FileName.last($0).hasPrefix("DJIFlightRecord") } == true
  }

  /// Returns whether bytes are packets of MAVLink 1 or 2, each after its time in microseconds since 1970, as
  /// ground stations log them.
  private static func isTelemetryLog(_ bytes: [UInt8]) -> Bool {
    /// The years 2000 to 2099.
    let times: Range<UInt64> = 946_684_800_000_000..<4_102_444_800_000_000
    var offset = 0
    for _ in 0..<2 {
      guard offset + 11 <= bytes.count,
        case let time = bytes[offset..<(offset + 8)].reduce(0, { $0 << 8 | UInt64($1) }), times.contains(time)
      else { return false }
      let payload = Int(bytes[offset + 9])
      switch bytes[offset + 8] {
      case 0xFE: offset += 8 + 8 + payload
      // The lowest flag marks a signature.
      case 0xFD: offset += 8 + 12 + payload + (bytes[offset + 10] & 1 == 1 ? 13 : 0)
      default: return false
      }
    }
    return true
  }

  /// Returns whether bytes are the memory of a logger with an MTK chip: a header with the mask of the
  /// recorded values and the policy when the memory is full, and the first setting or point at byte 512.
  private static func isMTKLog(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 512, bytes[7] == 1, bytes[6] == 4 || bytes[6] == 6 else { return false }
    let mask = (2...5).reversed().reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
    /// Time, latitude and longitude.
    let required: UInt32 = 0b1101
    /// The highest bit marks a Holux logger, and bit 27 a GPSport 245.
    let known: UInt32 = 0x880F_FFFF
    return mask & required == required && mask & ~known == 0
  }

  /// Returns whether bytes are points of Destinator: longitude and latitude, and `TXT` at byte 136 of 152.
  private static func isDestinatorLog(_ bytes: [UInt8]) -> Bool {
    let size = 152
    guard bytes.count >= size else { return false }
    return stride(from: 0, through: min(bytes.count, 2 * size) - size, by: size).allSatisfy { start in
      let place = [0, 8].map { offset in
        Double(
          bitPattern: (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[start + offset + $1]) })
      }
      return abs(place[0]) <= 180 && abs(place[1]) <= 90
        && bytes[(start + 136)...].starts(with: Array("TXT".utf8))
    }
  }

  /// Returns whether bytes start with a message of a receiver: its start, the length of its payload in two
  /// bytes, the payload, a checksum and its end.
  private static func isMessage(_ bytes: [UInt8], start: [UInt8], checksum: Int, end: [UInt8]) -> Bool {
    guard bytes.starts(with: start), bytes.count > 4 else { return false }
    let length = Int(bytes[2]) << 8 | Int(bytes[3])
    return bytes.dropFirst(4 + length + checksum).starts(with: end)
  }

  /// Returns whether a text is subtitles with positions: `[latitude: 46.9]`, `GPS (7.4, 46.9, 19)`,
  /// `Lat: 46.9`.
  static func isSubtitleWithPositions(_ text: String) -> Bool {
    guard text.contains(" --> ") else { return false }
    if ["GPS (", "GPS("].contains(where: text.contains) { return true }
    return text.contains(#/\b[Ll]at(itude)? ?[:=] ?[-+NS]? ?[0-9]/#)
  }
}
