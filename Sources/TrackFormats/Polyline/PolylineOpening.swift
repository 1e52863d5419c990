import TrackModel

/// The start of a file, interpreted as encoded polylines.
///
/// Polylines have no signature, but few other texts decode: lower-case words never end a number, and each
/// pair must be a valid position. A text is recognised if all its lines decode completely to two or more
/// valid positions, and the first position is not near 0, 0, where short words are decoded to. The file
/// extension can replace the latter condition and determines the number of decimals.
struct PolylineOpening {
  private let bytes: ArraySlice<UInt8>
  /// Whether the file continues after the bytes.
  private let isCut: Bool
  /// The precision implied by the file extension.
  private let named: PolylinePrecision?

  init(_ bytes: [UInt8], isCut: Bool, name: String?) {
    self.bytes = bytes[...]
    self.isCut = isCut
    named =
      switch name.flatMap(FileName.fileExtension)?.lowercased() {
      case "polyline": .five
      case "polyline6": .six
      default: nil
      }
  }

  /// The precision with which the text decodes, or `nil` if it is not a polyline. Five decimals are tried
  /// first, because most positions with six decimals are then out of range.
  var precision: PolylinePrecision? {
    if let named, decodes(named) { return named }
    if let precision = [PolylinePrecision.five, .six].first(where: { decodes($0) }) { return precision }
    // A broken line among others, if the extension identifies the format.
    guard let named, lines.count > 1, lines.contains(where: { decodes($0, named, isCut: false) }) else {
      return nil
    }
    return named
  }

  private var lines: [ArraySlice<UInt8>] { bytes.split { $0 <= 0x20 } }

  private func decodes(_ precision: PolylinePrecision) -> Bool {
    let lines = lines
    for (index, line) in lines.enumerated() {
      let isLast = isCut && index == lines.count - 1
      guard decodes(line, precision, isCut: isLast) else { return false }
    }
    return !lines.isEmpty
  }

  private func decodes(_ line: ArraySlice<UInt8>, _ precision: PolylinePrecision, isCut: Bool) -> Bool {
    var bits: UInt64 = 0
    var shift: UInt64 = 0
    var place: [Int64] = [0, 0]
    var numbers = 0
    for (offset, byte) in line.enumerated() {
      guard (63...126).contains(byte), shift <= 45 else { return false }
      bits |= UInt64((byte - 63) & 31) << shift
      shift += 5
      guard byte < 95 else { continue }
      place[numbers & 1] &+= Int64(zigzag: bits)
      numbers += 1
      bits = 0
      shift = 0
      guard numbers & 1 == 0 else { continue }
      let coordinate = Coordinate(
        latitude: Double(place[0]) / precision.scale, longitude: Double(place[1]) / precision.scale)
      guard coordinate.isValid, numbers > 2 || precision == named || offset >= 4 else { return false }
    }
    return isCut || (shift == 0 && numbers & 1 == 0 && numbers >= (precision == named ? 2 : 4))
  }
}
