public import TrackModel

/// Writes the trackpoints of all tracks as one track of OziExplorer, with a mark at the start of each
/// segment.
///
/// Name and line style are those of the first track. Times are UTC with milliseconds.
public struct PLTWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  public private(set) var losses = LossReport()

  private var track: TrackInfo?
  private var hasHead = false
  private var isInSegment = false
  private var startsSegment = false
  private var tracks = 0
  private var hasPointInTrack = false

  /// Creates a writer. Nothing is written before the first event.
  public init(_ sink: consuming ByteSink) { self.sink = sink }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): losses.add(words: info)
    case .waypoint: losses.add("waypoints")
    case .beginTrack(let info):
      hasPointInTrack = false
      losses.add(words: info, beside: track == nil ? [\.name, \.style] : [])
      if let color = info.style?.color, color.alpha < 255, track == nil { losses.add("opacities of lines") }
      track = track ?? info
    case .beginRoute(let info):
      losses.add("routes")
      losses.add(words: info)
    case .beginSegment:
      isInSegment = true
      startsSegment = true
    case .points:
      // The points of a route are lost with it.
      if isInSegment { append(batch) }
    case .endSegment:
      if startsSegment { losses.add("segments without points") }
      isInSegment = false
    case .endTrack: if !hasPointInTrack { losses.add("tracks without points") }
    case .endRoute: break
    case .annotation(.track(let info)): losses.add(words: info)
    case .annotation(.extensions(let extensions)): losses.add("extensions", extensions.count)
    }
    try sink.flush()
  }

  /// Completes the file.
  ///
  /// - Throws: `noTracks` if there was no point.
  public mutating func finish() throws(TrackError) {
    guard hasHead else { throw TrackError(.noTracks, "there is no trackpoint to write") }
    losses.add("bounds between tracks", tracks - 1)
    try sink.finish()
  }

  private mutating func append(_ batch: borrowing PointBatch) {
    if !hasHead { writeHead() }
    for row in 0..<batch.count {
      if !hasPointInTrack { tracks += 1 }
      hasPointInTrack = true
      let coordinate = batch.coordinate(at: row)
      let time = batch.times[row]
      sink.buffer.append(decimal: coordinate.latitude)
      sink.buffer.append(",")
      sink.buffer.append(decimal: coordinate.longitude)
      sink.buffer.append(startsSegment ? ",1," : ",0,")
      startsSegment = false
      sink.buffer.append(oziElevation: batch.value(.elevation, at: row))
      sink.buffer.append(",")
      sink.buffer.append(ozi: time)
      appendText(of: time)
      losses.add(ozi: time)
      if time != Instant.absent, time % 1000 != 0 { losses.add("fractions of milliseconds") }
    }
    losses.add(valuesOf: batch, except: ChannelSet(.elevation))
  }

  private mutating func writeHead() {
    hasHead = true
    losses.add(ozi: track?.name)
    let style = track?.style
    sink.buffer.append(
      "OziExplorer Track Point File Version 2.1\r\nWGS 84\r\nAltitude is in Feet\r\nReserved 3\r\n0,")
    sink.buffer.append(decimal: min(max(((style?.width ?? 2).rounded()), 1), 99))
    sink.buffer.append(",")
    let color = style?.color ?? TrackColor(red: 255, green: 0, blue: 0)
    sink.buffer.append(decimal: Double(Int(color.blue) << 16 | Int(color.green) << 8 | Int(color.red)))
    sink.buffer.append(",")
    sink.buffer.append(ozi: track?.name ?? "")
    // Programs do not use the number of points in the sixth line.
    sink.buffer.append(",0,0,2,8421376\r\n0\r\n")
  }

  private static let months: [StaticString] = [
    "-Jan-", "-Feb-", "-Mar-", "-Apr-", "-May-", "-Jun-", "-Jul-", "-Aug-", "-Sep-", "-Oct-", "-Nov-",
    "-Dec-",
  ]

  /// Writes the date and the time as text: `, 13-Aug-07, 07:52:19`.
  private mutating func appendText(of time: Int64) {
    guard OziExplorerRow.hasTime(time) else { return sink.buffer.append(",,\r\n") }
    let second = Int((Double(time) / 1e6).rounded(.down))
    let day = (second >= 0 ? second : second - 86_399) / 86_400
    let secondOfDay = second - day * 86_400
    let date = CivilCalendar.date(days: day)
    sink.buffer.append(", ")
    sink.buffer.append(date.day, width: 2)
    sink.buffer.append(PLTWriter.months[date.month - 1])
    sink.buffer.append(((date.year % 100) + 100) % 100, width: 2)
    sink.buffer.append(", ")
    sink.buffer.append(timeOfDay: secondOfDay)
    sink.buffer.append("\r\n")
  }
}
