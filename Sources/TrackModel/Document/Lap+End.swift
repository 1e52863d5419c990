extension Lap {
  /// Returns the end of the lap: its start plus the elapsed time, or the start of the next lap, or its start
  /// plus the time of the timer, or `nil` if all are unknown.
  ///
  /// - Parameter next: the lap that follows, if any.
  package func end(before next: Lap?) -> Instant? {
    if let start, let elapsedTime { return start.advanced(bySeconds: elapsedTime) }
    if let next = next?.start { return next }
    guard let start, let timerTime else { return nil }
    return start.advanced(bySeconds: timerTime)
  }
}
