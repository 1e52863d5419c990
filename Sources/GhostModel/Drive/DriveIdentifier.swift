public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Derives the identifiers of drives from their content, so that importing a file twice yields the same
/// drive.
public enum DriveIdentifier {
  /// Returns a UUID of version 8 (RFC 9562, section 5.8), derived from start, duration and coordinates. The
  /// name is not included.
  ///
  /// Its 122 free bits are those of MurmurHash3 (x64, 128 bits, seed 0) over the start in microseconds since
  /// 1970 (the smallest integer if unknown) and the bits of the duration, both little-endian, followed by the
  /// blob. It does not protect against deliberate collisions.
  public static func make(startTime: Instant?, duration: Double, coordinatesData: Data) -> UUID {
    var hash = MurmurHash3()
    hash.mix(
      UInt64(bitPattern: startTime?.microseconds ?? Instant.absent),
      // + 0 makes −0 a 0.
      (duration + 0).bitPattern)
    return identifier(hash.finish(coordinatesData.span))
  }

  /// Returns the identifier of a kept copy of a drive: a UUID of the same kind, derived from a fixed text,
  /// the drive's identifier, the number of the copy and its source, separated by spaces.
  public static func copy(of id: UUID, from source: String, number: Int) -> UUID {
    var hash = MurmurHash3()
    return identifier(hash.finish(Array("\(id.uuidString) \(number) \(source)".utf8).span))
  }

  private static func identifier(_ hash: (low: UInt64, high: UInt64)) -> UUID {
    func byte(_ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (index < 8 ? hash.low : hash.high) >> UInt64(index % 8 * 8))
    }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6) & 0x0F | 0x80, byte(7),
        byte(8) & 0x3F | 0x80, byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
      ))
  }
}
