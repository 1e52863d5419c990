public import TrackModel

extension GhostTrail {
  /// Returns the times at equal steps from the start, and the end, in seconds since the start.
  ///
  /// - Parameter step: the seconds between two times.
  /// - Throws: `usage` if there are more than ten million, or the step is not positive.
  public func moments(every step: Double) throws(TrackError) -> [Double] {
    guard step > 0, duration / step < 1e7 else {
      throw TrackError(.usage, "more than ten million positions", suggestion: .lengthenStep)
    }
    var moments = (0...Int(duration / step)).map { Double($0) * step }
    if let last = moments.last, last < duration { moments.append(duration) }
    return moments
  }

  /// Returns the seconds from the start to a time of day, on the following day if the drive lasts until then,
  /// or nil for a drive without a start time.
  ///
  /// - Parameters:
  ///   - seconds: the time of day in seconds since midnight.
  ///   - utcOffset: returns the difference of local time to UTC at an instant, in seconds.
  public func elapsed(atTimeOfDay seconds: Double, utcOffset: (Instant) -> Int) -> Double? {
    guard let start = startTime else { return nil }
    func elapsed(_ offset: Int) -> Double {
      let local = start.secondsSince1970 + Double(offset)
      let elapsed = seconds - (local - (local / 86_400).rounded(.down) * 86_400)
      return elapsed < 0 && elapsed + 86_400 <= duration ? elapsed + 86_400 : elapsed
    }
    func instant(_ elapsed: Double) -> Instant { start.advanced(bySeconds: elapsed) ?? start }
    let offset = utcOffset(start)
    // Clocks may be set forward or back during the drive.
    let within = [offset, utcOffset(instant(duration))].first {
      let elapsed = elapsed($0)
      return (0...duration).contains(elapsed) && utcOffset(instant(elapsed)) == $0
    }
    return elapsed(within ?? offset)
  }

  /// Returns a position as a JSON object, with names that scripts rely on.
  ///
  /// - Parameter seconds: the time of the position in seconds since the start.
  package func json(_ position: GhostPosition, at seconds: Double) -> JSONValue {
    .object([
      ("elapsed_s", .number(seconds)), ("time", .time(startTime?.advanced(bySeconds: seconds))),
      ("lat", .rounded(position.coordinate.latitude, 1e9)),
      ("lon", .rounded(position.coordinate.longitude, 1e9)), ("altitude_m", .rounded(position.altitude, 1e3)),
      ("speed_mps", .rounded(position.speed, 1e3)), ("course_deg", .rounded(position.course, 1e3)),
      ("index", .integer(position.index)), ("fraction", .rounded(position.fraction, 1e6)),
      ("phase", .string(seconds < 0 ? "before" : seconds > duration ? "after" : "during")),
    ])
  }
}
