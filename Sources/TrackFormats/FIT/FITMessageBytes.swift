import TrackModel

/// A message to be written, with its definition.
struct FITMessageBytes {
  private let local: UInt8
  private var definition: [UInt8]
  private var data: [UInt8]

  /// The message without its definition.
  var message: [UInt8] { data }

  /// - Parameter local: the local type, 0…15.
  init(_ message: UInt16, local: UInt8) {
    self.local = local
    // Reserved, little-endian, message number, number of fields.
    definition = [0x40 | local, 0, 0, UInt8(truncatingIfNeeded: message), UInt8(message >> 8), 0]
    data = [local]
  }

  /// Adds a field.
  ///
  /// - Parameter value: the value in the field's unit and within the type's range, or `nil` for an invalid
  ///   value.
  mutating func add(_ number: UInt8, _ type: FITBaseType, _ value: Int?) {
    add(number, type, size: type.size)
    let bits = value ?? type.invalid
    for index in 0..<type.size { data.append(UInt8(truncatingIfNeeded: bits >> (8 * index))) }
  }

  /// Adds a text of at most 254 bytes.
  mutating func add(_ number: UInt8, _ text: String) {
    add(number, .string, size: text.utf8.count + 1)
    data += Array(text.utf8) + [0]
  }

  private mutating func add(_ number: UInt8, _ type: FITBaseType, size: Int) {
    definition[5] += 1
    definition += [number, UInt8(truncatingIfNeeded: size), type.definition]
  }

  /// Appends the message, preceded by its definition if that differs from the current one.
  ///
  /// - Parameter definitions: the current definitions by local type.
  func append(to bytes: inout ByteBuffer, _ definitions: inout [UInt8: [UInt8]]) {
    if definitions[local] != definition {
      bytes.append(contentsOf: definition.span)
      definitions[local] = definition
    }
    bytes.append(contentsOf: data.span)
  }
}

extension FITBaseType {
  /// The invalid value of the types that are written.
  fileprivate var invalid: Int {
    switch self {
    case .enumeration, .uint8, .byte: 0xFF
    case .sint8: 0x7F
    case .sint16: 0x7FFF
    case .uint16: 0xFFFF
    case .sint32: 0x7FFF_FFFF
    case .uint32: 0xFFFF_FFFF
    case .uint8z, .uint16z, .uint32z, .uint64z, .string: 0
    case .float32: 0xFFFF_FFFF
    case .float64, .uint64: -1
    case .sint64: .max
    }
  }
}

extension ByteBuffer {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
