import TrackModel

/// The definition of the data messages of a local type.
///
/// A class, so that accessing it per message costs a single retain.
final class FITDefinition: Sendable {
  /// A field of the profile and its location in a message.
  struct Field: Sendable {
    let number: UInt8
    let offset: Int
    /// The size in bytes. A multiple of the type's size for an array.
    let size: Int
    /// The type of the first value, or `nil` if the type is unknown or larger than the field.
    let type: FITBaseType?
  }

  /// A developer field, described by another message.
  struct DeveloperField: Sendable {
    let key: FITDeveloperKey
    let offset: Int
    let size: Int
  }

  /// The values that iterating over messages needs, without references.
  struct Layout: Sendable {
    /// The message number in the profile.
    let message: UInt16
    let isBigEndian: Bool
    /// The size of a data message in bytes, without its header.
    let size: Int
    /// The offset of the timestamp, or `nil` if the message has no timestamp.
    let timestampOffset: Int?
  }

  let layout: Layout
  let fields: [Field]
  let developerFields: [DeveloperField]
  /// The plan for reading records, or `nil` for other messages.
  let record: FITRecordPlan?

  /// The number of bytes between the header of a definition and its fields.
  static let fixedSize = 5

  /// The reason why a definition is invalid.
  enum Flaw: Error { case incomplete, unknownArchitecture }

  /// Parses a definition and returns it with its size in bytes, without its header.
  ///
  /// - Parameter bytes: the bytes after the message header.
  static func read(
    _ bytes: Span<UInt8>, hasDeveloperFields: Bool
  ) throws(Flaw) -> (definition: FITDefinition, length: Int) {
    guard bytes.count >= fixedSize else { throw .incomplete }
    guard bytes[1] <= 1 else { throw .unknownArchitecture }
    var isBigEndian = bytes[1] == 1
    var message =
      isBigEndian
      ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : UInt16(bytes[3]) << 8 | UInt16(bytes[2])
    // Some recorders set big-endian by mistake. No message number is that large, so both the number and the
    // values are little-endian.
    if isBigEndian, message & 0xFF == 0, (0x0100..<0xFF00).contains(message) {
      isBigEndian = false
      message >>= 8
    }
    var position = fixedSize + 3 * Int(bytes[4])
    guard bytes.count >= position + (hasDeveloperFields ? 1 : 0) else { throw .incomplete }
    var offset = 0
    var fields: [Field] = []
    fields.reserveCapacity(Int(bytes[4]))
    for start in stride(from: fixedSize, to: position, by: 3) {
      let size = Int(bytes[start + 1])
      fields.append(
        Field(
          number: bytes[start], offset: offset, size: size,
          type: type(FITBaseType(definition: bytes[start + 2]), size: size)))
      offset += size
    }
    var developerFields: [DeveloperField] = []
    if hasDeveloperFields {
      let end = position + 1 + 3 * Int(bytes[position])
      guard bytes.count >= end else { throw .incomplete }
      for start in stride(from: position + 1, to: end, by: 3) {
        let key = FITDeveloperKey(application: bytes[start + 2], field: bytes[start])
        developerFields.append(DeveloperField(key: key, offset: offset, size: Int(bytes[start + 1])))
        offset += Int(bytes[start + 1])
      }
      position = end
    }
    return (
      FITDefinition(
        message: message, isBigEndian: isBigEndian, fields: fields, developerFields: developerFields,
        size: offset),
      position
    )
  }

  private init(
    message: UInt16, isBigEndian: Bool, fields: [Field], developerFields: [DeveloperField], size: Int
  ) {
    layout = Layout(
      message: message, isBigEndian: isBigEndian, size: size,
      timestampOffset: fields.first { $0.number == FITMessageNumber.timestampField && $0.type?.size == 4 }?
        .offset)
    self.fields = fields
    self.developerFields = developerFields
    record = message == FITMessageNumber.record ? FITRecordPlan(fields) : nil
  }

  /// Returns the type for reading a field of `size` bytes: `byte` if the size is not a multiple of the type's
  /// size, as the protocol requires. Several bytes are not a number.
  private static func type(_ type: FITBaseType?, size: Int) -> FITBaseType? {
    guard let type, size > 0 else { return nil }
    if size % type.size == 0 { return type }
    return size == 1 ? .uint8 : nil
  }

  // MARK: Values

  var message: UInt16 { layout.message }
  var isBigEndian: Bool { layout.isBigEndian }

  func field(_ number: UInt8) -> Field? { fields.first { $0.number == number } }

  /// Returns the first value of a field, or `nil` if the field is missing or invalid.
  func number(_ number: UInt8, in bytes: Span<UInt8>) -> Double? {
    guard let field = field(number), let type = field.type, type != .string else { return nil }
    let value = type.number(
      FITBaseType.bits(bytes, at: field.offset, size: type.size, isBigEndian: isBigEndian))
    return value.isNaN ? nil : value
  }

  /// Returns the first value of a field as an integer, or `nil` if it exceeds 32 bits.
  func integer(_ number: UInt8, in bytes: Span<UInt8>) -> Int? {
    guard let value = self.number(number, in: bytes), abs(value) <= 0xFFFF_FFFF else { return nil }
    return Int(value)
  }

  /// Returns the text of a field up to the first zero, or `nil` if it is missing.
  func text(_ number: UInt8, in bytes: Span<UInt8>) -> String? {
    guard let field = field(number), field.type == .string else { return nil }
    var text: [UInt8] = []
    for index in field.offset..<(field.offset + field.size) where index < bytes.count {
      if bytes[index] == 0 { break }
      text.append(bytes[index])
    }
    let string = String(decoding: text, as: UTF8.self)
    return string.isEmpty ? nil : string
  }
}
