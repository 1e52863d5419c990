import TrackModel

/// The text of a ``LigoRecord`` whose digits and capital letters are replaced by other characters.
///
/// The characters are those from `0` to `_`, exchanged in the same way in all records of a film. They follow
/// from the last digit of the seconds, which advances from record to record, and from the first digit of the
/// year.
struct LigoLetters {
  /// The text, such as `FPFT/P[/QW PZ<QF<VP …`.
  let text: [UInt8]
  /// The record, which has the distortion of the coordinates.
  let record: LigoRecord

  private static let colon = 13
  private static let lastDigit = 18
  private static let latitudeLetter = 20

  /// - Returns: nil if the bytes are not such a text.
  init?(_ bytes: some Collection<UInt8>, _ record: LigoRecord) {
    text = Array(bytes.prefix { $0 != 0 })
    self.record = record
    guard text.count > 40 else { return nil }
    for (index, byte) in [(4, 0x2F), (7, 0x2F), (10, 0x20), (19, 0x20)] as [(Int, UInt8)]
    where text[index] != byte {
      return nil
    }
    for index in 0..<19 where ![4, 7, 10].contains(index) && !LigoLetters.isExchanged(text[index]) {
      return nil
    }
    guard text[LigoLetters.colon] == text[16], text[LigoLetters.colon] == text[21] else { return nil }
  }

  private static func isExchanged(_ byte: UInt8) -> Bool { (0x30...0x5F).contains(byte) }

  /// Returns the fixes of the records of a film, and whether their letters show the hemispheres; nil if the
  /// records do not contain all digits.
  ///
  /// Without a minus sign, positions are treated as in the north and in the east.
  static func fixes(
    _ records: [LigoLetters]
  ) -> (records: [CameraRecords.Record], areHemispheresKnown: Bool)? {
    guard let first = records.first, let digits = digits(records) else { return nil }
    // Capital letters such as that of the course stay unknown.
    var plain = [UInt8](0...0xFF)
    for byte in 0x30...0x5F { plain[byte] = UInt8(ascii: "?") }
    for (digit, byte) in digits.enumerated() { plain[Int(byte)] = UInt8(ascii: "0") + UInt8(digit) }
    plain[Int(first.text[colon])] = UInt8(ascii: ":")
    var isSigned = false
    let result = records.map { record in
      var text = record.text.map { plain[Int($0)] }
      text[latitudeLetter] = UInt8(ascii: "N")
      if let space = text[latitudeLetter...].firstIndex(of: 0x20), space + 3 < text.count {
        text[space + 1] = UInt8(ascii: "E")
        isSigned = isSigned || [text[latitudeLetter + 2], text[space + 3]].contains(UInt8(ascii: "-"))
      }
      return record.record.fix(text[...], isPlain: false) ?? .unknown
    }
    return (result, isSigned)
  }

  /// Returns the characters of the digits from 0 to 9, or nil if the records are too few.
  private static func digits(_ records: [LigoLetters]) -> [UInt8]? {
    // The number of times that a character follows another one. Some seconds are missing.
    var counts: [UInt8: [UInt8: Int]] = [:]
    for (record, next) in zip(records, records.dropFirst()) {
      let (last, following) = (record.text[lastDigit], next.text[lastDigit])
      if last != following { counts[last, default: [:]][following, default: 0] += 1 }
    }
    guard let start = records.first?.text[lastDigit] else { return nil }
    var order: [UInt8] = []
    var character = start
    repeat {
      guard order.count < 10, !order.contains(character),
        let next = counts[character]?.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
      else { return nil }
      order.append(character)
      character = next.key
    } while character != start
    guard order.count == 10, let two = order.firstIndex(of: records[0].text[0]) else { return nil }
    return (0..<10).map { order[(two + 8 + $0) % 10] }
  }
}
