package import TrackModel

/// Values with an expected kind. Values of another kind are omitted.
extension JSONLexer {
  /// Reads a name that is a number without quotation marks, if they are allowed.
  mutating func takeNumericName() throws(TrackError) {
    guard allowsNumericNames, try kind() == .number else {
      throw expected(isAtStart ? "a name or }" : "a name")
    }
    _ = try number()
  }

  /// Reads an object. `body` receives each name and reads its value.
  mutating func readObject(
    _ body: (String, inout JSONLexer) throws(TrackError) -> Void
  ) throws(TrackError) {
    try beginObject()
    while try nextMember() { try body(text, &self) }
  }

  /// Enters an object. Any other value is skipped.
  ///
  /// - Returns: whether it was an object.
  package mutating func enterObject() throws(TrackError) -> Bool {
    guard try kind() == .object else {
      try skip()
      return false
    }
    try beginObject()
    return true
  }

  /// Enters an array. Any other value is skipped.
  ///
  /// - Returns: whether it was an array.
  package mutating func enterArray() throws(TrackError) -> Bool {
    guard try kind() == .array else {
      try skip()
      return false
    }
    try beginArray()
    return true
  }

  /// Reads a value. Returns nil, with a warning unless it is null, if it is not a string.
  package mutating func stringOrNothing() throws(TrackError) -> String? {
    switch try kind() {
    case .string: return try string()
    case .null: try literal()
    default:
      try warn(.invalidValue, "text expected, ignored")
      try skip()
    }
    return nil
  }

  /// Reads a value. Returns nil, with a warning unless it is null, if it is not a number. A number in
  /// quotation marks is not accepted.
  package mutating func numberOrNothing() throws(TrackError) -> Double? {
    switch try kind() {
    case .number:
      if let number = try number() { return number }
      try warnOfText(.invalidValue, "number too large, ignored")
    case .string:
      try takeString()
      if let number = DecimalReading.read(rawText) { return number }
      if !rawText.isEmpty { try warnOfText(.invalidValue, "invalid number, ignored") }
    case .null: try literal()
    default:
      try warn(.invalidValue, "invalid number, ignored")
      try skip()
    }
    return nil
  }
}
