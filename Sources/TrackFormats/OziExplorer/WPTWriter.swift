public import TrackModel

/// Writes waypoints for OziExplorer, with name, description, elevation and time.
public struct WPTWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  public private(set) var losses = LossReport()
  private var count = 0

  /// Creates a writer. Nothing is written before the first event.
  public init(_ sink: consuming ByteSink) { self.sink = sink }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): losses.add(words: info)
    case .waypoint(let waypoint): append(waypoint)
    case .beginTrack(let info):
      losses.add("tracks")
      losses.add(words: info)
    case .beginRoute(let info):
      losses.add("routes")
      losses.add(words: info)
    case .points, .beginSegment, .endSegment, .endTrack, .endRoute: break
    case .annotation(.track(let info)): losses.add(words: info)
    case .annotation(.extensions(let extensions)): losses.add("extensions", extensions.count)
    }
    try sink.flush()
  }

  /// Completes the file.
  ///
  /// - Throws: `noTracks` if there was no waypoint.
  public mutating func finish() throws(TrackError) {
    guard count > 0 else { throw TrackError(.noTracks, "there is no waypoint to write") }
    try sink.finish()
  }

  private mutating func append(_ waypoint: Waypoint) {
    if count == 0 {
      sink.buffer.append("OziExplorer Waypoint File Version 1.1\r\nWGS 84\r\nReserved 2\r\nReserved 3\r\n")
    }
    count += 1
    let details = waypoint.details
    sink.buffer.append(decimal: Double(count))
    sink.buffer.append(",")
    sink.buffer.append(ozi: details.name ?? "")
    sink.buffer.append(",")
    sink.buffer.append(decimal: waypoint.coordinate.latitude)
    sink.buffer.append(",")
    sink.buffer.append(decimal: waypoint.coordinate.longitude)
    sink.buffer.append(",")
    sink.buffer.append(ozi: waypoint.time?.microseconds ?? Instant.absent)
    // Symbol, status, map display, colours of text and background.
    sink.buffer.append(",0,1,3,0,65535,")
    sink.buffer.append(ozi: details.description ?? "")
    // Direction, Garmin display, proximity.
    sink.buffer.append(",0,0,0,")
    sink.buffer.append(oziElevation: waypoint.values[.elevation])
    // Size and style of the text, size of the symbol.
    sink.buffer.append(",6,0,17\r\n")
    if let time = waypoint.time { losses.add(ozi: time.microseconds) }
    losses.add(ozi: details.name)
    losses.add(ozi: details.description)
    losses.add(words: details, of: "waypoints", beside: [\.name, \.description])
    for channel in waypoint.values.keys where channel != .elevation {
      losses.add("values of \(channel.title)")
    }
  }
}
