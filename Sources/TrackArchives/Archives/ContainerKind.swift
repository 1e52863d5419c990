/// The kind of a container or compressed file, detected from its first bytes.
enum ContainerKind {
  case zip, sevenZIP, tar
  /// Compression of a single file, which can be a tar archive.
  case compressed

  /// The number of bytes needed for detection.
  static let length = 512

  /// Detects the kind, or returns `nil` for other files.
  ///
  /// - Parameter bytes: the start of a file.
  init?(_ bytes: Span<UInt8>) {
    func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
      guard bytes.count >= offset + signature.count else { return false }
      for index in signature.indices where bytes[offset + index] != signature[index] { return false }
      return true
    }
    // APPNOTE 4.3.7, 4.3.16 (empty), 8.5.3 and 8.5.4 (split).
    if begins([0x50, 0x4B, 3, 4]) || begins([0x50, 0x4B, 5, 6]) || begins([0x50, 0x4B, 7, 8])
      || begins([0x50, 0x4B, 0x30, 0x30])
    {
      self = .zip
    } else if begins([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) {
      self = .sevenZIP
    } else if begins(Array("ustar".utf8), at: 257) {
      self = .tar
    } else if GzipStream.isStart(bytes) || begins(XZStream.signature)
      || begins([0x28, 0xB5, 0x2F, 0xFD])
      || (begins(Array("BZh".utf8))
        && (begins([0x31, 0x41, 0x59], at: 4) || begins([0x17, 0x72, 0x45], at: 4)))
    {
      self = .compressed
    } else {
      return nil
    }
  }
}
