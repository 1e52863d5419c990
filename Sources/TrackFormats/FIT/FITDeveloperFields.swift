import TrackModel

/// The identifier of a developer field within a file.
struct FITDeveloperKey: Hashable, Sendable {
  let application: UInt8
  let field: UInt8
}

/// The developer fields of records that override quantities of the profile.
///
/// A field can be used before it is described. Its values are kept with their rows until then.
struct FITDeveloperFields {
  /// A value for a row, in the unit of its channel.
  struct Value {
    let row: Int
    let channel: Channel
    let number: Double
  }

  /// The first bytes of a value in little-endian order, with the parameters for decoding them.
  private struct Raw {
    let row: Int
    let bytes: UInt64
    let size: Int
    let isBigEndian: Bool
  }

  /// The decoding of a field. Without references, so that a copy for each value costs nothing.
  private struct Decoding {
    let type: FITBaseType?
    let scale: Double
    let offset: Double
    /// The conversion from the unit of the field to that of the channel.
    let unit: (factor: Double, offset: Double)
    /// The channel, or `nil` for a quantity without a channel.
    let channel: Channel?

    /// The value, or `nil` if it is invalid.
    @inline(__always)
    func number(_ raw: Raw) -> Double? {
      guard let type, raw.size > 0, raw.size % type.size == 0 else { return nil }
      let bits = raw.isBigEndian ? raw.bytes.byteSwapped >> UInt64(64 - 8 * type.size) : raw.bytes
      let value = (type.number(bits) / scale - offset) * unit.factor + unit.offset
      return value.isFinite ? value : nil
    }
  }

  private struct Entry {
    var name = ""
    /// The index of the name in ``names`` once a value has been counted there.
    var unplaced: Int?
    var pending: [Raw] = []
  }

  /// The parts of an entry that every value needs, without references.
  private struct Field {
    let key: FITDeveloperKey
    /// The decoding, or `nil` before the field is described.
    var decoding: Decoding?
    /// Whether its values have no channel and one has been counted.
    var isUnplaced = false
    /// The number of these values that are not counted with their name yet.
    var unplaced = 0
  }

  /// Arrays, because files have few developer fields.
  private var entries: [Entry] = []
  private var fields: [Field] = []
  /// The index of the last entry that was used.
  private var last = -1
  private var pendingCount = 0
  /// The number of discarded values of fields without a description.
  private(set) var lost = 0

  /// The names of fields whose quantity has no channel, in order of first use, with the number of values that
  /// were counted there.
  private var names = CountedNames()

  /// The names of fields whose quantity has no channel, with the number of values, in order of first use.
  var unplaced: [(name: String, count: Int)] {
    var all = names.all
    for (entry, field) in zip(entries, fields) {
      if let index = entry.unplaced { all[index].count += field.unplaced }
    }
    return all
  }

  /// The largest number of values held until their description is read.
  private static let pendingLimit = 1 << 20

  /// Reads a field of a record.
  ///
  /// - Parameter row: the row of the record.
  /// - Returns: the value, or `nil` if it is invalid, has no channel, or is not described yet.
  mutating func read(
    _ field: FITDefinition.DeveloperField, in bytes: Span<UInt8>, isBigEndian: Bool, row: Int
  ) -> Value? {
    let raw = Raw(
      row: row, bytes: FITDeveloperFields.word(bytes, at: field.offset, size: field.size), size: field.size,
      isBigEndian: isBigEndian)
    let index = index(of: field.key)
    if let decoding = fields[index].decoding {
      guard let number = decoding.number(raw) else { return nil }
      guard let channel = decoding.channel else {
        if fields[index].isUnplaced { fields[index].unplaced += 1 } else { leaveOut(index, 1) }
        return nil
      }
      return Value(row: row, channel: channel, number: number)
    }
    if pendingCount < FITDeveloperFields.pendingLimit {
      entries[index].pending.append(raw)
      pendingCount += 1
    } else {
      lost += 1
    }
    return nil
  }

