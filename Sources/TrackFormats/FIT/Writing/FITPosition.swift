import TrackModel

/// A position in semicircles.
struct FITPosition: Hashable {
  var latitude: Int32
  var longitude: Int32

  init(_ coordinate: Coordinate) {
    latitude = FITPosition.semicircles(coordinate.latitude)
    longitude = FITPosition.semicircles(coordinate.longitude)
  }

  /// Rounds degrees to semicircles. 180° becomes −180°, and the invalid value is avoided.
  private static func semicircles(_ degrees: Double) -> Int32 {
    let value = (degrees * (0x1p31 / 180)).rounded()
    guard abs(value) <= 0x1p31 else { return 0 }
    let number = Int32(truncatingIfNeeded: Int64(value))
    return number == .max ? .max - 1 : number
  }
}
