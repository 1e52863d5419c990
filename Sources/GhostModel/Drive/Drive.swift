public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A drive in the app: coordinates that are evenly spaced in time over a duration.
///
/// As a document (`Codable`, or ``DriveDocument``, which writes the same many times faster) it is a JSON
/// object:
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
/// `name` is followed by the optional strings `kind`, `notes` and `gear`, which the app ignores. Times are
/// ISO 8601 in UTC with a fraction if necessary, and missing or null if unknown. `coordinatesData` is the
/// blob of ``CoordinateBlob`` in Base64 (RFC 4648, with padding).
///
/// Drives are equal if their documents are equal. ``recorded`` is not part of a document.
public struct Drive: Sendable, Identifiable {
  /// The identifier. By default, a UUID derived from the content; see ``DriveIdentifier``.
  public var id: UUID
  /// The drive's name.
  public var name: String
  /// The start of the drive, or `nil` if the recording has no times.
  public var startTime: Instant?
  /// The end of the drive, or `nil` if the recording has no times.
  public var endTime: Instant?
  /// The duration in seconds, not negative. It can be less than the time between start and end if pauses are
  /// excluded.
  public var duration: Double
  /// The distance in miles of 1609.344 m, as the app stores it.
  public var distance: Double
  /// The latitude of each point in degrees, in driving order.
  public private(set) var latitudes: [Double]
  /// The longitude of each point in degrees, in driving order.
  public private(set) var longitudes: [Double]
  /// The coordinates in driving order, as ``CoordinateBlob`` encodes them.
  public private(set) var coordinatesData: Data
  /// The recorded points with their exact times, or `nil` if the recording had no times or they were not
  /// requested (``ImportOptions/keepsTimes``).
  public var recorded: TimedDrive?
  /// The kind of activity, as named in its source. The app ignores it.
  public var kind: String?
  /// The driver's notes.
  public var notes: String?
  /// The vehicle or other equipment.
  public var gear: String?

  /// Creates a drive from an encoded blob, which is decoded once.
  ///
  /// - Parameters:
  ///   - id: the identifier, or `nil` to derive it from the content (``DriveIdentifier``).
  ///   - name: the name of the drive.
  ///   - startTime: the time of the first point, or `nil` if unknown.
  ///   - endTime: the time of the last point, or `nil` if unknown.
  ///   - duration: the duration in seconds.
  ///   - distance: the distance in miles.
  ///   - coordinatesData: the coordinates as encoded by ``CoordinateBlob``.
  /// - Throws: if the data is not a valid blob; see ``CoordinateBlob/decode(_:)-(Data)``.
  public init(
    id: UUID? = nil, name: String, startTime: Instant?, endTime: Instant?, duration: Double, distance: Double,
    coordinatesData: Data
  ) throws(TrackError) {
    let columns = try CoordinateBlob.columns(coordinatesData.span)
    self.init(
      id: id, name: name, startTime: startTime, endTime: endTime, duration: duration, distance: distance,
      latitudes: columns.latitudes, longitudes: columns.longitudes, coordinatesData: coordinatesData)
  }

  /// Creates a drive from coordinates, which are encoded once.
  ///
  /// - Parameters:
  ///   - id: the identifier, or `nil` to derive it from the content (``DriveIdentifier``).
  ///   - name: the name of the drive.
  ///   - startTime: the time of the first point, or `nil` if unknown.
  ///   - endTime: the time of the last point, or `nil` if unknown.
  ///   - duration: the duration in seconds.
  ///   - distance: the distance in miles.
  ///   - coordinates: valid coordinates in driving order.
  public init(
    id: UUID? = nil, name: String, startTime: Instant?, endTime: Instant?, duration: Double, distance: Double,
    coordinates: some Collection<Coordinate>
  ) {
    self.init(
      id: id, name: name, startTime: startTime, endTime: endTime, duration: duration, distance: distance,
      latitudes: coordinates.map(\.latitude), longitudes: coordinates.map(\.longitude))
  }

  /// Creates a drive from two columns of equal length.
  ///
  /// - Parameters:
  ///   - latitudes: degrees within -90...90.
  ///   - longitudes: degrees within -180...180.
  init(
    id: UUID? = nil, name: String, startTime: Instant?, endTime: Instant?, duration: Double, distance: Double,
    latitudes: [Double], longitudes: [Double]
  ) {
    self.init(
      id: id, name: name, startTime: startTime, endTime: endTime, duration: duration, distance: distance,
      latitudes: latitudes, longitudes: longitudes,
      coordinatesData: CoordinateBlob.encode(latitudes: latitudes, longitudes: longitudes))
  }

  /// - Parameter coordinatesData: the blob of the columns.
  private init(
    id: UUID?, name: String, startTime: Instant?, endTime: Instant?, duration: Double, distance: Double,
    latitudes: [Double], longitudes: [Double], coordinatesData: Data
  ) {
    self.id =
      id
      ?? DriveIdentifier.make(startTime: startTime, duration: duration, coordinatesData: coordinatesData)
    self.name = name
    self.startTime = startTime
    self.endTime = endTime
    self.duration = duration
    self.distance = distance
    self.latitudes = latitudes
    self.longitudes = longitudes
    self.coordinatesData = coordinatesData
  }

