import TrackModel

/// A sample of a track of camera motion (`camm`), as cameras for panoramas write it. Source: Google's "Camera
/// Motion Metadata Spec". Numbers are little-endian.
enum MotionSample {
  case fix(CameraFix)
  /// The receiver has no fix.
  case lost
  /// Values of other sensors.
  case other

  /// The minimum and maximum size of a sample with a position, in bytes.
  static let sizes = 28...64

  /// - Parameters:
  ///   - bytes: the sample.
  ///   - creation: the time of the film in microseconds since 1970, if it has one.
  init(_ bytes: Span<UInt8>, creation: Int64?) {
    self = .other
    func double(_ offset: Int) -> Double {
      Double(
        bitPattern: UInt64(bytes.littleEndian(offset)) | UInt64(bytes.littleEndian(offset + 4)) << 32)
    }
    func float(_ offset: Int) -> Double { Double(Float(bitPattern: bytes.littleEndian(offset))) }
    guard bytes.count >= 28, bytes[3] == 0 else { return }
    switch bytes[2] {
    case 5:
      let fix = CameraFix(
        coordinate: Coordinate(latitude: double(4), longitude: double(12)), elevation: double(20))
      self = fix.coordinate.isValid ? .fix(fix) : .lost
    case 6 where bytes.count >= 60:
      var fix = CameraFix(
        coordinate: Coordinate(latitude: double(16), longitude: double(24)), elevation: float(32))
      guard bytes.littleEndian(12) != 0, fix.coordinate.isValid else {
        self = .lost
        return
      }
      fix.dimensions = bytes.littleEndian(12) == 2 ? 2 : 3
      fix.time = MotionSample.time(double(4), creation) ?? Instant.absent
      let (east, north) = (float(44), float(48))
      fix.speed = (east * east + north * north).squareRoot()
      if fix.speed > 0 { fix.course = Geodesy.bearing(east: east, north: north) }
      self = .fix(fix)
    default: break
    }
  }

  /// Returns the time for seconds of GPS time. Some cameras write seconds since 1970, which are then closer
  /// to the time of the film.
  private static func time(_ seconds: Double, _ creation: Int64?) -> Int64? {
    guard seconds > 0, seconds < 4e9 else { return nil }
    let microseconds = Instant.microseconds(inSeconds: seconds)
    let time = GPSTime.utc(microseconds)
    if let creation = creation.map(Double.init),
      abs(Double(microseconds) - creation) < abs(Double(time) - creation)
    {
      return microseconds
    }
    return time
  }
}
