import TrackModel

/// A text in a film, such as a subtitle, in which dashcams store positions.
enum CameraText {
  /// A fix of Garmin, which is not text: `PNDM`, miles per hour and a position in fractions of half a turn.
  case fix(CameraFix)
  /// Garmin's receiver has no fix.
  case lost
  /// Sentences of NMEA 0183 with a line end after each, or empty.
  case sentences([UInt8])

  /// The bytes of a text that are read.
  static let length = 1 << 12

  /// Whether the text can have positions.
  var isUseful: Bool {
    switch self {
    case .fix, .lost: true
    case .sentences(let text): !text.isEmpty
    }
  }

  /// - Parameter bytes: the sample of the film.
  init(_ bytes: Span<UInt8>) {
    // A length of two or four bytes can precede the text.
    for start in [0, 2, 4] where bytes.count >= start + 20 {
      guard bytes.extracting(start..<bytes.count).starts(with: "PNDM") else { continue }
      if let coordinate = CameraRecords.halfTurns(bytes, start + 12) {
        self = .fix(CameraFix(coordinate: coordinate, speed: Double(bytes.number(start + 8, 2)) * 0.44704))
      } else {
        self = .lost
      }
      return
    }
    self = .sentences(CameraText.sentences(bytes))
  }

  /// Returns the sentences RMC and GGA, which may lack their first character.
  private static func sentences(_ bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = 2
    while index + 4 <= bytes.count {
      let rest = bytes.extracting(index..<bytes.count)
      guard rest[3] == UInt8(ascii: ","), rest.starts(with: "RMC") || rest.starts(with: "GGA"),
        (0x41...0x5A).contains(bytes[index - 2]), (0x41...0x5A).contains(bytes[index - 1])
      else {
        index += 1
        continue
      }
      var end = index
      while end < bytes.count, (0x20..<0x7F).contains(bytes[end]), bytes[end] != UInt8(ascii: ";") {
        end += 1
      }
      result.append(UInt8(ascii: "$"))
      result += bytes.extracting((index - 2)..<end).array
      result.append(0x0A)
      index = end + 2
    }
    return result
  }
}
