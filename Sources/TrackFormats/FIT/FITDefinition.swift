import TrackModel

/// What a definition message says about the data messages of a local type.
struct FITDefinition {
  /// A field of the profile: where it lies in a message, and what it is.
  struct Field {
    let number: UInt8
    let offset: Int
    /// The number of bytes; several times that of the type for an array.
    let size: Int
    /// The type to read the first value by; nil for one that does not exist and for sizes that hold none.
    let type: FITBaseType?
  }

  /// A field that an app on the device has added; what it is, another message describes.
  struct DeveloperField {
    let key: FITDeveloperKey
    let offset: Int
    let size: Int
  }

  /// The number of the message in the profile.
  let message: UInt16
  let isBigEndian: Bool
  let fields: [Field]
  let developerFields: [DeveloperField]
  /// The number of bytes of a data message, without its header.
  let size: Int
  /// Where the timestamp lies; nil without one.
  let timestampOffset: Int?
  /// How records of this shape are read; nil for other messages.
  let record: FITRecordPlan?

  /// The bytes between the header of a definition and its fields.
  static let fixedSize = 5

  /// Why a definition cannot be used.
  enum Flaw: Error { case incomplete, unknownArchitecture }

  /// How a definition is read, and how many bytes it has without its header.
  ///
  /// - Parameter bytes: from behind the header of the message.
  static func read(
    _ bytes: Span<UInt8>, hasDeveloperFields: Bool
  ) throws(Flaw) -> (definition: FITDefinition, length: Int) {
    guard bytes.count >= fixedSize else { throw .incomplete }
    guard bytes[1] <= 1 else { throw .unknownArchitecture }
    var isBigEndian = bytes[1] == 1
    var message =
      isBigEndian
      ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : UInt16(bytes[3]) << 8 | UInt16(bytes[2])
    // Some recorders say big-endian by mistake. The profile has no numbers of that size, so the bytes of this
    // one stand the other way round, and so do the values.
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
    self.message = message
    self.isBigEndian = isBigEndian
    self.fields = fields
    self.developerFields = developerFields
    self.size = size
    timestampOffset =
      fields.first { $0.number == FITMessageNumber.timestampField && $0.type?.size == 4 }?.offset
    record = message == FITMessageNumber.record ? FITRecordPlan(fields) : nil
  }

  /// The type that a field of so many bytes is read by: bytes where the size is no multiple of the type's, as
  /// the protocol says; several of those hold no number.
  private static func type(_ type: FITBaseType?, size: Int) -> FITBaseType? {
    guard let type, size > 0 else { return nil }
    if size % type.size == 0 { return type }
    return size == 1 ? .uint8 : nil
  }

  // MARK: Values

  func field(_ number: UInt8) -> Field? { fields.first { $0.number == number } }

  /// The first value of a field; nil where the message has no such field, or no value in it.
  func number(_ number: UInt8, in bytes: Span<UInt8>) -> Double? {
    guard let field = field(number), let type = field.type, type != .string else { return nil }
    let value = type.number(
      FITBaseType.bits(bytes, at: field.offset, size: type.size, isBigEndian: isBigEndian))
    return value.isNaN ? nil : value
  }

  /// The same as a whole number; nil also beyond 32 bits.
  func integer(_ number: UInt8, in bytes: Span<UInt8>) -> Int? {
    guard let value = self.number(number, in: bytes), abs(value) <= 0xFFFF_FFFF else { return nil }
    return Int(value)
  }

  /// The text of a field, up to the first zero; nil where there is none.
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
