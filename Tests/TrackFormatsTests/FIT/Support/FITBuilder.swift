/// Builds FIT files byte by byte from the protocol's description, independently of the code under test.
struct FITBuilder {
  /// A field of a message: number, size, base type, and bytes in little-endian order.
  struct Field {
    var number: UInt8
    var type: UInt8
    var bytes: [UInt8]
    /// The size of one value in bytes, for reversing the byte order.
    var width: Int

    init(_ number: UInt8, type: UInt8, bytes: [UInt8], width: Int = 1) {
      self.number = number
      self.type = type
      self.bytes = bytes
      self.width = width
    }

    private init<Value: FixedWidthInteger>(_ number: UInt8, _ type: UInt8, _ values: [Value]) {
      self.init(
        number, type: type,
        bytes: values.flatMap { value in
          stride(from: 0, to: Value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
        }, width: Value.bitWidth / 8)
    }

    static func enumeration(_ number: UInt8, _ value: UInt8) -> Field { Field(number, 0x00, [value]) }
    static func sint8(_ number: UInt8, _ value: Int8) -> Field { Field(number, 0x01, [value]) }
    static func uint8(_ number: UInt8, _ values: UInt8...) -> Field { Field(number, 0x02, values) }
    static func sint16(_ number: UInt8, _ value: Int16) -> Field { Field(number, 0x83, [value]) }
    static func uint16(_ number: UInt8, _ values: UInt16...) -> Field { Field(number, 0x84, values) }
    static func sint32(_ number: UInt8, _ values: Int32...) -> Field { Field(number, 0x85, values) }
    static func uint32(_ number: UInt8, _ values: UInt32...) -> Field { Field(number, 0x86, values) }
    static func float32(_ number: UInt8, _ value: Float) -> Field { Field(number, 0x88, [value.bitPattern]) }
    static func float64(_ number: UInt8, _ value: Double) -> Field { Field(number, 0x89, [value.bitPattern]) }
    static func byte(_ number: UInt8, _ values: UInt8...) -> Field { Field(number, 0x0D, values) }
    /// Returns a zero-terminated text field of `size` bytes.
    static func text(_ number: UInt8, _ text: String, size: Int) -> Field {
      let bytes = Array(text.utf8)
      return Field(number, type: 0x07, bytes: bytes + Array(repeating: 0, count: max(size - bytes.count, 0)))
    }

    func ordered(bigEndian: Bool) -> [UInt8] {
      guard bigEndian, width > 1 else { return bytes }
      return stride(from: 0, to: bytes.count, by: width).flatMap { bytes[$0..<($0 + width)].reversed() }
    }
  }

  /// A developer field: its number, its application's index, and its bytes in file order.
  struct DeveloperField {
    var number: UInt8
    var application: UInt8 = 0
    var bytes: [UInt8]
  }

  /// The messages so far.
  private(set) var bytes: [UInt8] = []
  private var definitions: [UInt8: [UInt8]] = [:]

  /// Adds a message, preceded by its definition if the local type has a different one.
  ///
  /// - Parameter offset: The five time bits of a message with a compressed timestamp.
  mutating func add(
    _ message: UInt16, local: UInt8 = 0, bigEndian: Bool = false, offset: UInt8? = nil, _ fields: [Field],
    developer: [DeveloperField] = []
  ) {
    var definition: [UInt8] = [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, bigEndian ? 1 : 0]
    let number = [UInt8(truncatingIfNeeded: message), UInt8(message >> 8)]
    definition += bigEndian ? number.reversed() : number
    definition.append(UInt8(fields.count))
    for field in fields { definition += [field.number, UInt8(field.bytes.count), field.type] }
    if !developer.isEmpty {
      definition.append(UInt8(developer.count))
      for field in developer { definition += [field.number, UInt8(field.bytes.count), field.application] }
    }
    if definitions[local] != definition {
      bytes += definition
      definitions[local] = definition
    }
    bytes.append(offset.map { 0x80 | local << 5 | $0 } ?? local)
    for field in fields { bytes += field.ordered(bigEndian: bigEndian) }
    for field in developer { bytes += field.bytes }
  }

  mutating func add(raw: [UInt8]) { bytes += raw }

  /// Returns the file: header, messages, checksum.
  ///
  /// - Parameters:
  ///   - headerSize: 12 or 14.
  ///   - dataSize: The data size in the header, if it differs from the actual one.
  func file(headerSize: UInt8 = 14, dataSize: Int? = nil, hasHeaderChecksum: Bool = true) -> [UInt8] {
    var header: [UInt8] = [headerSize, 0x20, 0x54, 0x08]
    let size = dataSize ?? bytes.count
    header += (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + Array(".FIT".utf8)
    if headerSize == 14 { header += hasHeaderChecksum ? FITBuilder.checksum(header) : [0, 0] }
    let all = header + bytes
    return all + FITBuilder.checksum(all)
  }

  /// Returns the CRC-16 in steps of four bits, as the protocol's description defines it.
  static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    let table: [UInt16] = [
      0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800, 0xB401, 0x5000,
      0x9C01, 0x8801, 0x4400,
    ]
    var value: UInt16 = 0
    for byte in bytes {
      for half in [byte & 0xF, byte >> 4] { value = value >> 4 ^ table[Int(value & 0xF)] ^ table[Int(half)] }
    }
    return [UInt8(value & 0xFF), UInt8(value >> 8)]
  }

  // MARK: Messages that many tests need

  /// 2024-05-17T06:00:00Z as a FIT timestamp: 1,715,925,600 − 631,065,600.
  static let start: UInt32 = 1_084_860_000

  mutating func addFileID(type: UInt8 = 4, bigEndian: Bool = false) {
    add(
      0, local: 15, bigEndian: bigEndian,
      [.enumeration(0, type), .uint16(1, 255), .uint16(2, 0), .uint32(4, FITBuilder.start)])
  }

  /// Adds a record at a number of seconds after ``start``; positions in semicircles.
  mutating func addRecord(
    _ second: UInt32, _ latitude: Int32, _ longitude: Int32, bigEndian: Bool = false, _ more: [Field] = [],
    developer: [DeveloperField] = []
  ) {
    add(
      20, local: 0, bigEndian: bigEndian,
      [.uint32(253, FITBuilder.start + second), .sint32(0, latitude), .sint32(1, longitude)] + more,
      developer: developer)
  }

  /// Adds a timer event: start (0) or stop (4).
  mutating func addTimer(_ second: UInt32, _ type: UInt8) {
    add(21, local: 1, [.uint32(253, FITBuilder.start + second), .enumeration(0, 0), .enumeration(1, type)])
  }

  mutating func addSession(
    start: UInt32, end: UInt32, elapsed: UInt32, timer: UInt32, sport: UInt8, message: UInt16 = 18
  ) {
    add(
      message, local: message == 18 ? 2 : 3,
      [
        .uint32(253, FITBuilder.start + end), .uint32(2, FITBuilder.start + start),
        .uint32(7, elapsed * 1000), .uint32(8, timer * 1000), .uint32(9, 12_345),
        .enumeration(message == 18 ? 5 : 24, sport), .uint16(11, 77),
      ])
  }
}
