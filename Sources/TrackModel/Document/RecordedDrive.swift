/// The fields of a drive document other than points, name and times, stored as ``DriveElement``.
public struct RecordedDrive: Sendable, Hashable {
  /// The drive's identifier as written.
  public var identifier: String?
  /// The duration in seconds, above zero and at most ``longestDuration``.
  public var duration: Double?
  /// Whether the duration is written as 0, which the app permits.
  public var hasNoDuration: Bool
  /// The distance in miles of 1609.344 m.
  public var distance: Double?
  /// The number of points that the fields refer to, or `nil` if unknown.
  public var points: Int?
  /// The drive's name, if the track cannot store it.
  public var title: String?
  /// Whether the times of the points start at ``DriveElement/unknownStart``.
  public var hasArtificialClock: Bool

  /// The longest duration of a drive in seconds. Times in microseconds overflow beyond it.
  public static let longestDuration = 1e12

  /// Returns `nil` for any other element.
  public init?(_ element: ExtensionElement) {
    guard element.isDrive else { return nil }
    func quantity(_ name: String) -> Double? {
      element.value(of: name).flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    identifier = element.value(of: DriveElement.identifier)
    let stated = quantity(DriveElement.duration)
    duration = stated.flatMap { $0 > 0 && $0 <= Self.longestDuration ? $0 : nil }
    hasNoDuration = stated == 0
    distance = quantity(DriveElement.distance)
    points = element.value(of: DriveElement.points).flatMap { Int($0) }
    title = element.value(of: DriveElement.title)
    hasArtificialClock = element.value(of: DriveElement.clock) == DriveElement.artificialClock
  }
}
