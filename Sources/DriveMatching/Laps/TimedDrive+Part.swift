public import GhostModel
public import TrackModel

extension TimedDrive {
  /// Returns a part of the drive, such as a lap, as a separate drive whose times start at 0.
  ///
  /// Its first and last points are the positions at the given times.
  ///
  /// - Parameters:
  ///   - start: the start in seconds since the first point.
  ///   - end: the end in seconds since the first point, after `start`.
  ///   - label: the label of the part.
  /// - Throws: `invalidValue` if the part has no duration.
  public func part(from start: Double, to end: Double, label: String) throws(TrackError) -> TimedDrive {
    guard end > start else { throw TrackError(.invalidValue, "the part of the drive has no duration") }
    let path = SmoothPath(self)
    let inside = (0..<count).filter { elapsed[$0] > start && elapsed[$0] < end }
    var coordinates = inside.map { coordinate(at: $0) }
    coordinates.insert(EarthFixed.coordinate(of: path.place(at: start)), at: 0)
    coordinates.append(EarthFixed.coordinate(of: path.place(at: end)))
    var segments = Set([0])
    for (row, index) in inside.enumerated() where segmentStarts.contains(index) { segments.insert(row + 1) }
    var part = try TimedDrive(
      label: label, coordinates: coordinates, elapsed: [start] + inside.map { elapsed[$0] } + [end],
      hasTimestamps: hasTimestamps, segmentStarts: segments.sorted())
    part.setChannels(of: self, from: start, to: end)
    return part
  }
}
