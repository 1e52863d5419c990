/// The kinds of activity in the schema.
enum TCXSport: String {
  case running = "Running"
  case biking = "Biking"
  case other = "Other"

  /// Returns the kind for a name, including names used in other formats, or nil.
  static func named(_ text: String?) -> TCXSport? {
    switch text?.lowercased() {
    case "running", "run": .running
    case "biking", "bike", "cycling", "ride": .biking
    case "other": .other
    default: nil
    }
  }
}
