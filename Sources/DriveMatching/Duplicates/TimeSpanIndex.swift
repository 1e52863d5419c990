import TrackModel

/// Finds the spans of time that may overlap another one, without a comparison of all pairs.
struct TimeSpanIndex {
  private var byHour: [Int64: [Int]] = [:]
  /// The spans of many hours.
  private var long: [Int] = []
  private var count = 0

  /// The largest number of hours in which a span is listed.
  private static let mostHours: Int64 = 1000

  init() {}

  /// - Parameter duration: the length in seconds.
  mutating func insert(_ index: Int, start: Instant, duration: Double) {
    count = max(count, index + 1)
    guard let hours = Self.hours(start, duration) else { return long.append(index) }
    for hour in hours { byHour[hour, default: []].append(index) }
  }

  /// Returns the indices of all spans that share an hour with a span, and those of long ones, ascending.
  func candidates(start: Instant, duration: Double) -> [Int] {
    guard let hours = Self.hours(start, duration) else { return Array(0..<count) }
    return Set(hours.flatMap { byHour[$0] ?? [] } + long).sorted()
  }

  /// Returns the hours since 1970 of a span, or nil if there are many.
  private static func hours(_ start: Instant, _ duration: Double) -> ClosedRange<Int64>? {
    guard duration < Double(mostHours) * 3600 else { return nil }
    let first = start.microseconds / 3_600_000_000
    return (first - 1)...(first + Int64(max(duration, 0) / 3600) + 2)
  }
}
