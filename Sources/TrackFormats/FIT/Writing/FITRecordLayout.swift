import TrackModel

/// The fields of a track's records. Time, position and distance are always present; others are optional.
struct FITRecordLayout: OptionSet {
  let rawValue: UInt16
  static let altitude = FITRecordLayout(rawValue: 1)
  static let speed = FITRecordLayout(rawValue: 2)
  static let heartRate = FITRecordLayout(rawValue: 4)
  static let cadence = FITRecordLayout(rawValue: 8)
  static let fractionalCadence = FITRecordLayout(rawValue: 16)
  static let power = FITRecordLayout(rawValue: 32)
  static let temperature = FITRecordLayout(rawValue: 64)
  static let accuracy = FITRecordLayout(rawValue: 128)
  static let depth = FITRecordLayout(rawValue: 256)
  static let time128 = FITRecordLayout(rawValue: 512)

  /// The number, size and type of each field in writing order.
  private static let fields: [(FITRecordLayout, UInt8, FITBaseType)] = [
    (.altitude, 2, .uint16), (.speed, 73, .uint32), (.heartRate, 3, .uint8), (.cadence, 4, .uint8),
    (.fractionalCadence, 53, .uint8), (.power, 7, .uint16), (.temperature, 13, .sint8),
    (.accuracy, 31, .uint8), (.depth, 92, .uint32), (.time128, 48, .uint8),
  ]

  /// Returns the layout extended by the fields that a batch needs.
  func taking(_ batch: borrowing PointBatch) -> FITRecordLayout {
    var result = self
    let channels = batch.channels
    if channels.contains(.elevation) { result.insert(.altitude) }
    if channels.contains(.speed) { result.insert(.speed) }
    if channels.contains(.heartRate) { result.insert(.heartRate) }
    if channels.contains(.power) { result.insert(.power) }
    if channels.contains(.temperature) { result.insert(.temperature) }
    if channels.contains(.horizontalAccuracy) { result.insert(.accuracy) }
    if channels.contains(.depth) { result.insert(.depth) }
    if channels.contains(.cadence) {
      result.insert(.cadence)
      let values = batch.values(of: .cadence)
      for row in values.indices where !values[row].isNaN && values[row] != values[row].rounded() {
        result.insert(.fractionalCadence)
        break
      }
    }
    let times = batch.times
    for row in times.indices where times[row] != Instant.absent && times[row] % 1_000_000 != 0 {
      result.insert(.time128)
      break
    }
    return result
  }

  /// Appends the definition message for the records that follow.
  func appendDefinition(local type: UInt8, to bytes: inout ByteBuffer) {
    let fields =
      [
        (FITMessageNumber.timestampField, FITBaseType.uint32), (0, .sint32), (1, .sint32), (5, .uint32),
      ] + FITRecordLayout.fields.filter { contains($0.0) }.map { ($0.1, $0.2) }
    bytes.append(0x40 | type)
    bytes.append(littleEndian: UInt16(0))
    bytes.append(littleEndian: FITMessageNumber.record)
    bytes.append(UInt8(fields.count))
    for (number, type) in fields {
      bytes.append(number)
      bytes.append(UInt8(type.size))
      bytes.append(type.definition)
    }
  }
}
