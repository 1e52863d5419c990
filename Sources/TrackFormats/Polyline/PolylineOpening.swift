import TrackModel

/// The first bytes of a file, taken as encoded polylines.
///
/// Nothing in a polyline says what it is, but hardly any other text decodes: lower-case words never end a
/// number, and what ends must be a place on Earth. So a text counts as polylines where all its lines decode
/// to their ends, to two valid places or more, of which the first is not next to 0, 0, as that of a short
/// word would be. A file name that promises polylines stands in for the latter, and for the number of
/// decimals.
struct PolylineOpening {
  private let bytes: ArraySlice<UInt8>
  /// Whether the file goes on behind the bytes.
  private let isCut: Bool
  /// The precision that the file name promises.
  private let named: PolylinePrecision?

  init(_ bytes: [UInt8], isCut: Bool, name: String?) {
    self.bytes = bytes[...]
    self.isCut = isCut
    let name = name?.lowercased() ?? ""
    named = name.hasSuffix(".polyline") ? .five : name.hasSuffix(".polyline6") ? .six : nil
  }

  /// The precision with which the text decodes; nil for what is no polyline. Five decimals come first, as
  /// with them most places of six lie outside the Earth.
  var precision: PolylinePrecision? {
    if let named, decodes(named) { return named }
    if let precision = [PolylinePrecision.five, .six].first(where: { decodes($0) }) { return precision }
    // A broken line among others, where the name says what they are.
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
      place[numbers & 1] &+= Int64(bits >> 1) ^ -Int64(bits & 1)
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
