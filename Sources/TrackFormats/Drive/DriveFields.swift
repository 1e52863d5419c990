import TrackModel

/// What a drive document says beside its coordinates.
struct DriveFields {
  var identifier: String?
  var name: String?
  var kind: String?
  var notes: String?
  var gear: String?
  var start: Instant?
  var end: Instant?
  /// Seconds, 0…10^12.
  var duration: Double?
  /// Miles of 1609.344 m, as the app keeps them, 0…10^12.
  var distance: Double?
  var hasCoordinates = false

  /// The drive as a track of so many points.
  ///
  /// Start and end are said apart from the points only where those do not say them: the app writes whole
  /// seconds, so an end that is off by less than one is that of the last point.
  func trackInfo(points count: Int) -> TrackInfo {
    var info = TrackInfo(name: name)
    info.type = kind
    info.description = notes
    info.comment = gear.map { "Gear: \($0)" }
    let last = count > 1 ? time(ofPoint: count - 1, of: count) : Instant.absent
    let isSaidByPoints =
      last != Instant.absent && (end.map { abs($0.seconds(since: Instant(microseconds: last))) < 1 } ?? true)
    if !isSaidByPoints, start != nil || end != nil { info.timeSpan = TimeSpan(begin: start, end: end) }
    var attributes: [ExtensionElement.Attribute] = []
    func add(_ name: String, _ value: String?) {
      if let value { attributes.append(ExtensionElement.Attribute(name: name, value: value)) }
    }
    add(DriveElement.identifier, identifier)
    add(DriveElement.duration, duration.map(Formatted.shortest))
    add(DriveElement.distance, distance.map(Formatted.shortest))
    add(DriveElement.points, "\(count)")
    info.extensions = [DriveElement.make(attributes)]
    return info
  }

  /// The time of a point in microseconds since 1970; ``Instant/absent`` where the start is not known, or
  /// neither duration nor end.
  ///
  /// - Parameters:
  ///   - index: from 0.
  ///   - count: the number of all points, those left out among them.
  func time(ofPoint index: Int, of count: Int) -> Int64 {
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
