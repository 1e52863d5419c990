/// A part of a name to search for, without regard to case and the diacritics of Latin letters: `geneve` is
/// found in `Genève`. SQLite ignores only the case of ASCII.
struct SearchedName {
  private let lowercased: String
  private let folded: String

  init(_ text: String) {
    lowercased = text.lowercased()
    folded = Self.folded(lowercased)
  }

  func isPart(of name: String) -> Bool {
    let name = name.lowercased()
    // Folding does not compose letters of other scripts, which may be decomposed in one of the texts.
    return name.contains(lowercased) || Self.folded(name).contains(folded)
  }

  /// Returns a text in lower case without diacritics.
  private static func folded(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var folded = ""
    for scalar in text.unicodeScalars where scalar.properties.generalCategory != .nonspacingMark {
      if let name = scalar.properties.name, name.hasPrefix(letter), let end = name.firstRange(of: " WITH ") {
        folded += name[..<end.lowerBound].dropFirst(letter.count).lowercased()
      } else {
        folded.unicodeScalars.append(scalar)
      }
    }
    return folded
  }

  /// The standard library has no decomposition, but the name of a letter begins with that of its base.
  private static let letter = "LATIN SMALL LETTER "
}
