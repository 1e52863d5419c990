/// The kinds of course points that the schema has.
enum TCXCoursePointType {
  /// The kind of points that are of no other; says nothing.
  static let generic = "Generic"

  private static let all = [
    generic, "Summit", "Valley", "Water", "Food", "Danger", "Left", "Right", "Straight", "First Aid",
    "4th Category", "3rd Category", "2nd Category", "1st Category", "Hors Category", "Sprint",
  ]

  /// The kind that a text names, whatever its case; nil for any other.
  static func named(_ text: String?) -> String? {
    guard let text = text?.lowercased() else { return nil }
    return all.first { $0.lowercased() == text }
  }
}
