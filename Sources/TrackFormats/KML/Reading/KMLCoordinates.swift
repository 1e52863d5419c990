import TrackModel

/// Parses the positions of `coordinates` and `gx:coord`.
///
/// KML separates the numbers of a tuple by commas and the tuples by white space. Deviations are interpreted
/// as in Google Earth: white space around commas, commas instead of white space (then every three numbers
/// form a tuple), and a comma after the last number of a tuple.
enum KMLCoordinates {
  enum Tuple {
    /// A position with coordinates in range; the elevation is NaN if missing.
    case position(latitude: Double, longitude: Double, elevation: Double)
    /// A position whose third number is invalid.
    case positionOfBadElevation(latitude: Double, longitude: Double)
    /// A pause or its end in a `gx:coord`: older versions of OpenTracks write a latitude of 100 or 200.
    case pause, resumption
    /// Text that is not a position and was skipped.
    case invalid
    /// The text ends inside a tuple, and more may follow.
    case incomplete
    case end
  }

  /// Reads the next tuple and moves `index` past it.
  ///
  /// - Parameter isLast: whether the text is complete. Otherwise a tuple that ends at the end of the text is
  ///   `.incomplete`, and `index` does not change.
  static func next(_ text: Span<UInt8>, at index: inout Int, isLast: Bool) -> Tuple {
    while index < text.count, text[index] <= 0x20 || text[index] == comma { index += 1 }
    guard index < text.count else { return .end }
    let start = index
    let tuple = read(text, at: &index)
    // The next byte decides whether the number continues, or a comma joins it to the next one.
    if index == text.count, !isLast {
      index = start
      return .incomplete
    }
    return tuple
  }

  private static func read(_ text: Span<UInt8>, at index: inout Int) -> Tuple {
    guard let longitude = number(text, at: &index), let firstHasBlank = separator(text, at: &index),
      let latitude = number(text, at: &index)
    else {
      skipWord(text, at: &index)
      return .invalid
    }
    var elevation = Double.nan
    var isBad = false
    let behindLatitude = index
    if let secondHasBlank = separator(text, at: &index) {
      let third = index
      if let value = number(text, at: &index) {
        let goesOn = index < text.count && text[index] == comma
        if secondHasBlank, !firstHasBlank, goesOn {
          // `8.0,47.0, 8.1,47.1,`: white space separates tuples that end with a comma.
          index = third
        } else {
          elevation = value
        }
      } else if secondHasBlank || index == text.count {
        // A comma after the last number.
        index = secondHasBlank ? third : text.count
      } else {
        isBad = text[index] != comma
        skipWord(text, at: &index)
      }
    } else {
      index = behindLatitude
      skipBlanks(text, at: &index)
    }
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return .invalid }
    return isBad
      ? .positionOfBadElevation(latitude: latitude, longitude: longitude)
      : .position(latitude: latitude, longitude: longitude, elevation: elevation)
  }

  /// Reads the numbers of a `gx:coord`, separated by white space, or by commas in the files of some
  /// programs.
  static func coord(_ text: Span<UInt8>) -> Tuple {
    var index = 0
    skipSeparators(text, at: &index)
    guard index < text.count else { return .end }
    guard let longitude = number(text, at: &index) else { return .invalid }
    skipSeparators(text, at: &index)
    guard let latitude = number(text, at: &index), abs(longitude) <= 180 else { return .invalid }
    guard abs(latitude) <= 90 else {
      return latitude == 100 ? .pause : latitude == 200 ? .resumption : .invalid
    }
    skipSeparators(text, at: &index)
    guard index < text.count else {
      return .position(latitude: latitude, longitude: longitude, elevation: .nan)
    }
    guard let elevation = number(text, at: &index) else {
      return .positionOfBadElevation(latitude: latitude, longitude: longitude)
    }
    return .position(latitude: latitude, longitude: longitude, elevation: elevation)
  }

  private static let comma = UInt8(ascii: ",")

  /// Reads a number followed by white space, a comma or the end. Otherwise returns nil and leaves `index`
  /// unchanged.
  @inline(__always)
  private static func number(_ text: Span<UInt8>, at index: inout Int) -> Double? {
    let start = index
    guard let value = DecimalReading.scan(text, at: &index) else { return nil }
    guard index == text.count || text[index] <= 0x20 || text[index] == comma else {
      index = start
      return nil
    }
    return value
  }

  /// Skips a comma with the white space around it and returns whether there was white space; nil if there is
  /// no comma.
  @inline(__always)
  private static func separator(_ text: Span<UInt8>, at index: inout Int) -> Bool? {
    if index < text.count, text[index] == comma, index + 1 < text.count, text[index + 1] > 0x20 {
      index += 1
      return false
    }
    var position = index
    skipBlanks(text, at: &position)
    guard position < text.count, text[position] == comma else {
      // At the end of the text, a comma may still follow.
      if position == text.count { index = position }
      return nil
    }
    var hasBlank = position > index
    position += 1
    let behind = position
    skipBlanks(text, at: &position)
    if position > behind { hasBlank = true }
    index = position
    return hasBlank
  }

  private static func skipBlanks(_ text: Span<UInt8>, at index: inout Int) {
    while index < text.count, text[index] <= 0x20 { index += 1 }
  }

  private static func skipSeparators(_ text: Span<UInt8>, at index: inout Int) {
    while index < text.count, text[index] <= 0x20 || text[index] == comma { index += 1 }
  }

  private static func skipWord(_ text: Span<UInt8>, at index: inout Int) {
    while index < text.count, text[index] > 0x20 { index += 1 }
  }
}
