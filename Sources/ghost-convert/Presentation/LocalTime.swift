import CommandLineParsing
import Synchronization
import TrackFormats
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Formats times in the time zone of `TZ` or of the system, or in UTC with `--utc`. JSON is always in UTC.
enum LocalTime {
  private static let utc = Atomic(false)
  private static let isChecked = Atomic(false)

  /// Whether times are formatted and parsed in UTC.
  static var isUTC: Bool {
    get { utc.load(ordering: .relaxed) }
    set { utc.store(newValue, ordering: .relaxed) }
  }

  /// Returns the difference of local time to UTC at an instant, in seconds.
  static func offset(at instant: Instant) -> Int {
    guard !isUTC, abs(instant.secondsSince1970) < 1e12 else { return 0 }
    if !isChecked.exchange(true, ordering: .relaxed), let name = unknownZone {
      Console.note("warning: TZ is not a known time zone, times are in UTC: \"\(name)\"")
    }
    var seconds = time_t(instant.secondsSince1970.rounded(.down))
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
    return unsafe Int(parts.tm_gmtoff)
  }

  /// Returns the instants at which local clocks show a time, in ascending order: two if clocks are set back
  /// and it occurs twice. A time that clocks skip is treated as on the clock before the change.
  ///
  /// - Parameter time: the local time, as if it were in UTC.
  static func instants(ofLocal time: Instant) -> [Instant] {
    func moved(_ seconds: Int) -> Instant { time.advanced(bySeconds: Double(seconds)) ?? time }
    // Offsets are at most 14 h, so that these are before and after the time.
    let before = offset(at: moved(-86_400))
    let after = offset(at: moved(86_400))
    let candidates = before == after ? [before] : [max(before, after), min(before, after)]
    let found = candidates.filter { offset(at: moved(-$0)) == $0 }.map { moved(-$0) }
    return found.isEmpty ? [moved(-before)] : found
  }

  /// The value of `TZ` if it is neither the name of a time zone nor a rule of POSIX, such as `CET-1CEST`. The
  /// C library uses UTC for it.
  private static var unknownZone: String? {
    guard let value = Environment.value("TZ") else { return nil }
    let name = value.first == ":" ? String(value.dropFirst()) : value
    let folders = [Environment.value("TZDIR"), "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
    let paths = name.first == "/" ? [name] : folders.compactMap { $0.map { "\($0)/\(name)" } }
    let isUTC = name.isEmpty || ["UTC", "GMT", "UCT", "Z"].contains(name)
    let isRule = name.prefixMatch(of: /(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?[0-9]/) != nil
    return isUTC || isRule || paths.contains(where: isZone) ? nil : value
  }

  /// Whether a file is a time zone of the system's database.
  private static func isZone(_ path: String) -> Bool {
    guard (try? OutputKind(path)) == .file, var input = try? ByteInput(path: path),
      (try? input.fill(atLeast: 4)) != nil
    else { return false }
    return input.available.starts(with: "TZif")
  }

  /// Formats as ISO 8601 with the offset: `2024-05-17T08:12:30+02:00`, in UTC `2024-05-17T06:12:30Z`.
  static func text(_ instant: Instant) -> String {
    instant.description(utcOffset: offset(at: instant))
  }

  /// Formats the year: `2024`.
  static func year(_ instant: Instant) -> String { String(minute(instant).prefix(4)) }

  /// Formats year and month: `2024-05`.
  static func month(_ instant: Instant) -> String { String(minute(instant).prefix(7)) }

  /// Formats the date: `2024-05-17`.
  static func day(_ instant: Instant) -> String { String(minute(instant).prefix(10)) }

  /// Formats date, hour, minute and offset: `2024-05-17 08:12+02:00`, in UTC `2024-05-17 06:12Z`.
  static func minute(_ instant: Instant) -> String {
    let offset = offset(at: instant)
    let local = instant.advanced(bySeconds: Double(offset)) ?? instant
    let text = String(ISO8601.text(local, decimals: 0).prefix(16).map { $0 == "T" ? " " : $0 })
    return text + (offset == 0 ? "Z" : ISO8601.zone(utcOffset: offset))
  }
}
