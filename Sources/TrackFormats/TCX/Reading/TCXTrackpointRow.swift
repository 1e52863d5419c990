import TrackModel

/// Trackpoints with a position and values only, which ``XMLTokenStream`` reads without tokens.
enum TCXTrackpointRow {
  /// - Parameter channels: the channels that are needed.
  static func learning(_ channels: ChannelSet) -> XMLRowLearning {
    XMLRowLearning(
      elements: TCXElement.trackpoint.rawValue...TCXElement.trackpoint.rawValue,
      grammar: { code, parent, isAttribute in
        guard !isAttribute, let element = TCXElement(rawValue: code) else { return nil }
        return role(element, in: parent.map { TCXElement(rawValue: $0) ?? .other })
          .map { [$0.ifNeeded(channels)] }
      },
      accepts: { fields in
        // Two different cadences have a place only in an extension.
        fields.contains(latitude) && fields.contains(longitude)
          && fields.count { $0 == UInt16(Channel.cadence.rawValue) } <= 1
      })
  }

  /// The fields of the position. Other fields are the raw values of channels.
  private static let latitude: UInt16 = 1000
  private static let longitude: UInt16 = 1001

  private static func role(_ element: TCXElement, in parent: TCXElement?) -> XMLRowShapes.Role? {
    switch (parent, element) {
    case (nil, _), (.trackpoint, .position), (.trackpoint, .heartRate), (.trackpoint, .extensions),
      (.extensions, .sensors):
      .container
    case (.trackpoint, .time): .time
    case (.position, .latitude): .number(field: latitude, limit: 90)
    case (.position, .longitude): .number(field: longitude, limit: 180)
    case (.trackpoint, .altitude): value(.elevation)
    case (.trackpoint, .distance): value(.distance)
    case (.trackpoint, .cadence): value(.cadence)
    case (.heartRate, .value): value(.heartRate)
    case (.extensions, .speed), (.sensors, .speed): value(.speed)
    case (.extensions, .watts), (.sensors, .watts): value(.power)
    case (.extensions, .runCadence), (.sensors, .runCadence): value(.cadence)
    default: nil
    }
  }

  private static func value(_ channel: Channel) -> XMLRowShapes.Role {
    .number(field: UInt16(channel.rawValue), limit: .infinity)
  }

  /// Appends a row to a batch that is not full.
  @inline(__always)
  static func append(_ row: borrowing XMLRow, to batch: inout PointBatch) {
    // Spans, because indexing the arrays with a variable copies them.
    let fields = row.fields.span
    let numbers = row.numbers.span
    var latitudeOfRow = Double.nan
    var longitudeOfRow = Double.nan
    for index in 0..<row.count {
      if fields[index] == latitude { latitudeOfRow = numbers[index] }
      if fields[index] == longitude { longitudeOfRow = numbers[index] }
    }
    batch.append(latitude: latitudeOfRow, longitude: longitudeOfRow, time: row.time)
    for index in 0..<row.count where fields[index] < latitude {
      let number = numbers[index]
      // Some programs write -1 for an unknown speed.
      guard let channel = Channel(rawValue: UInt8(fields[index])), channel != .speed || !(number < 0)
      else { continue }
      batch.set(channel, number)
    }
  }
}
