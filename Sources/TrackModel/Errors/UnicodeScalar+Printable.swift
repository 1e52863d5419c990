extension Unicode.Scalar {
  /// Whether the character is a control character, a line break, or changes the text direction (Unicode's
  /// `Bidi_Control`).
  package var isSteering: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether the character has no visible form of its own: control and format characters, line breaks, and
  /// characters for private use or without a meaning.
  package var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }
}
