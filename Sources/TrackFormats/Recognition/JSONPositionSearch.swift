/// Searches the opening of a JSON text with an unknown layout for the positions of a track.
struct JSONPositionSearch {
  /// The number of values of keys such as `lat`, `Latitude` and `position_lat`, and of the corresponding keys
  /// for longitudes.
  private var latitudes = 0
  private var longitudes = 0
  /// The number of arrays that begin with two coordinates near those of the previous array.
  private var pairs = 0
  private var lastPair: (Double, Double)?
  /// The number of values of keys such as `t`, `time` and `recordedAtTimestamp`.
  private var times = 0
  /// The number of latitudes in consecutive elements of an array.
  private var elements = 0
  /// Whether an element of an array has begun after the last latitude.
  private var isNewElement = false
  /// Whether the text is a set of streams as delivered by the API of Strava.
  private(set) var isStreams = false

  private static let streams = [
    "time", "distance", "latlng", "altitude", "velocity_smooth", "heartrate", "cadence", "watts", "temp",
    "moving", "grade_smooth",
  ]

  init(_ bytes: [UInt8]) {
    let text = bytes.filter { $0 > 0x20 }
    isStreams = Self.streams.contains { name in
      text.starts(with: "{\"\(name)\":{\"data\":[".utf8)
        || text.starts(with: "[{\"type\":\"\(name)\",\"data\":[".utf8)
    }
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "\"") {
        let end = Self.endOfString(text, index)
        let key = text[min(index + 1, end)..<end]
        index = end + 1
        guard index < text.count, text[index] == UInt8(ascii: ":") else { continue }
        if key.elementsEqual("latlng".utf8), text[index...].starts(with: ":{".utf8) { isStreams = true }
        count(key, text[(index + 1)...])
      } else {
        if text[index] == UInt8(ascii: "[") { countPair(text[(index + 1)...]) }
        if text[index...].starts(with: "},{".utf8) { isNewElement = true }
        index += 1
      }
    }
  }

  /// Whether there are more positions than in the metadata of a photo, which has one or two, or two in an
  /// array with times.
  var hasTrack: Bool {
    min(latitudes, longitudes) > 2 || pairs > 2
      || elements > 0 && min(latitudes, longitudes, times) > 1
  }

  /// Returns the index of the quote that ends a string, or the end of the text.
  private static func endOfString(_ text: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, text.count)
  }

  private mutating func count(_ key: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>) {
    let value = rest.first == UInt8(ascii: "\"") ? rest.dropFirst() : rest
    if key.elementsEqual("t".utf8) || String(decoding: key, as: UTF8.self).lowercased().contains("time") {
      times += 1
    }
    guard Self.number(value) != nil else { return }
    let name = String(decoding: key, as: UTF8.self).lowercased().filter(\.isLetter)
    // The extent of a place is not a position.
    guard !name.hasSuffix("span"), !name.hasSuffix("delta") else { return }
    func isNamed(_ short: [String], _ long: String) -> Bool {
      name.contains(long) || short.contains { name.hasPrefix($0) || name.hasSuffix($0) }
    }
    if isNamed(["lat"], "latitude") {
      if isNewElement, latitudes > 0 { elements += 1 }
      isNewElement = false
      latitudes += 1
    } else if isNamed(["lon", "lng"], "longitude") {
      longitudes += 1
    }
  }

  /// Counts an array such as `[46.94812,7.44744` if it is near the previous one, unlike the values of a
  /// chart.
  private mutating func countPair(_ text: ArraySlice<UInt8>) {
    guard let first = Self.number(text), text[first.end...].first == UInt8(ascii: ","),
      let second = Self.number(text[(first.end + 1)...]), max(first.decimals, second.decimals) > 3,
      min(first.decimals, second.decimals) > 0, max(abs(first.value), abs(second.value)) <= 180,
      min(abs(first.value), abs(second.value)) <= 90
    else { return }
    let pair = (first.value, second.value)
    if lastPair.map({ abs($0.0 - pair.0) < 1 && abs($0.1 - pair.1) < 1 }) ?? true { pairs += 1 }
    lastPair = pair
  }

  private static func number(_ text: ArraySlice<UInt8>) -> (value: Double, decimals: Int, end: Int)? {
    let digits = text.prefix { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
    guard let value = Double(String(decoding: digits, as: UTF8.self)) else { return nil }
    let point = digits.firstIndex(of: 0x2E) ?? digits.endIndex - 1
    return (value, digits.endIndex - point - 1, digits.endIndex)
  }
}
