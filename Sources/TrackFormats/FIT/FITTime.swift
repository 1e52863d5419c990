import TrackModel

/// Conversions of FIT times.
enum FITTime {
  /// The seconds from 1970 to FIT's epoch, 1989-12-31T00:00:00Z.
  static let epoch: Int64 = 631_065_600
  /// Timestamps below this number of seconds are relative to the start of the device. Source: Garmin's FIT
  /// profile, type `date_time`.
  static let uptimeLimit: Int64 = 0x1000_0000
  /// The invalid timestamp.
  static let invalid: UInt32 = .max

  /// Microseconds since FIT's epoch, or since the start of the device.
  static func microseconds(_ timestamp: UInt32) -> Int64 { Int64(timestamp) * 1_000_000 }

  /// Microseconds from the number of a field.
  static func microseconds(_ timestamp: Int?) -> Int64? {
    guard let timestamp, (0..<Int(invalid)).contains(timestamp) else { return nil }
    return Int64(timestamp) * 1_000_000
  }

  /// Truncates microseconds to whole seconds.
  static func wholeSeconds(_ time: Int64) -> Int64 { time / 1_000_000 * 1_000_000 }

  /// Returns the whole seconds of microseconds.
  static func seconds(_ time: Int64) -> UInt32 { UInt32(truncatingIfNeeded: time / 1_000_000) }

  /// Converts microseconds since 1970 to microseconds since FIT's epoch, or `nil` if out of range.
  static func fromInstant(_ microseconds: Int64) -> Int64? {
    let (time, overflow) = microseconds.subtractingReportingOverflow(epoch * 1_000_000)
    guard !overflow, time >= uptimeLimit * 1_000_000, time < Int64(invalid - 1) * 1_000_000 else {
      return nil
    }
    return time
  }
}

/// Converts FIT times to instants, including times since the start of the device.
struct FITClock {
  /// The offset in microseconds from device time to FIT time, or `nil` if the device has not stored it.
  private var correlation: Int64?
  /// The offset to the second, from a satellite time.
  private var satellite: Int64?

  /// Whether a time is relative to the start of the device.
  static func isUptime(_ time: Int64) -> Bool { time < FITTime.uptimeLimit * 1_000_000 }

  /// Whether device times can be converted to instants.
  var knowsUptime: Bool { correlation != nil || satellite != nil }

  /// Stores a device time and the instant that it corresponds to. Only the first pair is used.
  mutating func correlate(device: Int64, time: Int64) {
    if correlation == nil, FITClock.isUptime(device), !FITClock.isUptime(time) { correlation = time - device }
  }

  mutating func satelliteTime(_ time: Int64, device: Int64) {
    if satellite == nil, FITClock.isUptime(device), !FITClock.isUptime(time) { satellite = time - device }
  }

  /// Returns microseconds since 1970, or ``Instant/absent`` for a device time without a known offset.
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
