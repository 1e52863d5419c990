import TrackModel

extension LossReport {
  /// Counts a time that cannot be written.
  mutating func add(ozi time: Int64) {
    if time != Instant.absent, !OziExplorerRow.hasTime(time) { add("times before 1900") }
  }

  /// Counts the characters of a text that are read back as commas.
  mutating func add(ozi text: String?) {
    add("letters Ñ", text?.count { $0 == OziExplorerRow.comma } ?? 0)
    if let text, text.count > OziExplorerRow.longestText {
      add("characters of texts after \(OziExplorerRow.longestText)", text.count - OziExplorerRow.longestText)
    }
  }
}

extension ByteBuffer {
  /// Appends a cell of a file of OziExplorer, which reads Latin-1. Texts with other characters are UTF-8.
  ///
  /// Character 209 takes the place of commas, which separate cells, and spaces that of line ends.
  mutating func append(ozi text: String) {
    let cell = text.prefix(OziExplorerRow.longestText).map { character -> Character in
      character == "," ? OziExplorerRow.comma : character.isNewline ? " " : character
    }
    let scalars = String(cell).unicodeScalars
    guard scalars.allSatisfy({ $0.value < 0x100 }) else { return append(String(cell)) }
    for scalar in scalars { append(UInt8(truncatingIfNeeded: scalar.value)) }
  }

  /// Appends a time as days since 30 December 1899, or 0 without a time.
  ///
  /// Ten decimals of a day are 8.64 µs, so that milliseconds are kept.
  mutating func append(ozi time: Int64) {
    guard OziExplorerRow.hasTime(time) else { return append("0") }
    append(
      decimal: ((Double(time) / Double(CivilCalendar.dayLength) + OziExplorerRow.daysTo1970) * 1e10).rounded()
        / 1e10)
  }

  /// Appends an elevation in feet, -777 without a value. A thousandth is 0.3 mm, so that
  /// millimetres are kept.
  mutating func append(oziElevation metres: Double?) {
    let feet = metres.map { ($0 / Geodesy.metresPerFoot * 1000).rounded() / 1000 }
    append(decimal: feet ?? OziExplorerRow.noElevation)
  }
}
