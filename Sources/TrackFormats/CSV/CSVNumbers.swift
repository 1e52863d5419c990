import TrackModel

/// Parses numbers and degrees of tables.
struct CSVNumbers {
  /// Whether the comma is the decimal mark and the point the thousands separator, or vice versa.
  let usesDecimalComma: Bool
  private var scratch: [UInt8] = []

  init(usesDecimalComma: Bool) { self.usesDecimalComma = usesDecimalComma }

  /// Texts for missing values.
  static func isAbsent(_ text: Span<UInt8>) -> Bool {
    switch text.count {
    case 0: return true
    case 1: return text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "?")
    case 2...6:
      var word: [UInt8] = []
      for index in text.indices { word.append(text[index] | 0x20) }
      return absentWords.contains(word)
    default: return false
    }
  }

  private static let absentWords: Set<[UInt8]> = Set(
    ["nan", "null", "n/a", "na", "none", "nil", "--", "---", "#n/a", "-nan", "undef"].map { word in
      // Lower case as in the comparison, which does not change slashes or hyphens.
      word.utf8.map { $0 | 0x20 }
    })

  /// Parses the whole text as a number. Accepts the other decimal mark and thousands separators.
  mutating func read(_ text: Span<UInt8>) -> Double? {
    if !usesDecimalComma, let value = DecimalReading.read(text) { return value }
    guard copy(text), let value = DecimalReading.read(scratch.span) else { return nil }
    return value
  }

  /// Returns the number of decimals.
  func decimals(of text: Span<UInt8>) -> Int {
    var index = text.count
    while index > 0, text[index - 1] != UInt8(ascii: "."), text[index - 1] != UInt8(ascii: ",") { index -= 1 }
    guard index > 0 else { return 0 }
    var end = index
    // An exponent may follow.
    while end < text.count, text[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
    return end - index
  }

  /// Copies a number with a decimal point and without thousands separators.
  ///
  /// - Returns: false if the text is not a number.
  private mutating func copy(_ text: Span<UInt8>) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    let mark = usesDecimalComma ? UInt8(ascii: ",") : UInt8(ascii: ".")
    let other = usesDecimalComma ? UInt8(ascii: ".") : UInt8(ascii: ",")
    var others = 0
    var marks = 0
    var groups = true
    var run = 0
    var firstDigit: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      if byte == other || byte == mark {
        // One to three digits precede the first thousands separator, and three follow each.
        if others > 0 || marks > 0 {
          groups = groups && run == 3
        } else if byte == other {
          groups = (1...3).contains(run) && firstDigit != UInt8(ascii: "0")
        }
        if byte == other {
          if marks > 0 { groups = false }
          others += 1
        } else {
          marks += 1
        }
        run = 0
      } else if byte &- UInt8(ascii: "0") <= 9 {
        if firstDigit == 0 { firstDigit = byte }
        run += 1
      }
    }
    if others > 0, marks == 0 { groups = groups && run == 3 }
    guard marks <= 1, others == 0 || groups || (others == 1 && marks == 0) else { return false }
    for index in text.indices {
      let byte = text[index]
      if byte == mark {
        scratch.append(UInt8(ascii: "."))
      } else if byte == other {
        if !groups { scratch.append(UInt8(ascii: ".")) }
      } else if byte != UInt8(ascii: "'") {
        scratch.append(byte)
      }
    }
    return true
  }

  // MARK: Degrees

  /// Parses degrees such as `47.5`, `47,5`, `47.5N`, `N 47° 30.0'`, `47 30 0 N` or `47°30′0″`. Returns `nil`
  /// for other text. North and east are positive.
  mutating func degrees(_ text: Span<UInt8>, isLatitude: Bool) -> Double? {
    if let value = DecimalReading.read(text) { return value }
    scratch.removeAll(keepingCapacity: true)
    for index in text.indices {
      scratch.append(text[index] == UInt8(ascii: ",") ? UInt8(ascii: ".") : text[index])
    }
    if let value = DecimalReading.read(scratch.span) { return value }
    return CSVNumbers.parts(text, isLatitude: isLatitude)
  }

  /// Returns the sign of a hemisphere's letter or word, or `nil`.
  static func sign(_ text: Span<UInt8>, isLatitude: Bool) -> Double? {
    guard text.count > 0 else { return nil }
    switch text[0] | 0x20 {
    case UInt8(ascii: "n") where isLatitude: return 1
    case UInt8(ascii: "s") where isLatitude: return -1
    case UInt8(ascii: "e") where !isLatitude: return 1
    case UInt8(ascii: "w") where !isLatitude: return -1
    default: return nil
    }
  }

  private static func parts(_ text: Span<UInt8>, isLatitude: Bool) -> Double? {
    var bytes: [UInt8] = []
    var hemisphere: Double?
    var isNegative = false
    var numbers: [Double] = []
    var index = 0
    /// Adds the number that ends here.
    func close() -> Bool {
      guard !bytes.isEmpty else { return true }
      // Only the last part can have decimals.
      if let last = numbers.last, last != last.rounded(.towardZero) { return false }
      guard numbers.count < 3, let value = DecimalReading.read(bytes.span) else { return false }
      numbers.append(value)
      bytes = []
      return true
    }
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): bytes.append(byte)
      case UInt8(ascii: ","): bytes.append(UInt8(ascii: "."))
      case UInt8(ascii: "-") where numbers.isEmpty && bytes.isEmpty && !isNegative: isNegative = true
      case UInt8(ascii: "+") where numbers.isEmpty && bytes.isEmpty && !isNegative: break
      case UInt8(ascii: "'"), UInt8(ascii: "\""), 0x20, UInt8(ascii: ":"), 0x80...0xFF:
        // The signs for degrees, minutes and seconds in any encoding.
        guard close() else { return nil }
      default:
        guard close(), hemisphere == nil,
          let sign = sign(text.extracting(index..<(index + 1)), isLatitude: isLatitude)
        else { return nil }
        hemisphere = sign
      }
      index += 1
    }
    guard close(), let degrees = numbers.first else { return nil }
    guard !isNegative || hemisphere == nil else { return nil }
    let minutes = numbers.count > 1 ? numbers[1] : 0
    let seconds = numbers.count > 2 ? numbers[2] : 0
    guard minutes < 60, seconds < 60 else { return nil }
    let value = degrees + (minutes + seconds / 60) / 60
    return isNegative ? -value : value * (hemisphere ?? 1)
  }

  /// Parses a latitude and longitude such as `47.5, 7.25`, `47.5 7.25` or `geo:47.5,7.25`. Returns `nil` for
  /// other text.
  static func position(_ text: Span<UInt8>) -> Coordinate? {
    var start = 0
    if text.count > 4, text[0] == UInt8(ascii: "g"), text[1] == UInt8(ascii: "e"),
      text[2] == UInt8(ascii: "o"),
      text[3] == UInt8(ascii: ":")
    {
      start = 4
    }
    var index = start
    guard let latitude = DecimalReading.scan(text, at: &index) else { return nil }
    let end = index
    while index < text.count,
      text[index] == 0x20 || text[index] == UInt8(ascii: ",")
        || text[index] == UInt8(ascii: ";") || text[index] == UInt8(ascii: "/")
    {
      index += 1
    }
    guard index > end, let longitude = DecimalReading.scan(text, at: &index), index == text.count else {
      return nil
    }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
