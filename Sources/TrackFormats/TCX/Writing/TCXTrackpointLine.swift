import TrackModel

/// A trackpoint parsed from a line written by ``TCXPointWriter``.
struct TCXTrackpointLine {
  let time: Instant
  let coordinate: Coordinate
  /// The distance counted by the device, in metres, or NaN.
  let distance: Double

  /// - Returns: nil for a continuation line of a point that contains line feeds.
  init?(_ line: Span<UInt8>) {
    guard let time = TCXTrackpointLine.time(line) else { return nil }
    var index = TCXPointWriter.lineStart.count
    guard let latitude = TCXTrackpointLine.number("LatitudeDegrees", line, &index),
      let longitude = TCXTrackpointLine.number("LongitudeDegrees", line, &index)
    else { return nil }
    self.time = time
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
    distance = TCXTrackpointLine.number("DistanceMeters", line, &index) ?? .nan
  }

  /// Adds the point to a segment, or to a part of one.
  func add(to segment: inout TCXSegment) { segment.add(coordinate, time: time, distance: distance) }

  /// Returns the time of a line's trackpoint; nil for a continuation line of a point that contains line
  /// feeds.
  static func time(_ line: Span<UInt8>) -> Instant? {
    var index = 0
    for byte in TCXPointWriter.lineStart {
      guard index < line.count, line[index] == byte else { return nil }
      index += 1
    }
    let start = index
    while index < line.count, line[index] != UInt8(ascii: "<") { index += 1 }
    return ISO8601.read(line.extracting(start..<index))?.instant
  }

  /// Returns the number in an element of the point itself, which precedes its extensions.
  ///
  /// - Parameter index: the start of the search; set to the position after the element if it is found.
  private static func number(_ name: StaticString, _ line: Span<UInt8>, _ index: inout Int) -> Double? {
    let tag = Array("<\(name)>".utf8)
    let extensions = Array("<Extensions>".utf8)
    var place = index
    while place < line.count {
      if line[place] == UInt8(ascii: "<") {
        if begins(extensions, line, at: place) { return nil }
        if begins(tag, line, at: place) {
          let start = place + tag.count
          var end = start
          while end < line.count, line[end] != UInt8(ascii: "<") { end += 1 }
          index = end
          return DecimalReading.read(line.extracting(start..<end))
        }
      }
      place += 1
    }
    return nil
  }

  private static func begins(_ text: [UInt8], _ line: Span<UInt8>, at place: Int) -> Bool {
    guard place + text.count <= line.count else { return false }
    for index in text.indices where line[place + index] != text[index] { return false }
    return true
  }
}
