public import TrackModel

/// The type of a FIT file according to its `file_id` message.
public struct FITFileType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The number in Garmin's FIT profile, type `file`.
  public let rawValue: UInt8
  /// Creates the type with a number of the profile.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates a type from the number in a `file_id`.
  init?(_ definition: FITDefinition, _ bytes: Span<UInt8>) {
    guard let number = definition.integer(0, in: bytes).flatMap({ UInt8(exactly: $0) }) else { return nil }
    rawValue = number
  }

  /// A recorded activity.
  public static let activity = FITFileType(rawValue: 4)
  /// A route to follow, with a time for each point.
  public static let course = FITFileType(rawValue: 6)
  /// The saved locations of a device.
  public static let locations = FITFileType(rawValue: 8)

  private static let names: [UInt8: String] = [
    1: "device", 2: "settings", 3: "sport", 4: "activity", 5: "workout", 6: "course", 7: "schedules",
    8: "locations", 9: "weight", 10: "totals", 11: "goals", 14: "blood_pressure", 15: "monitoring_a",
    20: "activity_summary", 28: "monitoring_daily", 32: "monitoring_b", 34: "segment", 35: "segment_list",
    40: "exd_configuration",
  ]

  /// The profile's name, or the number if it has none.
  public var description: String { FITFileType.names[rawValue] ?? "\(rawValue)" }

  /// Returns the type of a FIT file without consuming input.
  ///
  /// The `file_id` should be the first message, so usually only a few bytes are read. The search ends after
  /// 64 kB.
  ///
  /// - Returns: `nil` if the input is not a FIT file or has no `file_id`.
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
      try input.fill(atLeast: position + definition.layout.size)
      guard input.available.count >= position + definition.layout.size else { return nil }
      if definition.message == FITMessageNumber.fileID {
        let message = input.available.extracting(position..<(position + definition.layout.size))
        return FITFileType(definition, message)
      }
      position += definition.layout.size
    }
    return nil
  }
}
