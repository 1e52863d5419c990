package import DriveMatching
package import GhostModel
package import TrackModel

extension RoadSegment {
  /// Creates a segment along the longest track or route of an input, one of several.
  ///
  /// - Parameters:
  ///   - path: the input.
  ///   - name: the name of the segment, or nil for the name of the track.
  ///   - ends: the positions at which the line is cut, or nil for the whole line.
  ///   - progress: creates the progress of a file.
  ///   - drives: returns the drives near both ends, on which the line of a recording is centered.
  /// - Throws: errors of opening the input, and those of `init(longestOf:name:between:centeredOn:)`.
  package init(
    longestIn path: String, name: String? = nil, between ends: (start: Coordinate, end: Coordinate)? = nil,
    progress: OpenInput.ProgressMaking,
    centeredOn drives: (Coordinate, Coordinate) throws(TrackError) -> [TimedDrive]
  ) throws(TrackError) {
    do throws(TrackError) {
      var input = try OpenInput(path, TrackOpening(), isOneOfSeveral: true, progress: progress)
      try self.init(longestOf: &input, name: name, between: ends, centeredOn: drives)
    } catch {
      throw error.inFile(InputPath.name(path))
    }
  }
}
