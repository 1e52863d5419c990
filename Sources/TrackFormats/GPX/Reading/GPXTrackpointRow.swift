import TrackModel

/// Trackpoints with values only, which ``XMLTokenStream`` reads without tokens.
enum GPXTrackpointRow {
  /// - Parameter channels: the channels that are needed.
  static func learning(_ channels: ChannelSet) -> XMLRowLearning {
    XMLRowLearning(
      elements: GPXElement.trkpt.rawValue...GPXElement.trkpt.rawValue,
      grammar: { code, parent, isAttribute in
        guard let element = GPXElement(rawValue: code) else { return nil }
        return role(element, in: parent.map { GPXElement(rawValue: $0) ?? .other }, isAttribute)
          .map { [$0.ifNeeded(channels)] }
      }, accepts: { $0.contains(latitude) && $0.contains(longitude) })
  }

  /// The fields of the attributes. Other fields are the raw values of channels.
  private static let latitude: UInt16 = 1000
  private static let longitude: UInt16 = 1001

  private static func role(
    _ element: GPXElement, in parent: GPXElement?, _ isAttribute: Bool
  ) -> XMLRowShapes.Role? {
    switch (parent, element) {
    case (.trkpt, .lat) where isAttribute: .number(field: latitude, limit: 90)
    case (.trkpt, .lon) where isAttribute: .number(field: longitude, limit: 180)
    case _ where isAttribute: nil
    case (nil, _), (.trkpt, .extensions), (.trkpt, .sensorContainer), (.extensions, .sensorContainer):
      .container
    case (.trkpt, .time): .time
    case (.trkpt, _): value(element.pointChannel ?? element.sensor)
    default: value(element.sensor)
    }
  }

  private static func value(_ channel: Channel?) -> XMLRowShapes.Role? {
    channel.map { .number(field: UInt16($0.rawValue), limit: .infinity) }
  }

  /// Appends a row to a batch that is not full.
  @inline(__always)
  static func append(_ row: borrowing XMLRow, to batch: inout PointBatch) {
    // Spans, because indexing the arrays with a variable copies them.
    let fields = row.fields.span
    let numbers = row.numbers.span
    let isLatitudeFirst = fields[0] == latitude
    batch.append(
      latitude: numbers[isLatitudeFirst ? 0 : 1], longitude: numbers[isLatitudeFirst ? 1 : 0],
      time: row.time)
    for index in 2..<row.count {
      guard let channel = Channel(rawValue: UInt8(fields[index])),
        let value = channel.known(numbers[index])
      else { continue }
      batch.set(channel, value)
    }
  }
}
