/// The kinds of activity that the schema has.
enum TCXSport: String {
  case running = "Running"
  case biking = "Biking"
  case other = "Other"

  /// The kind that a text names, in the words of other formats as well; nil for any other.
  static func named(_ text: String?) -> TCXSport? {
    switch text?.lowercased() {
    case "running", "run": .running
    case "biking", "bike", "cycling", "ride": .biking
    case "other": .other
    default: nil
    }
  }
}