  /// Replaces the values that the identifier is derived from, except the coordinates.
  func with(startTime: Instant?, endTime: Instant?, duration: Double, distance: Double) -> Drive {
    var result = self
    result.startTime = startTime
    result.endTime = endTime
    result.duration = duration
    result.distance = distance
    result.id = DriveIdentifier.make(
      startTime: startTime, duration: duration, coordinatesData: coordinatesData)
    return result
  }

  /// Removes the coordinates and keeps everything else including the identifier.
  package mutating func removeCoordinates() {
    latitudes = []
    longitudes = []
    coordinatesData = Data()
    recorded = nil
  }

  /// The number of points.
  public var count: Int { latitudes.count }

  /// The coordinates in driving order.
  ///
  /// - Complexity: O(*n*)
  public var coordinates: [Coordinate] {
    // A blob has no negative zero.
    zip(latitudes, longitudes).map { Coordinate(latitude: $0 + 0, longitude: $1 + 0) }
  }

  /// The distance in miles of 1609.344 m.
  public var distanceInMiles: Double { distance }
  /// The distance in metres.
  public var distanceInMeters: Double { distance * Geodesy.metresPerMile }
  /// The duration in seconds.
  public var durationInSeconds: Double { duration }
  /// The mean speed in metres per second, or 0 without a duration.
  public var speedInMetersPerSecond: Double { duration > 0 ? distanceInMeters / duration : 0 }

  /// The approximate memory of the drive in bytes.
  public var cost: Int {
    256 + coordinatesData.count + (latitudes.count + longitudes.count) * MemoryLayout<Double>.stride
      + (recorded.map { $0.count * 3 * MemoryLayout<Double>.stride } ?? 0)
  }
}

extension Drive: Hashable {
  // The columns are determined by the blob.
  /// Returns whether two drives are equal in all properties except ``recorded``.
  public static func == (left: Drive, right: Drive) -> Bool {
    left.id == right.id && left.name == right.name && left.startTime == right.startTime
      && left.endTime == right.endTime && left.duration == right.duration && left.distance == right.distance
      && left.coordinatesData == right.coordinatesData && left.kind == right.kind
      && left.notes == right.notes && left.gear == right.gear
  }

  /// Hashes the properties that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(duration)
  }
}

extension Drive: Codable {
  /// Parses an ISO 8601 time with a zone.
  private static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard let reading = ISO8601.read(bytes.span), reading.hasZone else { return nil }
    return reading.instant
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, kind, notes, gear, startTime, endTime, duration, distance, coordinatesData
  }

  /// Decodes a drive document. Times and data are strings regardless of the decoder's strategies.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func corrupted(_ key: CodingKeys, _ expectation: String) -> DecodingError {
      DecodingError.dataCorruptedError(
        forKey: key, in: container, debugDescription: "Expected \(expectation).")
    }
    func time(_ key: CodingKeys) throws -> Instant? {
      guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
      guard let instant = Self.instant(text) else {
        throw corrupted(key, "an ISO 8601 time with a zone")
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
    do throws(TrackError) {
      let columns = try CoordinateBlob.columns(coordinatesData.span)
      latitudes = columns.latitudes
      longitudes = columns.longitudes
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath + [CodingKeys.coordinatesData],
          debugDescription: error.description, underlyingError: error))
    }
    self.id = id
    self.coordinatesData = coordinatesData
    name = try container.decode(String.self, forKey: .name)
    startTime = try time(.startTime)
    endTime = try time(.endTime)
    duration = try container.decode(Double.self, forKey: .duration)
    distance = try container.decode(Double.self, forKey: .distance)
    kind = try container.decodeIfPresent(String.self, forKey: .kind)
    notes = try container.decodeIfPresent(String.self, forKey: .notes)
    gear = try container.decodeIfPresent(String.self, forKey: .gear)
    guard (0...ImportOptions.longestDuration).contains(duration) else {
      throw corrupted(.duration, "a duration of 0 to \(Int(ImportOptions.longestDuration)) s")
    }
    guard distance >= 0, distance.isFinite else { throw corrupted(.distance, "a non-negative distance") }
  }

  /// Encodes a drive document. Times and data are strings regardless of the encoder's strategies.
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

extension Drive {
  /// Checks the duration, the distance and the coordinates of a drive that may not come from a file.
  ///
  /// - Throws: `invalidValue`.
  package func check() throws(TrackError) {
    guard duration >= 0, duration <= ImportOptions.longestDuration else {
      throw TrackError(.invalidValue, "invalid duration of the drive", offendingText: "\(duration)")
    }
    guard distance >= 0, distance.isFinite else {
      throw TrackError(.invalidValue, "invalid distance of the drive", offendingText: "\(distance)")
    }
    for index in 0..<count
    where !Coordinate(latitude: latitudes[index], longitude: longitudes[index]).isValid {
      throw TrackError(
        .invalidValue, "coordinate \(index + 1) of the drive out of range",
        offendingText: "\(latitudes[index]), \(longitudes[index])")
    }
  }
}
