public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Identifiers of drives that follow from their content, so that importing a file twice gives the same drive.
public enum DriveIdentifier {
  /// A UUID of version 8 (RFC 9562, section 5.8) over start, duration and coordinates; the name does not
  /// count.
  ///
  /// Its 122 free bits are those of MurmurHash3 (x64, 128 bits, seed 0) over the start in microseconds since
  /// 1970 (the smallest integer where it is not known), the bits of the duration, both as eight bytes with
  /// the lowest first, and the blob. Tells accidents apart, not forgeries.
  public static func make(startTime: Instant?, duration: Double, coordinatesData: Data) -> UUID {
    var hash = MurmurHash3()
    hash.mix(
      UInt64(bitPattern: startTime?.microseconds ?? Instant.absent),
      // + 0 makes −0 a 0.
      (duration + 0).bitPattern)
    return identifier(hash.finish(coordinatesData.span))
  }

  /// The identifier of a copy of a drive that is kept beside it: a UUID like the others, with the hash over a
  /// text, the drive's identifier, the number of the copy and where it came from, with a blank between them.
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
