import TrackModel

/// Trackpoints with values only, which ``XMLTokenStream`` reads without tokens.
enum GPXTrackpointRow {
  static let learning = XMLRowLearning(element: GPXElement.trkpt.rawValue, attributeCount: 2, grammar: role)

  /// The fields of the attributes. Other fields are the raw values of channels.
  private static let latitude: UInt16 = 1000
  private static let longitude: UInt16 = 1001

  @Sendable private static func role(_ code: UInt16, in parentCode: UInt16) -> XMLRowShapes.Role? {
    guard let element = GPXElement(rawValue: code), let parent = GPXElement(rawValue: parentCode) else {
      return nil
    }
    switch (parent, element) {
    case (.trkpt, .lat): return .number(field: latitude, limit: 90)
    case (.trkpt, .lon): return .number(field: longitude, limit: 180)
    case (_, .extensions), (.trkpt, .sensorContainer), (.extensions, .sensorContainer): return .container
    case (.trkpt, .time): return .time
    case (.trkpt, _):
      return (element.pointChannel ?? element.sensor).map {
        .number(field: UInt16($0.rawValue), limit: .infinity)
      }
    default: return element.sensor.map { .number(field: UInt16($0.rawValue), limit: .infinity) }
    }
  }

  /// Appends a row to a batch that is not full.
  @inline(__always)
  static func append(_ row: borrowing XMLRow, to batch: inout PointBatch) {
    let isLatitudeFirst = row.fields[0] == latitude
    batch.append(
      latitude: row.numbers[isLatitudeFirst ? 0 : 1], longitude: row.numbers[isLatitudeFirst ? 1 : 0],
      time: row.time)
    for index in 2..<row.count {
      guard let channel = Channel(rawValue: UInt8(row.fields[index])),
        let value = GPXReader.value(row.numbers[index], of: channel)
      else { continue }
      batch.set(channel, value)
    }
  }
}
