/// The parts of a Google Timeline to read.
public struct TimelineOptions: Sendable, Hashable {
  /// The activity types to keep as tracks, in Google's naming, or `nil` for everything including visits and
  /// points outside activities. Case, spaces and underscores are ignored: Android writes
  /// `IN_PASSENGER_VEHICLE`, the iPhone `in passenger vehicle`.
  public var activityTypes: Set<String>? {
    didSet { normalized = activityTypes.map { Set($0.map(TimelineOptions.normalized)) } }
  }
  private var normalized: Set<String>?

  /// Creates options. By default, everything is read.
  public init(activityTypes: Set<String>? = nil) {
    self.activityTypes = activityTypes
    normalized = activityTypes.map { Set($0.map(TimelineOptions.normalized)) }
  }

  /// Activities by car or motorcycle.
  public static let driving = TimelineOptions(activityTypes: [
    "DRIVING", "IN_PASSENGER_VEHICLE", "IN_VEHICLE", "IN_ROAD_VEHICLE", "IN_FOUR_WHEELER_VEHICLE", "IN_CAR",
    "IN_TAXI", "MOTORCYCLING", "IN_TWO_WHEELER_VEHICLE", "ON_MOTORCYCLE",
  ])

  /// The names of predefined selections.
  public enum Kind: String, Sendable, CaseIterable {
    /// Activities by car or motorcycle (``TimelineOptions/driving``).
    case driving
  }

  /// Returns the options for a predefined selection.
  public init(kind: Kind) {
    switch kind {
    case .driving: self = .driving
    }
  }

  /// Whether only some activities are kept.
  var isSelective: Bool { normalized != nil }

  /// Whether an activity of a type is kept. `nil` is an activity without a type.
  func keeps(_ type: String?) -> Bool {
    guard let normalized else { return true }
    return type.map { normalized.contains(TimelineOptions.normalized($0)) } ?? false
  }

  private static func normalized(_ type: String) -> String {
    String(type.uppercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
  }
}
