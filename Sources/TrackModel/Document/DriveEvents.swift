/// A drive document as the events of a track: one track with one segment, whose points are evenly spaced in
/// time.
///
/// Of n points, the i-th (from 0) is at the start + i · duration / (n − 1). Without a start, points have no
/// times. Tracks have no fields for the identifier, duration and distance, so these are in the extension
/// `drive` (``DriveElement``) of every drive.
package struct DriveEvents: Sendable {
  package var identifier: String?
  package var name: String?
  package var kind: String?
  package var notes: String?
  package var gear: String?
  package var start: Instant?
  package var end: Instant?
  /// Seconds, 0…10^12.
  package var duration: Double?
  /// Miles of 1609.344 m, as the app keeps them, 0…10^12.
  package var distance: Double?

  /// Degrees north of each point.
  package var latitudes: [Double] = []
  /// Degrees east of each point.
  package var longitudes: [Double] = []
  /// The index of each point among all points of the document, if some points were omitted.
  package var indices: [Int]?
  /// The number of all points of the document; nil if no point was omitted.
  package var total: Int?

  private enum Step { case header, beginTrack, beginSegment, points, endTrack, end }
  private var step = Step.header
  private var row = 0

  package init() {}

  /// Returns the next event. For `points`, the batch contains the rows.
  ///
  /// - Throws: `error` after the last point. The segment and the track then remain open.
  package mutating func next(
    into batch: inout PointBatch, throwing error: TrackError? = nil
  ) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    switch step {
    case .header:
      step = .beginTrack
      return .header(FileInfo())
    case .beginTrack:
      step = .beginSegment
      return .beginTrack(trackInfo)
    case .beginSegment:
      step = .points
      return .beginSegment
    case .points:
      fill(&batch)
      if batch.count > 0 { return .points }
      step = error == nil ? .endTrack : .end
      if let error { throw error }
      return .endSegment
    case .endTrack:
      step = .end
      return .endTrack
    case .end: return nil
    }
  }

  private mutating func fill(_ batch: inout PointBatch) {
    while row < latitudes.count, !batch.isFull {
      batch.append(
        latitude: latitudes[row], longitude: longitudes[row], time: time(ofPoint: indices?[row] ?? row))
      row += 1
    }
  }

  private var pointCount: Int { total ?? latitudes.count }

  /// The start and the end are stated separately only if they differ from the times of the points. The app
  /// writes whole seconds, so an end within a second of the last point's time is treated as equal.
  private var trackInfo: TrackInfo {
    var info = TrackInfo(name: name)
    info.type = kind
    info.description = notes
    info.gear = gear
    let count = pointCount
    let last = count > 1 ? time(ofPoint: count - 1) : Instant.absent
    let isInPoints =
      last != Instant.absent && (end.map { abs($0.seconds(since: Instant(microseconds: last))) < 1 } ?? true)
    if !isInPoints, start != nil || end != nil { info.timeSpan = TimeSpan(begin: start, end: end) }
    var attributes: [ExtensionElement.Attribute] = []
    func add(_ name: String, _ value: String?) {
      if let value { attributes.append(ExtensionElement.Attribute(name: name, value: value)) }
    }
    add(DriveElement.identifier, identifier)
    add(DriveElement.duration, duration.map(Formatted.shortest))
    add(DriveElement.distance, distance.map(Formatted.shortest))
    add(DriveElement.points, "\(count)")
    // Formats omit empty names.
    if name?.isEmpty == true { add(DriveElement.title, name) }
    info.extensions = [DriveElement.make(attributes)]
    return info
  }

  /// Returns the time of a point in microseconds since 1970, or ``Instant/absent`` if the start is unknown,
  /// or both the duration and the end are.
  ///
  /// - Parameter index: the index among all points of the document.
  private func time(ofPoint index: Int) -> Int64 {
    let count = pointCount
    guard let start, count < 2 || duration != nil || end != nil else { return Instant.absent }
    if index == 0 { return start.microseconds }
    guard count > 1, let seconds = duration ?? end?.seconds(since: start), seconds >= 0 else {
      return Instant.absent
    }
    let elapsed = (seconds * 1e6 * Double(index) / Double(count - 1)).rounded()
    guard elapsed < 0x1p62 else { return Instant.absent }
    let (time, overflow) = start.microseconds.addingReportingOverflow(Int64(elapsed))
    return overflow ? Instant.absent : time
  }
}
