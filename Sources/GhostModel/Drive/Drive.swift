public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive as the app keeps it: coordinates that are evenly spread over a duration.
///
/// As a document (`Codable`, or ``DriveDocument`` for the same many times faster) it is a JSON object:
///
/// ```json
/// {
///   "id": "5C2A3E0B-8D1F-8A47-9B61-0E6F2D9C4A35",
///   "name": "Morning commute",
///   "startTime": "2024-05-01T06:12:09Z",
///   "endTime": "2024-05-01T06:36:39.500Z",
///   "duration": 1470.5,
///   "distance": 11.3,
///   "coordinatesData": "W3sibGF0Ijo0Ni41LCJsb24iOjcuNX0seyJsYXQiOjQ2LjYsImxvbiI6Ny42fV0="
/// }
/// ```
///
/// Behind `name` may stand `kind`, `notes` and `gear`, where they are known: texts that the app passes over.
/// Times are ISO 8601 in UTC, with a fraction only where there is one, and are left out (or null) where they
/// are not known. `coordinatesData` is the blob of ``CoordinateBlob`` in base64 (RFC 4648, with padding).
public struct Drive: Sendable, Hashable, Identifiable {
  /// Made from the content by ``init(name:startTime:endTime:duration:distance:coordinatesData:)``.
  public var id: UUID
  public var name: String
  /// When the drive began; nil where the recording has no times.
  public var startTime: Instant?
  /// When the drive ended; nil where the recording has no times.
  public var endTime: Instant?
  /// Seconds, not negative. Not always the time between start and end: pauses may be left out.
  public var duration: Double
  /// Miles of 1609.344 m.
  public var distance: Double
  /// The coordinates in driving order, as ``CoordinateBlob`` encodes them.
  public var coordinatesData: Data { didSet { decoded = DecodedCoordinates() } }
  /// The columns that ``coordinatesData`` was encoded from.
  private var decoded = DecodedCoordinates()
  /// The kind of activity, in the words of where it comes from; the app does not look at it.
  public var kind: String?
  /// What the driver wrote about it.
  public var notes: String?
  /// The vehicle, or what else was used.
  public var gear: String?

  public init(
    id: UUID, name: String, startTime: Instant?, endTime: Instant?, duration: Double, distance: Double,
    coordinatesData: Data
  ) {
    self.id = id
    self.name = name
    self.startTime = startTime
    self.endTime = endTime
    self.duration = duration
    self.distance = distance
    self.coordinatesData = coordinatesData
  }

  /// Makes a drive whose id follows from its content (``DriveIdentifier``): the same content, the same id.
  public init(
    name: String, startTime: Instant?, endTime: Instant?, duration: Double, distance: Double,
    coordinatesData: Data
  ) {
    self.init(
      id: DriveIdentifier.make(startTime: startTime, duration: duration, coordinatesData: coordinatesData),
      name: name, startTime: startTime, endTime: endTime, duration: duration, distance: distance,
      coordinatesData: coordinatesData)
  }

  /// Makes a drive of two columns of equal length, which it keeps: ``coordinates`` then need no decoding.
  ///
  /// - Parameters:
  ///   - latitudes: degrees within -90...90.
  ///   - longitudes: degrees within -180...180.
  init(
    name: String, startTime: Instant?, endTime: Instant?, duration: Double, distance: Double,
    latitudes: [Double], longitudes: [Double]
  ) {
    self.init(
      name: name, startTime: startTime, endTime: endTime, duration: duration, distance: distance,
      coordinatesData: CoordinateBlob.encode(latitudes: latitudes, longitudes: longitudes))
    decoded = DecodedCoordinates(latitudes: latitudes, longitudes: longitudes)
  }

  /// Replaces what the id follows from, except for the coordinates.
  func with(startTime: Instant?, endTime: Instant?, duration: Double, distance: Double) -> Drive {
    var result = Drive(
      name: name, startTime: startTime, endTime: endTime, duration: duration, distance: distance,
      coordinatesData: coordinatesData)
    result.decoded = decoded
    return result
  }

  /// Metres in a mile.
  public static let metresPerMile = 1609.344

  /// The coordinates in driving order, O(n). Drives that an import has made hold them; those of other drives
  /// are decoded with each call.
  ///
  /// - Throws: if ``coordinatesData`` is not a blob; see ``CoordinateBlob/decode(_:)-(Data)``.
  public var coordinates: [Coordinate] {
    get throws(TrackError) {
      if let coordinates = decoded.coordinates { return coordinates }
      return try CoordinateBlob.decode(coordinatesData)
    }
  }

  /// The bytes that the drive holds, approximately.
  public var cost: Int { 256 + coordinatesData.count + decoded.cost }
}

/// The columns that a drive's blob was encoded from, if they are known. They follow from the blob and are
/// ignored in comparisons.
private struct DecodedCoordinates: Sendable, Hashable {
  var latitudes: [Double] = []
  var longitudes: [Double] = []

  /// Nil if they are not known.
  var coordinates: [Coordinate]? {
    guard !latitudes.isEmpty else { return nil }
    // A blob has no minus zero.
    return zip(latitudes, longitudes).map { Coordinate(latitude: $0 + 0, longitude: $1 + 0) }
  }

  var cost: Int { (latitudes.count + longitudes.count) * MemoryLayout<Double>.stride }

  static func == (_: Self, _: Self) -> Bool { true }
  func hash(into _: inout Hasher) {}
}

extension Drive: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, kind, notes, gear, startTime, endTime, duration, distance, coordinatesData
  }

  /// Reads the keys of a drive document; times and data are strings whatever the strategies of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func corrupted(_ key: CodingKeys, _ expectation: String) -> DecodingError {
      DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "Expected \(expectation).")
    }
    func time(_ key: CodingKeys) throws -> Instant? {
      guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
      guard let instant = DriveDocument.instant(text) else {
        throw corrupted(key, "an ISO 8601 time with its zone")
      }
      return instant
    }
    guard let id = UUID(uuidString: try container.decode(String.self, forKey: .id)) else {
      throw corrupted(.id, "a UUID")
    }
    let base64 = Array(try container.decode(String.self, forKey: .coordinatesData).utf8)
    guard let coordinatesData = Base64.decode(base64.span).map({ Data($0) }) else {
      throw corrupted(.coordinatesData, "base64")
    }
    self.init(
      id: id, name: try container.decode(String.self, forKey: .name), startTime: try time(.startTime),
      endTime: try time(.endTime), duration: try container.decode(Double.self, forKey: .duration),
      distance: try container.decode(Double.self, forKey: .distance), coordinatesData: coordinatesData)
    kind = try container.decodeIfPresent(String.self, forKey: .kind)
    notes = try container.decodeIfPresent(String.self, forKey: .notes)
    gear = try container.decodeIfPresent(String.self, forKey: .gear)
    guard duration >= 0 else { throw corrupted(.duration, "a duration that is not negative") }
    guard distance >= 0 else { throw corrupted(.distance, "a distance that is not negative") }
  }

  /// Writes the keys of a drive document; times and data are strings whatever the strategies of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.uuidString, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(kind, forKey: .kind)
    try container.encodeIfPresent(notes, forKey: .notes)
    try container.encodeIfPresent(gear, forKey: .gear)
    try container.encodeIfPresent(startTime?.description, forKey: .startTime)
    try container.encodeIfPresent(endTime?.description, forKey: .endTime)
    try container.encode(duration, forKey: .duration)
    try container.encode(distance, forKey: .distance)
    try container.encode(
      String(decoding: Base64.encode(coordinatesData.span), as: UTF8.self), forKey: .coordinatesData)
  }
}
