/// What a FIT file holds: the field `type` of its message `file_id`.
struct FITOpening: Hashable {
  let value: UInt8

  static let activity = FITOpening(value: 4)
  static let course = FITOpening(value: 6)

  /// The names of the profile's type `file`.
  private static let names: [UInt8: String] = [
    1: "device", 2: "settings", 3: "sport", 4: "activity", 5: "workout", 6: "course", 7: "schedules",
    9: "weight", 10: "totals", 11: "goals", 14: "blood-pressure", 15: "monitoring", 20: "activity-summary",
    28: "monitoring-daily", 32: "monitoring", 34: "segment", 35: "segment-list", 40: "configuration",
  ]

  var name: String { FITOpening.names[value] ?? "\(value)" }

  /// Reads it off the beginning of a file, where `file_id` has to stand; nil for what is no FIT, and where the
  /// message is not among the first.
  static func peek(_ bytes: Span<UInt8>) -> FITOpening? {
    guard bytes.count >= 12, bytes[8] == UInt8(ascii: "."), bytes[9] == UInt8(ascii: "F"),
      bytes[10] == UInt8(ascii: "I"), bytes[11] == UInt8(ascii: "T")
    else { return nil }
    var position = max(Int(bytes[0]), 12)
    // Per local message: bytes of a data message, and where `type` stands in it if it is a `file_id`.
    var sizes = [Int?](repeating: nil, count: 16)
    var places = [Int?](repeating: nil, count: 16)
    for _ in 0..<32 where position < bytes.count {
      let header = bytes[position]
      if header & 0xC0 == 0x40 {
        let local = Int(header & 15)
        guard position + 6 <= bytes.count else { return nil }
        let isBigEndian = bytes[position + 2] == 1
        let (low, high) = (bytes[position + (isBigEndian ? 4 : 3)], bytes[position + (isBigEndian ? 3 : 4)])
        let fields = Int(bytes[position + 5])
        position += 6
        guard position + fields * 3 <= bytes.count else { return nil }
        var size = 0
        places[local] = nil
        for field in 0..<fields {
          if low == 0, high == 0, bytes[position + field * 3] == 0 { places[local] = size }
          size += Int(bytes[position + field * 3 + 1])
        }
        position += fields * 3
        if header & 0x20 != 0 {
          guard position < bytes.count else { return nil }
          let extra = Int(bytes[position])
          position += 1
          guard position + extra * 3 <= bytes.count else { return nil }
          for field in 0..<extra { size += Int(bytes[position + field * 3 + 1]) }
          position += extra * 3
        }
        sizes[local] = size
      } else {
        let local = header & 0x80 != 0 ? Int(header >> 5 & 3) : Int(header & 15)
        guard let size = sizes[local] else { return nil }
        if let place = places[local], position + 1 + place < bytes.count {
          return FITOpening(value: bytes[position + 1 + place])
        }
        position += 1 + size
      }
    }
    return nil
  }
}
