public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Instant {
  /// The instant as a `Date`.
  public var date: Date { Date(timeIntervalSince1970: secondsSince1970) }

  /// Creates the instant nearest to a date. Returns `nil` beyond ±292,000 years.
  public init?(_ date: Date) { self.init(secondsSince1970: date.timeIntervalSince1970) }
}
