import CZLib
import TrackFormats
import TrackModel

/// Decompresses gzip (RFC 1952) up to the byte at which it is damaged, and checks its checksums.
///
/// libarchive ignores the checksums and everything after a damaged header, and does not return the last
/// 64 KiB before damage.
@safe
final class GzipStream: ByteStream {
  private var input: ByteInput
  /// Receives wrong checksums and the bytes after the end; `nil` if they are not checked.
  private let damage: CompressionDamage?
  /// The limits on the decompressed size, or `nil` if the caller checks them.
  private let budget: ArchiveBudget?
  /// At a fixed address, which zlib stores.
  private let stream: UnsafeMutablePointer<z_stream>
  private var state = State.beforeMember
  private var isFirstMember = true
  private var error: TrackError?
  private var size = 0
  /// The checksum of the current member, and its size modulo 2³².
  private var checksum: UInt = 0
  private var memberSize: UInt32 = 0

  private enum State { case beforeMember, inMember, afterMember, damaged, ended }

  /// The version of zlib that runs.
  static var version: String { unsafe String(cString: zlibVersion()) }

  /// The start of a file, with the only method that is defined.
  static let signature: [UInt8] = [0x1F, 0x8B, 8]

  /// Whether bytes start like a gzip file.
  static func isStart(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= signature.count && signature.indices.allSatisfy { bytes[$0] == signature[$0] }
  }

  /// The CRC-32 of bytes.
  static func checksum(of bytes: Span<UInt8>) -> UInt {
    unsafe bytes.withUnsafeBufferPointer { unsafe crc32(0, $0.baseAddress, UInt32($0.count)) }
  }

  /// The largest window; negative for data without headers, which are read here.
  private static let windowBits: Int32 = -15

  init(
    _ input: consuming ByteInput, _ damage: CompressionDamage?, _ budget: ArchiveBudget? = nil
  ) throws(TrackError) {
    self.input = input
    self.damage = damage
    self.budget = budget
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    guard
      unsafe inflateInit2_(
        stream, GzipStream.windowBits, zlibVersion(), Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw ArchiveReader.outOfMemory }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Reads decompressed bytes.
  ///
  /// - Throws: ``TrackError/Code/truncated`` or `.malformed` after all bytes before the damage,
  ///   `.limitExceeded` if it exceeds the limits, or errors of the input.
  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    var filled = 0
    while filled < count, state != .ended {
      do throws(TrackError) {
        switch state {
        case .beforeMember: try beginMember()
        case .inMember: try unsafe filled += inflate(to: start + filled, count: count - filled)
        case .afterMember: try endMember()
        case .damaged: throw GzipStream.damaged
        case .ended: break
        }
      } catch {
        self.error = error
        state = .ended
      }
    }
    if filled == 0, let error { throw error }
    size += filled
    try budget?.spend(filled, entrySize: size, packedSize: input.offset)
    return filled
  }

  private func inflate(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    unsafe stream.pointee.next_out = start
    unsafe stream.pointee.avail_out = UInt32(count)
    let (status, consumed) = unsafe GzipStream.inflate(input.available, with: stream)
    input.consume(consumed)
    let produced = unsafe count - Int(stream.pointee.avail_out)
    if damage != nil { checksum = unsafe crc32(checksum, start, UInt32(produced)) }
    memberSize &+= UInt32(produced)
    switch status {
    case Z_OK, Z_BUF_ERROR:
      // zlib can have bytes left without input, if they did not fit before.
      if consumed == 0, produced == 0, try !input.fill() { throw GzipStream.truncated }
    case Z_STREAM_END: state = .afterMember
    default: state = .damaged
    }
    return produced
  }

  private static func inflate(
    _ bytes: Span<UInt8>, with stream: UnsafeMutablePointer<z_stream>
  ) -> (status: Int32, consumed: Int) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(bytes.count)
      let status = unsafe CZLib.inflate(stream, Z_NO_FLUSH)
      return unsafe (status, bytes.count - Int(stream.pointee.avail_in))
    }
  }

  // MARK: Members

  /// Reads the header of the next member, or ends at other content.
  private func beginMember() throws(TrackError) {
    // Files on tapes and in blocks of a fixed size are padded with zeros.
    while !isFirstMember, try hasMore(), input.available[0] == 0 { input.consume(1) }
    let start = input.offset
    if !isFirstMember, try !hasMore() {
      state = .ended
      return
    }
    guard try readHeader() else {
      if isFirstMember { throw GzipStream.damaged }
      repeat { input.consumeAll() } while try input.fill()
      let count = input.offset - start
      damage?.warn(
        .trailingContent, "\(count) byte\(count == 1 ? "" : "s") after the compressed data, ignored")
      state = .ended
      return
    }
    isFirstMember = false
    checksum = 0
    memberSize = 0
    unsafe inflateReset(stream)
    state = .inMember
  }

  /// Reads a header (RFC 1952, 2.3).
  ///
  /// - Returns: whether it is valid.
  private func readHeader() throws(TrackError) -> Bool {
    for byte in GzipStream.signature { guard try nextByte() == byte else { return false } }
    let flags = try nextByte()
    guard flags & 0xE0 == 0 else { return false }
    // A time, the level of compression and the system.
    _ = try number(6)
    if flags & 4 != 0 { for _ in 0..<(try number(2)) { _ = try nextByte() } }
    // A name and a comment, each with a zero at its end.
    if flags & 8 != 0 { while try nextByte() != 0 {} }
    if flags & 16 != 0 { while try nextByte() != 0 {} }
    if flags & 2 != 0 { _ = try number(2) }
    return true
  }

  /// Compares the checksum and the size after a member with those of its content.
  private func endMember() throws(TrackError) {
    let hasChecksum = try number(4) == checksum
    let hasSize = try number(4) == memberSize
    if !hasChecksum {
      damage?.warn(.wrongChecksum, "wrong checksum of the compressed data; some data may be wrong")
    } else if !hasSize {
      damage?.warn(.wrongSize, "wrong size of the compressed data; some data may be missing")
    }
    state = .beforeMember
  }

  private func hasMore() throws(TrackError) -> Bool {
    guard input.available.isEmpty else { return true }
    return try input.fill()
  }

  private func nextByte() throws(TrackError) -> UInt8 {
    guard try hasMore() else { throw GzipStream.truncated }
    let byte = input.available[0]
    input.consume(1)
    return byte
  }

  /// Reads a little-endian number.
  private func number(_ count: Int) throws(TrackError) -> UInt {
    var value: UInt = 0
    for index in 0..<count { value |= UInt(try nextByte()) << (8 * UInt(index)) }
    return value
  }

  private static var damaged: TrackError { TrackError(.malformed, "the compressed file is damaged") }
  private static var truncated: TrackError { TrackError(.truncated, "the compressed file is truncated") }
}
