import TrackModel

/// The children of a point in GPX 1.0: speed and course as elements of trackpoints, one link as `url` and
/// `urlname`, and elements of other namespaces directly at the end of the point.
extension GPXPointWriter {
  /// The channels for which no element has a published schema, which GPX 1.0 requires.
  private static let undeclaredChannels: [Channel] = [
    .power, .distance, .horizontalAccuracy, .verticalAccuracy,
  ]
  private static let motionChannels: ChannelSet = [ChannelSet(.speed), ChannelSet(.course)]

  /// Appends the children in the order of the schema.
  ///
  /// - Parameter isTrackpoint: whether the point has elements for speed and course. For other points these
  ///   are written in Garmin's TrackPointExtension.
  mutating func append10(
    time: Int64, _ channels: ChannelSet, _ details: PointDetails?, isTrackpoint: Bool,
    to bytes: inout ByteBuffer, value: (Channel) -> Double?
  ) {
    if let elevation = value(.elevation) { bytes.append(element: "ele", elevation) }
    if time != Instant.absent { append(time: Instant(microseconds: time), to: &bytes) }
    if isTrackpoint {
      if let course = value(.course) { bytes.append(element: "course", course) }
      if let speed = value(.speed) { bytes.append(element: "speed", speed) }
    }
    if let value = value(.magneticVariation) { bytes.append(element: "magvar", value) }
    if let value = value(.geoidHeight) { bytes.append(element: "geoidheight", value) }
    if let details { append(texts: details, to: &bytes) }
    append(fix: channels, details, to: &bytes, value: value)
    let rest = isTrackpoint ? channels.subtracting(GPXPointWriter.motionChannels) : channels
    if !rest.isDisjoint(with: GPXPointWriter.trackPointChannels) {
      append(trackPoint: rest, to: &bytes, value: value)
    }
    for channel in GPXPointWriter.undeclaredChannels where value(channel) != nil {
      losses.add("values of \(channel.title)")
    }
    if let extra = details?.extraValues { losses.add(extra) }
    for element in details?.extensions ?? [] {
      if GPXSchemas.declare(element) {
        append(rest: element, to: &bytes)
      } else {
        losses.add("extensions")
      }
    }
  }
}
