/// The base types of fields. The raw value is the type number without the bit for multi-byte types.
enum FITBaseType: UInt8, Sendable {
  case enumeration = 0
  case sint8, uint8, sint16, uint16, sint32, uint32
  case string
  case float32, float64
  /// Whether zero is the type's invalid value.
  case uint8z, uint16z, uint32z
  case byte
  case sint64, uint64, uint64z

  /// Creates the type from its byte in a definition, or `nil` if it does not exist.
  init?(definition byte: UInt8) { self.init(rawValue: byte & 0x1F) }

  /// The type's byte in a definition.
  var definition: UInt8 { size > 1 ? rawValue | 0x80 : rawValue }

  /// The size of a value in bytes.
  var size: Int {
    switch self {
    case .enumeration, .sint8, .uint8, .string, .uint8z, .byte: 1
    case .sint16, .uint16, .uint16z: 2
    case .sint32, .uint32, .float32, .uint32z: 4
    case .float64, .sint64, .uint64, .uint64z: 8
    }
  }

  /// Returns the number in the lowest ``size`` bytes of `bits`. NaN for the type's invalid value and for
  /// strings.
  func number(_ bits: UInt64) -> Double {
    switch self {
    case .enumeration, .uint8, .byte: bits & 0xFF == 0xFF ? .nan : Double(bits & 0xFF)
    case .sint8: bits & 0xFF == 0x7F ? .nan : Double(Int8(truncatingIfNeeded: bits))
    case .uint8z: bits & 0xFF == 0 ? .nan : Double(bits & 0xFF)
    case .sint16: bits & 0xFFFF == 0x7FFF ? .nan : Double(Int16(truncatingIfNeeded: bits))
    case .uint16: bits & 0xFFFF == 0xFFFF ? .nan : Double(bits & 0xFFFF)
    case .uint16z: bits & 0xFFFF == 0 ? .nan : Double(bits & 0xFFFF)
    case .sint32: bits & 0xFFFF_FFFF == 0x7FFF_FFFF ? .nan : Double(Int32(truncatingIfNeeded: bits))
    case .uint32: bits & 0xFFFF_FFFF == 0xFFFF_FFFF ? .nan : Double(bits & 0xFFFF_FFFF)
    case .uint32z: bits & 0xFFFF_FFFF == 0 ? .nan : Double(bits & 0xFFFF_FFFF)
    case .sint64: bits == 0x7FFF_FFFF_FFFF_FFFF ? .nan : Double(Int64(bitPattern: bits))
    case .uint64: bits == .max ? .nan : Double(bits)
    case .uint64z: bits == 0 ? .nan : Double(bits)
    // All ones is already NaN, and infinity is not a measurement.
    case .float32: FITBaseType.finite(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .float64: FITBaseType.finite(Double(bitPattern: bits))
    case .string: .nan
    }
  }

  private static func finite(_ value: Double) -> Double { value.isFinite ? value : .nan }

  /// Returns the `size` bytes at `offset` as a number, or 0 for sizes other than 1, 2, 4 and 8.
  ///
  /// - Precondition: the bytes exist.
  @inline(__always)
  static func bits(_ bytes: Span<UInt8>, at offset: Int, size: Int, isBigEndian: Bool) -> UInt64 {
    let bytes = unsafe bytes.bytes
    switch size {
    case 1: return UInt64(unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self))
    case 2:
      let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
      return UInt64(isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
    case 4:
      let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
      return UInt64(isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
    case 8:
      let value = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return isBigEndian ? UInt64(bigEndian: value) : UInt64(littleEndian: value)
    default: return 0
    }
  }
}
