/// The kinds of course points in the schema.
enum TCXCoursePointType {
  /// The kind of points that have no specific kind.
  static let generic = "Generic"

  private static let all = [
    generic, "Summit", "Valley", "Water", "Food", "Danger", "Left", "Right", "Straight", "First Aid",
    "4th Category", "3rd Category", "2nd Category", "1st Category", "Hors Category", "Sprint",
  ]

  /// Returns the kind with a name, ignoring case, or nil.
  static func named(_ text: String?) -> String? {
    guard let text = text?.lowercased() else { return nil }
    return all.first { $0.lowercased() == text }
  }
}
