public import TrackModel

/// What a FIT file is for, as its `file_id` says.
public struct FITFileType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The number of Garmin's FIT profile, type `file`.
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A recording.
  public static let activity = FITFileType(rawValue: 4)
  public static let course = FITFileType(rawValue: 6)
  /// Saved places of a device.
  public static let locations = FITFileType(rawValue: 8)

  private static let names: [UInt8: String] = [
    1: "device", 2: "settings", 3: "sport", 4: "activity", 5: "workout", 6: "course", 7: "schedules",
    8: "locations", 9: "weight", 10: "totals", 11: "goals", 14: "blood_pressure", 15: "monitoring_a",
    20: "activity_summary", 28: "monitoring_daily", 32: "monitoring_b", 34: "segment", 35: "segment_list",
    40: "exd_configuration",
  ]

  /// The profile's name, or the number where it has none.
  public var description: String { FITFileType.names[rawValue] ?? "\(rawValue)" }

  /// Looks ahead for what a FIT file is for; nothing is consumed.
  ///
  /// The `file_id` is the first message by the rules, so this costs no more than the first few bytes; it is
  /// looked for in the first 64 kB.
  ///
  /// - Returns: nil for what is no FIT file, and for one that does not say.
  public static func peek(_ input: inout ByteInput) throws(TrackError) -> FITFileType? {
    try input.fill(atLeast: FITHeader.fullSize)
    guard let header = FITHeader(input.available) else { return nil }
    var position = header.size
    var definitions: [FITDefinition?] = Array(repeating: nil, count: 16)
    while position < 1 << 16 {
      try input.fill(atLeast: position + 1)
      guard input.available.count > position else { return nil }
      let first = input.available[position]
      position += 1
      if first & 0xC0 == 0x40 {
        try input.fill(atLeast: position + 2048)
        let bytes = input.available
        guard
          let read = try? FITDefinition.read(
            bytes.extracting(position..<bytes.count), hasDeveloperFields: first & 0x20 != 0)
        else { return nil }
        definitions[Int(first & 0x0F)] = read.definition
        position += read.length
        continue
      }
      let local = Int(first & 0x80 != 0 ? first >> 5 & 0x03 : first & 0x0F)
      guard let definition = definitions[local] else { return nil }
      try input.fill(atLeast: position + definition.size)
      guard input.available.count >= position + definition.size else { return nil }
      if definition.message == FITMessageNumber.fileID {
        let message = input.available.extracting(position..<(position + definition.size))
        return definition.integer(0, in: message).flatMap { UInt8(exactly: $0) }.map(FITFileType.init(rawValue:))
      }
      position += definition.size
    }
    return nil
  }
}
