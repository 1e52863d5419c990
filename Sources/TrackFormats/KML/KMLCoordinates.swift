import TrackModel

/// Reads the positions of `coordinates` and `gx:coord`.
///
/// KML parts the numbers of a tuple by commas and the tuples by blanks. What programs write beside that is
/// read as Google Earth reads it: blanks around the commas, commas where blanks belong (then every three
/// numbers are a tuple), a comma behind the last number of a tuple.
enum KMLCoordinates {
  enum Tuple {
    /// A position in its ranges; the elevation is NaN where there is none.
    case position(latitude: Double, longitude: Double, elevation: Double)
    /// A position whose third number is none.
    case positionOfBadElevation(latitude: Double, longitude: Double)
    /// Something that is no position, passed over.
    case invalid
    /// The text ends inside a tuple, and more may follow.
    case incomplete
    case end
  }

  /// Reads the next tuple and moves `index` behind it.
  ///
  /// - Parameter isLast: whether nothing follows behind the text; otherwise a tuple that touches its end is
  ///   `.incomplete`, and `index` stays before it.
  static func next(_ text: Span<UInt8>, at index: inout Int, isLast: Bool) -> Tuple {
    while index < text.count, text[index] <= 0x20 || text[index] == comma { index += 1 }
    guard index < text.count else { return .end }
    let start = index
    let tuple = read(text, at: &index)
    // Only what follows tells whether a number goes on, or a comma joins the next one to it.
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
          // `8.0,47.0, 8.1,47.1,`: the blank parts tuples that end with a comma.
          index = third
        } else {
          elevation = value
        }
      } else if secondHasBlank || index == text.count {
        // A comma behind the last number.
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

  /// Reads the numbers of a `gx:coord`, parted by blanks, or by commas in the files of some programs.
  static func coord(_ text: Span<UInt8>) -> Tuple {
    var index = 0
    skipSeparators(text, at: &index)
    guard index < text.count else { return .end }
    guard let longitude = number(text, at: &index) else { return .invalid }
    skipSeparators(text, at: &index)
    guard let latitude = number(text, at: &index), abs(latitude) <= 90, abs(longitude) <= 180 else {
      return .invalid
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

  /// A number with a blank, a comma or nothing behind it; nil, and `index` where it was, for anything else.
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

  /// Passes over a comma with the blanks around it and tells whether there were some; nil where there is no
  /// comma.
  @inline(__always)
  private static func separator(_ text: Span<UInt8>, at index: inout Int) -> Bool? {
    if index < text.count, text[index] == comma, index + 1 < text.count, text[index + 1] > 0x20 {
      index += 1
      return false
    }
    var position = index
    skipBlanks(text, at: &position)
    guard position < text.count, text[position] == comma else {
      // At the end of the text it stays open whether a comma follows.
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
