import TrackModel

/// The values of a record in the units of the channels. Missing values are NaN.
struct FITRecord {
  /// The position in semicircles, or `nil` if missing.
  var latitude: Int32?
  var longitude: Int32?
  /// The fraction of a second to add to the timestamp.
  var fraction = 0.0
  var elevation = Double.nan
  var speed = Double.nan
  var distance = Double.nan
  /// A distance counter in sixteenths of a metre that rolls over at 256 m, or `nil` if missing.
  var compressedDistance: Int?
  var heartRate = Double.nan
  var cadence = Double.nan
  var power = Double.nan
  var temperature = Double.nan
  var accuracy = Double.nan
  var depth = Double.nan
  var course = Double.nan
}

/// The offsets and types of a record's quantities, computed once per definition.
struct FITRecordPlan: Sendable {
  enum Quantity: UInt8, Sendable {
    case latitude = 0
    case longitude = 1
    case altitude = 2
    case heartRate = 3
    case cadence = 4
    case distance = 5
    case speed = 6
    case power = 7
    case compressedSpeedDistance = 8
    case temperature = 13
    case accuracy = 31
    case time128 = 48
    case cadence256 = 52
    case fractionalCadence = 53
    case enhancedSpeed = 73
    case enhancedAltitude = 78
    case depth = 92

    /// Returns the value of the field from its raw number. Source: Garmin's FIT profile, message 20.
    func scaled(_ number: Double) -> Double {
      switch self {
      // Divides last, so that fifths become the nearest number to their decimal value.
      case .altitude, .enhancedAltitude: (number - 2500) / 5
      case .distance: number / 100
      case .speed, .enhancedSpeed, .depth: number / 1000
      case .time128, .fractionalCadence: number / 128
      case .cadence256: number / 256
      default: number
      }
    }
  }

  private struct Item: Sendable {
    let quantity: Quantity
    let type: FITBaseType
    let size: UInt8
    let offset: Int
  }

  private let items: [Item]

  init(_ fields: [FITDefinition.Field]) {
    items = fields.compactMap { field in
      guard let quantity = Quantity(rawValue: field.number), let type = field.type else { return nil }
      switch quantity {
      case .latitude, .longitude: guard type == .sint32 || type == .uint32 else { return nil }
      case .compressedSpeedDistance: guard field.size >= 3, type.size == 1 else { return nil }
      default: guard type != .string else { return nil }
      }
      return Item(quantity: quantity, type: type, size: UInt8(type.size), offset: field.offset)
    }
  }

  /// Reads a record.
  ///
  /// - Parameter bytes: the message without its header, at least as long as its definition requires.
  func read(_ bytes: Span<UInt8>, isBigEndian: Bool) -> FITRecord {
    var record = FITRecord()
    // The enhanced fields have a wider range. If a record has both, they agree, or the others are invalid or
    // truncated.
    var enhancedAltitude = Double.nan
    var enhancedSpeed = Double.nan
    var fractionalCadence = Double.nan
    for index in items.indices {
      let item = items[index]
      let bits = FITBaseType.bits(bytes, at: item.offset, size: Int(item.size), isBigEndian: isBigEndian)
      switch item.quantity {
      case .latitude: record.latitude = FITRecordPlan.semicircles(bits)
      case .longitude: record.longitude = FITRecordPlan.semicircles(bits)
      case .compressedSpeedDistance: FITRecordPlan.readCompressed(bytes, at: item.offset, to: &record)
      default:
        let value = item.quantity.scaled(item.type.number(bits))
        if value.isNaN { continue }
        switch item.quantity {
        case .altitude: record.elevation = value
        case .enhancedAltitude: enhancedAltitude = value
        case .speed: record.speed = value
        case .enhancedSpeed: enhancedSpeed = value
        case .distance: record.distance = value
        case .heartRate: record.heartRate = value
        case .cadence: if record.cadence.isNaN { record.cadence = value }
        case .cadence256: record.cadence = value
        case .fractionalCadence: fractionalCadence = value
        case .power: record.power = value
        case .temperature: record.temperature = value
        case .accuracy: record.accuracy = value
        case .depth: record.depth = value
        case .time128: record.fraction = value
        case .latitude, .longitude, .compressedSpeedDistance: break
        }
      }
    }
    if !enhancedAltitude.isNaN { record.elevation = enhancedAltitude }
    if !enhancedSpeed.isNaN { record.speed = enhancedSpeed }
    if !fractionalCadence.isNaN, record.cadence == record.cadence.rounded() {
      record.cadence += fractionalCadence
    }
    return record
  }

  private static func semicircles(_ bits: UInt64) -> Int32? {
    let value = Int32(truncatingIfNeeded: bits)
    return value == .max ? nil : value
  }

  /// Twelve bits of speed in cm/s, followed by twelve bits of distance in sixteenths of a metre, least
  /// significant bits first.
  private static func readCompressed(_ bytes: Span<UInt8>, at offset: Int, to record: inout FITRecord) {
    let first = FITBaseType.bits(bytes, at: offset, size: 1, isBigEndian: false)
    let second = FITBaseType.bits(bytes, at: offset + 1, size: 1, isBigEndian: false)
    let third = FITBaseType.bits(bytes, at: offset + 2, size: 1, isBigEndian: false)
    guard first & second & third != 0xFF else { return }
    let speed = first | (second & 0xF) << 8
    if speed != 0xFFF, record.speed.isNaN { record.speed = Double(speed) / 100 }
    record.compressedDistance = Int(second >> 4 | third << 4)
  }
}
