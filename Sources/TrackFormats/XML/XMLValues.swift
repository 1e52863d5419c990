import TrackModel

/// Values of tokens, with warnings about invalid ones.
extension XMLTokenStream {
  /// Returns the number in a text. Returns nil for blank text, and with a warning for text that is not a
  /// number.
  mutating func readNumber(_ token: XMLToken) throws(TrackError) -> Double? {
    if let value = number(of: token) { return value }
    if !isBlank(token) { try warn(.invalidValue, "invalid number, ignored", quoting: token) }
    return nil
  }

  /// Returns the time in a text. Returns nil for blank text, and with a warning for text that is not a time.
  ///
  /// - Parameter allowsDates: whether the text may be a day, a month or a year, read as its first instant.
  mutating func readTime(_ token: XMLToken, allowsDates: Bool = false) throws(TrackError) -> Instant? {
    if let reading = time(of: token) {
      // A day needs no time zone.
      if !reading.hasZone, !(allowsDates && trimmedText(of: token)?.utf8.count == 10) {
        try warn(.timeWithoutZone, "time without a zone, treated as UTC", quoting: token)
      }
      return reading.instant
    }
    if isBlank(token) { return nil }
    if allowsDates, let reading = ISO8601.read(bytes(of: token), allowsPartialDates: true) {
      return reading.instant
    }
    try warn(.invalidTime, "invalid time, ignored", quoting: token)
    return nil
  }

  /// Returns the element of a token, with its text if it is a leaf.
  ///
  /// - Parameter isOwn: whether a namespace belongs to the format, so that extensions omit it.
  func element(of token: XMLToken, isOwn: (String) -> Bool) -> ExtensionElement {
    let name = name(of: token)
    let namespace = name.namespace.flatMap { isOwn($0) ? nil : $0 }
    guard token.kind == .leaf, token.textCount > 0 else {
      return ExtensionElement(namespace: namespace, prefix: name.prefix, name: name.local)
    }
    return ExtensionElement(
      namespace: namespace, prefix: name.prefix, name: name.local, text: text(of: token))
  }

  /// Returns the attribute of a token.
  func attribute(of token: XMLToken) -> ExtensionElement.Attribute {
    let name = name(of: token)
    return ExtensionElement.Attribute(
      namespace: name.namespace, prefix: name.prefix, name: name.local, value: text(of: token))
  }
}
