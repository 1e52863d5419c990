package import GhostModel
import TrackFormats
package import TrackModel

extension GhostTrail {
  /// Writes the positions at given times in the order of time, as waypoints in GeoJSON and as a track in
  /// other formats.
  ///
  /// - Parameters:
  ///   - moments: seconds since the start, in any order.
  ///   - name: the name of the track.
  ///   - path: the file, or `-` for standard output.
  package func write(
    at moments: [Double], name: String, as format: OutputFormat, to path: String
  ) throws(TrackError) {
    var writer = try format.writer(ByteSink(path: path))
    var batch = PointBatch()
    try writer.write(.header(FileInfo()), batch)
    // As in a conversion, formats that require timestamps get artificial ones if there is no start time.
    let isStartless = startTime == nil && format.needsTimes
    let start = isStartless ? DriveElement.unknownStart : startTime
    var cursor = GhostCursor(self)
    if ["geojson", "geojsonseq"].contains(format.name) {
      for seconds in moments.sorted() {
        guard let state = cursor.state(at: seconds) else { continue }
        var values: [Channel: Double] = [.speed: state.speed]
        values[.elevation] = state.altitude
        values[.course] = state.course
        let time = start?.advanced(bySeconds: seconds)
        try writer.write(.waypoint(Waypoint(coordinate: state.coordinate, time: time, values: values)), batch)
      }
    } else {
      var info = TrackInfo(name: name)
      if isStartless { info.extensions = [DriveElement.artificialClockMark] }
      var rest = moments.sorted()[...]
      try writer.writeTrack(info, segments: 1, &batch) { _, _, batch in
        while !batch.isFull, let seconds = rest.popFirst() {
          guard let state = cursor.state(at: seconds) else { continue }
          batch.append(
            latitude: state.coordinate.latitude, longitude: state.coordinate.longitude,
            time: start?.advanced(bySeconds: seconds)?.microseconds ?? Instant.absent)
          if let altitude = state.altitude { batch.set(.elevation, altitude) }
        }
      }
    }
    try writer.finish()
  }
}
