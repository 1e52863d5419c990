/// What a drive document says of a drive besides its points, name and times; kept as ``DriveElement``.
public struct RecordedDrive: Sendable, Hashable {
  /// The drive's identifier, as it is written.
  public var identifier: String?
  /// Seconds, above zero and at most ``longestDuration``.
  public var duration: Double?
  /// Miles of 1609.344 m.
  public var distance: Double?
  /// The number of points that this is about; nil if it is not known.
  public var points: Int?
  /// Whether the times of the points only count from ``DriveElement/unknownStart``.
  public var hasArtificialClock: Bool

  /// The longest duration of a drive, in seconds; times in microseconds overflow beyond it.
  public static let longestDuration = 1e12

  /// Nil for any other element.
  public init?(_ element: ExtensionElement) {
    guard element.isDrive else { return nil }
    func quantity(_ name: String) -> Double? {
      element.value(of: name).flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    identifier = element.value(of: DriveElement.identifier)
    duration = quantity(DriveElement.duration).flatMap { $0 > 0 && $0 <= Self.longestDuration ? $0 : nil }
    distance = quantity(DriveElement.distance)
    points = element.value(of: DriveElement.points).flatMap { Int($0) }
    hasArtificialClock = element.value(of: DriveElement.clock) == DriveElement.artificialClock
  }
}
