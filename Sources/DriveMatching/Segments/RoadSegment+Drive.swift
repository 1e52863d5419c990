public import GhostModel
public import TrackModel

extension RoadSegment {
  /// The distance in metres from the places where a drive begins and ends that is left out, and its maximum
  /// as a share of the drive.
  private static let parking = (metres: 50.0, share: 0.1)

  /// Creates a segment along a drive or a part of it.
  ///
  /// The 50 m after the place where the drive begins and before the place where it ends are left out.
  /// Receivers drift there, and other drives are parked some metres away, so that they do not pass these
  /// places.
  ///
  /// - Parameters:
  ///   - name: the name of the segment.
  ///   - drive: the drive.
  ///   - start: the start of the part in seconds since the first point.
  ///   - end: the end of the part in seconds since the first point.
  /// - Throws: `invalidValue` if the part has no duration, `tooFewPoints` if it has no length.
  public init(
    name: String, along drive: TimedDrive, from start: Double = 0, to end: Double = .infinity
  ) throws(TrackError) {
    guard start < drive.duration else {
      throw TrackError(.invalidValue, "the part begins after the end of the drive")
    }
    let places = TimedPlaces(drive)
    let length = Geodesy.length(
      latitudes: drive.latitudes.span, longitudes: drive.longitudes.span, rows: 0..<drive.count)
    let margin = min(Self.parking.metres, Self.parking.share * length)
    let first = max(start, places.departure(beyond: margin) ?? 0)
    let last = min(end, drive.duration - (places.backwards.departure(beyond: margin) ?? 0))
    guard first < last else { throw TrackError(.invalidValue, "the part of the drive has no duration") }
    let line = SmoothPath(drive).samples(from: first, to: last)
    try self.init(name: name, line: line.map { EarthFixed.coordinate(of: $0.place) })
  }

  /// The number of passages whose median is better than a single drive.
  private static let leastPassages = 3

  /// Returns the segment with the median of the drives along it as its line, whose error is smaller than that
  /// of a single drive. With fewer than three passages, the line stays as it is.
  ///
  /// - Parameter drives: the drives, with or without passages.
  public func centered(on drives: [TimedDrive]) -> RoadSegment {
    let search = SegmentSearch(self)
    let passages = drives.flatMap { search.spans(SmoothPath($0)).map(\.following) }
    guard passages.count >= Self.leastPassages else { return self }
    let median = CommonRoad.middle(search.guide, passages).map { EarthFixed.coordinate(of: $0) }
    return (try? RoadSegment(name: name, line: median)) ?? self
  }
}

extension TimedPlaces {
  /// Returns the time of the first point after the onset of motion that is farther than `metres` from the
  /// place that was left, or nil if there is no such point.
  fileprivate func departure(beyond metres: Double) -> Double? {
    guard let onset = MotionOnset(self) else { return nil }
    return (0..<count).first { time($0) > onset.moment && (place($0) - onset.place).length > metres }.map(
      time)
  }
}
