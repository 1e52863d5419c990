package import TrackModel

extension Drive {
  /// Checks the duration, the distance and the coordinates of a drive that may not come from a file.
  ///
  /// - Throws: `invalidValue`.
  package func check() throws(TrackError) {
    guard duration >= 0, duration <= ImportOptions.longestDuration else {
      throw TrackError(.invalidValue, "invalid duration of the drive", offendingText: "\(duration)")
    }
    guard distance >= 0, distance.isFinite else {
      throw TrackError(.invalidValue, "invalid distance of the drive", offendingText: "\(distance)")
    }
    for index in 0..<count
    where !Coordinate(latitude: latitudes[index], longitude: longitudes[index]).isValid {
      throw TrackError(
        .invalidValue, "coordinate \(index + 1) of the drive out of range",
        offendingText: "\(latitudes[index]), \(longitudes[index])")
    }
  }
}
