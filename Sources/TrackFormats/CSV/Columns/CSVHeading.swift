import TrackModel

/// The meaning and unit of a column according to its heading.
struct CSVHeading: Sendable {
  let meaning: CSVColumnRole
  /// The unit that the heading states, or nil.
  let statedUnit: CSVUnit?
  var unit: CSVUnit { statedUnit ?? .own }
  /// Whether the heading states that times are UTC.
  let isUTC: Bool
  /// The order of day, month and year, if the heading specifies it.
  let dateOrder: CSVDateOrder?

  /// Leading words that do not change the meaning.
  private static let prefixes: Set<String> = [
    "gps", "gnss", "location", "loc", "position", "pos", "point", "trackpoint", "trkpt", "waypoint", "wpt",
    "geo",
    "coordinate", "coordinates", "osd", "fix", "current", "device", "phone", "sensor", "utc", "gmt", "local",
    "enhanced", "unix", "iso", "lcl", "field", "frame",
  ]

  /// Parses a heading such as `Latitude`, `speed (km/h)`, `alt [ft]`, `Speed_mph` or `GPS Time (UTC)`.
  ///
  /// - Returns: `nil` for an unknown meaning, or a quantity in an unknown unit.
  init?(_ heading: String) {
    // Numbers and times, which are common in the rows before a heading is found, are not split into words.
    guard heading.utf8.contains(where: { (0x41...0x5A).contains($0 & 0xDF) || $0 >= 0x80 || $0 == 0x23 })
    else { return nil }
    let (outside, inside) = CSVHeading.words(of: CSVHeading.withoutDevice(heading))
    let all = outside + inside
    let found = all.isEmpty && heading.contains("#") ? (.ordinal, nil) : CSVHeading.find(outside, inside)
    guard let found else { return nil }
    meaning = found.meaning
    statedUnit = found.unit
    isUTC = all.contains { ["utc", "gmt", "zulu"].contains($0) }
    dateOrder = CSVDateOrder(pattern: inside.joined()) ?? outside.last.flatMap(CSVDateOrder.init(pattern:))
  }

  /// Returns `Lat. [deg]` for `GPS (Lat.) [deg]`, in which the brackets contain the name of the quantity,
  /// `Speed (km/h)` for `Speed (GPS) (km/h)`, and `GPS.SPEED mph` for `AUX.GPS.SPEED mph`.
  private static func withoutDevice(_ heading: String) -> String {
    if heading.hasPrefix("AUX.GPS.") { return String(heading.dropFirst(4)) }
    if let device = heading.firstRange(of: "(GPS)"), device.lowerBound > heading.startIndex {
      return heading[..<device.lowerBound] + String(heading[device.upperBound...].drop { $0 == " " })
    }
    guard heading.hasPrefix("GPS ("), heading.hasSuffix("]"), let end = heading.firstIndex(of: ")") else {
      return heading
    }
    return String(heading[..<end].dropFirst(5)) + heading[end...].dropFirst()
  }

  private static func find(
    _ outside: [String], _ inside: [String]
  ) -> (meaning: CSVColumnRole, unit: CSVUnit?)? {
    var outside = outside[...]
    // RaceRender's tables name the speed by its unit.
    if ["mph", "kph", "kmh"].contains((outside + inside).joined()),
      let unit = CSVUnit.named((outside + inside).joined(), for: .speed)
    {
      return (.channel(.speed), unit)
    }
    while !outside.isEmpty {
      if let meaning = CSVColumnRole.named((outside + inside).joined()) { return (meaning, nil) }
      if let meaning = CSVColumnRole.named(outside.joined()) {
        if inside.isEmpty { return (meaning, nil) }
        if let quantity = meaning.quantity {
          if let unit = CSVUnit.named(inside.joined(), for: quantity) { return (meaning, unit) }
          // "Latitude (WGS 84)" is accepted, but a speed in an unknown unit and an acceleration "X (m/s²)"
          // are not.
          if quantity == .position, outside.first?.count == 1 { return nil }
          return quantity == .position || quantity == .time ? (meaning, nil) : nil
        }
        return (meaning, nil)
      }
      // A unit after the name: one to three words, as in `Speed_km_h`.
      if inside.isEmpty {
        for count in 1...3 where count < outside.count {
          guard let meaning = CSVColumnRole.named(outside.dropLast(count).joined()),
            let quantity = meaning.quantity,
            let unit = CSVUnit.named(outside.suffix(count).joined(), for: quantity)
          else { continue }
          return (meaning, unit)
        }
      }
      guard let first = outside.first, prefixes.contains(first) else { return nil }
      outside = outside.dropFirst()
    }
    return nil
  }

  /// Splits a heading into lower-case words outside and inside brackets.
  ///
  /// Words are separated by punctuation and by capitals (`heartRate`, `GPSTime`).
  static func words(of heading: String) -> (outside: [String], inside: [String]) {
    var outside: [String] = []
    var inside: [String] = []
    var word = ""
    var depth = 0
    let characters = Array(heading)
    func close() {
      guard !word.isEmpty else { return }
      if depth > 0 { inside.append(word.lowercased()) } else { outside.append(word.lowercased()) }
      word = ""
    }
    for (index, character) in characters.enumerated() {
      if character.isLetter || character.isNumber || character == "°" || character == "µ" {
        if character.isUppercase, let last = word.last {
          let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
          if last.isLowercase || (last.isUppercase && isBeforeSmall) { close() }
        }
        word.append(character)
        continue
      }
      close()
      if "([{".contains(character) { depth += 1 }
      if ")]}".contains(character) { depth = max(depth - 1, 0) }
    }
    close()
    return (outside, inside)
  }
}
