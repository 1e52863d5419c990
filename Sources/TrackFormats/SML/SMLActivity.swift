/// The kinds of activity of Suunto's watches by their numbers. Source: Suunto, "Suunto Apps Developer
/// Manual", 2015.
enum SMLActivity {
  private static let names: [Int: String] = [
    2: "Multisport", 3: "Running", 4: "Cycling", 5: "Mountain biking", 6: "Swimming", 8: "Roller skating",
    11: "Trekking", 12: "Walking", 13: "Sailing", 14: "Kayaking", 15: "Rowing", 16: "Climbing",
    17: "Indoor cycling", 18: "Circuit training", 19: "Triathlon", 20: "Alpine skiing", 21: "Snowboarding",
    22: "Cross-country skiing", 23: "Weight training", 61: "Adventure racing", 66: "Golf",
    69: "Horseback riding", 70: "Ice skating", 71: "Indoor rowing", 72: "Canoeing", 73: "Motorsports",
    74: "Mountaineering", 75: "Orienteering", 78: "Ski touring", 80: "Telemark skiing",
    81: "Track and field", 82: "Trail running", 83: "Open water swimming", 84: "Nordic walking",
    85: "Snowshoeing", 86: "Windsurfing", 88: "Roller skiing", 89: "Stand-up paddling", 91: "Kitesurfing",
    92: "Paragliding", 93: "Treadmill",
  ]

  /// Returns the kind, or nil for unknown numbers.
  static func name(_ number: Double) -> String? { Int(exactly: number).flatMap { names[$0] } }
}
