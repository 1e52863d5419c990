import TrackModel

/// Times as FIT counts them.
enum FITTime {
  /// Seconds from 1970 to 1989-12-31T00:00:00Z, from which FIT counts.
  static let epoch: Int64 = 631_065_600
  /// Timestamps below this many seconds count from the start of the device. Source: Garmin's FIT profile,
  /// type `date_time`.
  static let uptimeLimit: Int64 = 0x1000_0000
  /// The timestamp that says that there is none.
  static let invalid: UInt32 = .max

  /// Microseconds since FIT's epoch, or since the start of the device.
  static func microseconds(_ timestamp: UInt32) -> Int64 { Int64(timestamp) * 1_000_000 }

  /// The same from a field's number.
  static func microseconds(_ timestamp: Int?) -> Int64? {
    guard let timestamp, (0..<Int(invalid)).contains(timestamp) else { return nil }
    return Int64(timestamp) * 1_000_000
  }

  /// Microseconds cut to whole seconds.
  static func wholeSeconds(_ time: Int64) -> Int64 { time / 1_000_000 * 1_000_000 }

  /// Whole seconds of microseconds.
  static func seconds(_ time: Int64) -> UInt32 { UInt32(truncatingIfNeeded: time / 1_000_000) }

  /// Microseconds since FIT's epoch from those since 1970; nil for times that FIT cannot hold.
  static func fromInstant(_ microseconds: Int64) -> Int64? {
    let (time, overflow) = microseconds.subtractingReportingOverflow(epoch * 1_000_000)
    guard !overflow, time >= uptimeLimit * 1_000_000, time < Int64(invalid - 1) * 1_000_000 else {
      return nil
    }
    return time
  }
}

/// Turns FIT's times into instants, those of a device that has not known the date included.
struct FITClock {
  /// Microseconds from the device's own time to FIT's, as the device tells; nil where it has not.
  private var correlation: Int64?
  /// The same to the second, from the time that a satellite gave.
  private var satellite: Int64?

  /// Whether a time counts from the start of the device.
  static func isUptime(_ time: Int64) -> Bool { time < FITTime.uptimeLimit * 1_000_000 }

  /// Whether uptimes can be turned into instants.
  var knowsUptime: Bool { correlation != nil || satellite != nil }

  /// Learns that two times are the same; the first pair counts.
  mutating func correlate(device: Int64, time: Int64) {
    if correlation == nil, FITClock.isUptime(device), !FITClock.isUptime(time) { correlation = time - device }
  }

  mutating func satelliteTime(_ time: Int64, device: Int64) {
    if satellite == nil, FITClock.isUptime(device), !FITClock.isUptime(time) { satellite = time - device }
  }

  /// Microseconds since 1970; ``Instant/absent`` for an uptime that nothing tells the date of.
  func time(_ time: Int64) -> Int64 {
    if time == Instant.absent { return time }
    guard FITClock.isUptime(time) else { return time + FITTime.epoch * 1_000_000 }
    guard let offset = correlation ?? satellite else { return Instant.absent }
    return time + offset + FITTime.epoch * 1_000_000
  }

  func instant(_ time: Int64?) -> Instant? {
    guard let time, case let result = self.time(time), result != Instant.absent else { return nil }
    return Instant(microseconds: result)
  }
}