  /// Returns the first eight bytes of a field as a little-endian number.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, at offset: Int, size: Int) -> UInt64 {
    if bytes.count >= 8 {
      // The last fields are in the last eight bytes.
      let start = min(offset, bytes.count &- 8)
      let word =
        FITBaseType.bits(bytes, at: start, size: 8, isBigEndian: false) &>> UInt64(8 &* (offset &- start))
      return size >= 8 ? word : word & (1 &<< UInt64(size &* 8) &- 1)
    }
    var value: UInt64 = 0
    for index in 0..<min(size, 8) { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return value
  }

  /// Handles a `field_description` message.
  ///
  /// - Returns: the values that were held until the description was read.
  mutating func describe(_ definition: FITDefinition, _ bytes: Span<UInt8>) -> [Value] {
    guard let application = definition.integer(0, in: bytes), let number = definition.integer(1, in: bytes),
      let application = UInt8(exactly: application), let number = UInt8(exactly: number)
    else { return [] }
    let type = definition.integer(2, in: bytes).flatMap { UInt8(exactly: $0) }
      .flatMap(FITBaseType.init(definition:))
    let scale = definition.number(6, in: bytes) ?? 1
    // The message number is often missing; the field then belongs to the message that contains it.
    let message = definition.integer(14, in: bytes) ?? Int(FITMessageNumber.record)
    let channel =
      message == Int(FITMessageNumber.record)
      ? FITDeveloperFields.channel(definition.integer(15, in: bytes)) : nil
    let decoding = Decoding(
      type: type, scale: scale == 0 ? 1 : scale, offset: definition.number(7, in: bytes) ?? 0,
      unit: channel?.scale(heading: definition.text(8, in: bytes)) ?? (1, 0), channel: channel)
    let index = index(of: FITDeveloperKey(application: application, field: number))
    countUnplaced(index)
    fields[index].decoding = decoding
    entries[index].name = definition.text(3, in: bytes) ?? "\(number)"
    entries[index].unplaced = nil
    let pending = entries[index].pending
    entries[index].pending = []
    pendingCount -= pending.count
    guard let channel = decoding.channel else {
      leaveOut(index, pending.count { decoding.number($0) != nil })
      return []
    }
    return pending.compactMap { raw in
      decoding.number(raw).map { Value(row: raw.row, channel: channel, number: $0) }
    }
  }

  /// Counts values of a field that have no channel.
  private mutating func leaveOut(_ entry: Int, _ count: Int) {
    guard count > 0 else { return }
    if fields[entry].isUnplaced {
      fields[entry].unplaced += count
      return
    }
    entries[entry].unplaced = names.add(count, of: entries[entry].name)
    fields[entry].isUnplaced = true
  }

  /// Adds the values of a field without a channel to those of its name, before the field gets another one.
  private mutating func countUnplaced(_ entry: Int) {
    if let index = entries[entry].unplaced { names.add(fields[entry].unplaced, at: index) }
    fields[entry].unplaced = 0
    fields[entry].isUnplaced = false
  }

  /// Discards all held values, because their rows have been delivered.
  mutating func forget() {
    for index in entries.indices {
      lost += entries[index].pending.count
      entries[index].pending = []
    }
    pendingCount = 0
  }

  @inline(__always)
  private mutating func index(of key: FITDeveloperKey) -> Int {
    // Records have the same fields in the same order.
    last = last + 1 < fields.count ? last + 1 : 0
    return last < fields.count && fields[last].key == key ? last : findIndex(of: key)
  }

  private mutating func findIndex(of key: FITDeveloperKey) -> Int {
    last = fields.firstIndex { $0.key == key } ?? fields.count
    if last == fields.count {
      fields.append(Field(key: key))
      entries.append(Entry())
    }
    return last
  }

  /// Returns the channel of the record field that a developer field overrides.
  private static func channel(_ field: Int?) -> Channel? {
    guard let field, let number = UInt8(exactly: field) else { return nil }
    return switch FITRecordPlan.Quantity(rawValue: number) {
    case .altitude, .enhancedAltitude: .elevation
    case .heartRate: .heartRate
    case .cadence, .cadence256: .cadence
    case .distance: .distance
    case .speed, .enhancedSpeed: .speed
    case .power: .power
    case .temperature: .temperature
    case .accuracy: .horizontalAccuracy
    case .depth: .depth
    default: nil
    }
  }
}
