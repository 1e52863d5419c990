public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The app's encoding of a drive's coordinates: JSON of the form `[{"lat":46.5,"lon":7.5},…]`.
///
/// The coordinates are in driving order. The app spreads the duration of the drive evenly over them.
public enum CoordinateBlob {
  /// Encodes coordinates in compact form, with the fewest digits that round-trip and without exponents.
  ///
  /// - Parameter coordinates: valid coordinates. Non-finite numbers and negative zero become 0.
  public static func encode(_ coordinates: some Collection<Coordinate>) -> Data {
    var encoder = Encoder(count: coordinates.count)
    for coordinate in coordinates { encoder.append(coordinate.latitude, coordinate.longitude) }
    return encoder.finish()
  }

  /// Encodes two columns of equal length.
  static func encode(latitudes: [Double], longitudes: [Double]) -> Data {
    let latitudes = latitudes.span
    let longitudes = longitudes.span
    let count = min(latitudes.count, longitudes.count)
    var encoder = Encoder(count: count)
    for row in 0..<count { encoder.append(latitudes[row], longitudes[row]) }
    return encoder.finish()
  }

  private struct Encoder: ~Copyable {
    private var buffer: ByteBuffer
    private var latitudes = CoordinateWriter(after: "},{\"lat\":")
    private var longitudes = CoordinateWriter(after: ",\"lon\":")
    private var isEmpty = true

    init(count: Int) {
      // The longest coordinate, and what a writer reserves, so that the buffer never grows. Memory that is
      // not written is not provided.
      buffer = ByteBuffer(capacity: count * 56 + 32)
      buffer.append(UInt8(ascii: "["))
    }

    mutating func append(_ latitude: Double, _ longitude: Double) {
      if isEmpty {
        buffer.append("{\"lat\":")
        buffer.append(decimal: latitude)
        isEmpty = false
      } else {
        latitudes.append(latitude, to: &buffer)
      }
      longitudes.append(longitude, to: &buffer)
    }

    consuming func finish() -> Data {
      buffer.append(isEmpty ? "]" : "}]")
      return buffer.data()
    }
  }

  /// Decodes a blob: JSON, an array of objects with the numbers `lat` and `lon`.
  ///
  /// Keys can be in any order and contain escapes, whitespace is allowed anywhere, and numbers can have
  /// exponents. Other keys are skipped. If a key occurs several times, the last value is used. A comma before
  /// a closing mark is accepted, because the app reads it too; everything else is strict JSON.
  ///
  /// - Throws: `TrackError` with the byte offset: `malformed` for invalid JSON, `truncated` if it ends
  ///   early, `invalidValue` for a position out of range, `limitExceeded` for values nested more than 512
  ///   deep.
  public static func decode(_ data: Data) throws(TrackError) -> [Coordinate] { try decode(data.span) }

  /// Decodes a blob; see ``decode(_:)-(Data)``.
  public static func decode(_ bytes: [UInt8]) throws(TrackError) -> [Coordinate] { try decode(bytes.span) }

  /// Decodes a blob; see ``decode(_:)-(Data)``.
  public static func decode(_ bytes: Span<UInt8>) throws(TrackError) -> [Coordinate] {
    var coordinates: [Coordinate] = []
    coordinates.reserveCapacity(expectedCount(bytes))
    try forEach(in: bytes) { coordinates.append($0) }
    return coordinates
  }

  /// Decodes a blob to columns of equal length; see ``decode(_:)-(Data)``.
  static func columns(
    _ bytes: Span<UInt8>
  ) throws(TrackError) -> (latitudes: [Double], longitudes: [Double]) {
    var latitudes: [Double] = []
    var longitudes: [Double] = []
    latitudes.reserveCapacity(expectedCount(bytes))
    longitudes.reserveCapacity(expectedCount(bytes))
    try forEach(in: bytes) {
      latitudes.append($0.latitude)
      longitudes.append($0.longitude)
    }
    return (latitudes, longitudes)
  }

  /// Estimates the number of coordinates from the length.
  private static func expectedCount(_ bytes: Span<UInt8>) -> Int { bytes.count / 40 + 1 }

  @inline(__always)
  private static func forEach(
    in bytes: Span<UInt8>, _ body: (Coordinate) -> Void
  ) throws(TrackError) {
    var scanner = JSONScanner(bytes)
    try scanner.expect(UInt8(ascii: "["), "[ at the start of the coordinates")
    scanner.skipBlanks()
    if !scanner.take(UInt8(ascii: "]")) {
      repeat {
        body(try coordinate(&scanner))
      } while try scanner.hasElement(before: UInt8(ascii: "]"), "a comma or ]")
    }
    try scanner.expectEnd()
  }

  private static func coordinate(_ scanner: inout JSONScanner) throws(TrackError) -> Coordinate {
    try scanner.expect(UInt8(ascii: "{"), "{ at the start of a coordinate")
    let start = scanner.index - 1
    // NaN marks a missing value, because JSON cannot contain it.
    var result = Coordinate(latitude: .nan, longitude: .nan)
    scanner.skipBlanks()
    if !scanner.take(UInt8(ascii: "}")) {
      repeat {
        let key = try key(&scanner)
        try scanner.expect(UInt8(ascii: ":"), "a colon")
        scanner.skipBlanks()
        switch key {
        case .latitude: result.latitude = try degrees(&scanner, limit: 90)
        case .longitude: result.longitude = try degrees(&scanner, limit: 180)
        case .other: try scanner.skipValue(depth: 2)
        }
      } while try scanner.hasElement(before: UInt8(ascii: "}"), "a comma or }")
    }
    guard !result.latitude.isNaN, !result.longitude.isNaN else {
      let missing = result.latitude.isNaN ? "lat" : "lon"
      throw TrackError(
        .malformed, "coordinate without \"\(missing)\"", place: InputLocation(byteOffset: start),
        suggestion: .text("each coordinate needs both \"lat\" and \"lon\""))
    }
    return result
  }

  private enum Key { case latitude, longitude, other }

  @inline(__always)
  private static func key(_ scanner: inout JSONScanner) throws(TrackError) -> Key {
    let (content, hasEscapes) = try scanner.rangeOfString()
    if !hasEscapes {
      guard content.count == 3, scanner.bytes[content.lowerBound] == UInt8(ascii: "l") else { return .other }
      switch (scanner.bytes[content.lowerBound + 1], scanner.bytes[content.lowerBound + 2]) {
      case (UInt8(ascii: "a"), UInt8(ascii: "t")): return .latitude
      case (UInt8(ascii: "o"), UInt8(ascii: "n")): return .longitude
      default: return .other
      }
    }
    switch String(decoding: scanner.unescaped(content), as: UTF8.self) {
    case "lat": return .latitude
    case "lon": return .longitude
    default: return .other
    }
  }

  @inline(__always)
  private static func degrees(_ scanner: inout JSONScanner, limit: Double) throws(TrackError) -> Double {
    let start = scanner.index
    let value = try scanner.number()
    guard abs(value) <= limit else {
      let kind = limit == 90 ? "latitude" : "longitude"
      throw TrackError(
        .invalidValue, "expected a \(kind) within -\(Int(limit))...\(Int(limit))",
        place: InputLocation(byteOffset: start), offendingText: scanner.text(from: start))
    }
    return value
  }
}
