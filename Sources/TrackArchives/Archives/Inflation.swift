import CZLib
import TrackFormats
import TrackModel

/// Decompresses gzip (RFC 1952) up to the byte at which it is damaged.
///
/// For damaged files only: libarchive is faster, but does not return the last 64 KiB before the damage.
@safe
struct Inflation: ~Copyable {
  private var input: ByteInput
  /// At a fixed address, which zlib stores.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isAtEnd: Bool

  /// The version of zlib that runs.
  static var version: String { unsafe String(cString: zlibVersion()) }

  private static let pieceSize = 1 << 15
  /// The largest window, and 16 for gzip.
  private static let windowBits: Int32 = 15 + 16

  init(_ input: consuming ByteInput) {
    self.input = input
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    isAtEnd =
      unsafe inflateInit2_(
        stream, Inflation.windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) != Z_OK
    // A file is known to be damaged: members after one with a wrong checksum are read as well.
    unsafe inflateValidate(stream, 0)
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Decompresses the next piece.
  ///
  /// - Returns: at least one byte, or none at the end or at the damage.
  mutating func next() -> ArraySlice<UInt8> {
    var piece = [UInt8](repeating: 0, count: Inflation.pieceSize)
    var filled = 0
    while !isAtEnd, filled < piece.count {
      let step = inflate(to: &piece, from: filled)
      input.consume(step.consumed)
      filled += step.produced
      switch step.status {
      case Z_OK, Z_BUF_ERROR:
        if step.consumed == 0, step.produced == 0 { isAtEnd = (try? input.fill()) != true }
      case Z_STREAM_END:
        // Another member may follow; anything else ends the file.
        isAtEnd = unsafe inflateReset(stream) != Z_OK
      default:
        isAtEnd = true
      }
    }
    return piece[..<filled]
  }

  private func inflate(
    to piece: inout [UInt8], from filled: Int
  ) -> (status: Int32, consumed: Int, produced: Int) {
    unsafe input.available.withUnsafeBufferPointer { available in
      unsafe piece.withUnsafeMutableBufferPointer { piece in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: available.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(available.count)
        unsafe stream.pointee.next_out = piece.baseAddress.map { unsafe $0 + filled }
        unsafe stream.pointee.avail_out = UInt32(piece.count - filled)
        let status = unsafe CZLib.inflate(stream, Z_NO_FLUSH)
        return unsafe (
          status, available.count - Int(stream.pointee.avail_in),
          piece.count - filled - Int(stream.pointee.avail_out)
        )
      }
    }
  }
}
