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

  /// Creates a segment along the longest track or route of a file.
  ///
  /// The ends of a recording are left out (``init(name:along:from:to:)``) unless the ends of the segment are
  /// given, and its line is centered on other drives (``centered(on:)``). A line without times stays as it
  /// is.
  ///
  /// - Parameters:
  ///   - reader: the tracks of the file.
  ///   - name: the name of the segment, or nil for the name of the track.
  ///   - ends: the positions at which the line is cut (``part(from:to:)``), or nil for the whole line.
  ///   - drives: returns the drives near the start and the end of the line.
  /// - Throws: `noTracks` if there is no line with a length, the errors of ``part(from:to:)``, and those of
  ///   `reader` and `drives`.
  public init<Reader: TrackReader & ~Copyable>(
    longestOf reader: inout Reader, name: String? = nil,
    between ends: (start: Coordinate, end: Coordinate)? = nil,
    centeredOn drives: (_ start: Coordinate, _ end: Coordinate) throws(TrackError) -> [TimedDrive]
  ) throws(TrackError) {
    var recordings = RecordingBuilder(keepsElevations: false)
    var batch = PointBatch()
    var longest: (length: Double, recording: Recording, line: [Coordinate])?
    while let event = try reader.next(into: &batch) {
      guard let recording = recordings.add(event, batch), recording.count > 1 else { continue }
      let line = recording.segments.flatMap { segment in
        zip(segment.latitudes, segment.longitudes).map { Coordinate(latitude: $0, longitude: $1) }
      }.filter(\.isValid)
      let length = Geodesy.length(of: line)
      if length > longest?.length ?? 0 { longest = (length, recording, line) }
    }
    guard let longest else { throw TrackError(.noTracks, "no line in the file") }
    let name = name ?? longest.recording.name ?? "segment"
    let drive = try? TimedDrive(longest.recording, label: name)
    var segment: RoadSegment
    if let drive, ends == nil {
      segment = try RoadSegment(name: name, along: drive)
    } else {
      segment = try RoadSegment(name: name, line: longest.line)
    }
    if let ends { segment = try segment.part(from: ends.start, to: ends.end) }
    self =
      drive == nil
      ? segment : segment.centered(on: try drives(segment.line[0], segment.line[segment.line.count - 1]))
  }

  /// The number of passages whose median is better than a single drive.
  private static let leastPassages = 3

  /// Returns the segment with the median of the drives along it as its line, whose error is smaller than that
  /// of a single drive. With fewer than three passages, the line stays as it is.
  ///
  /// - Parameter drives: the drives, with or without passages.
  public func centered(on drives: [TimedDrive]) -> RoadSegment {
    let search = SegmentSearch(self)
    let passages = drives.flatMap { search.spans(of: $0).spans.map(\.following) }
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
