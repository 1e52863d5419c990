/// A scanner for XML 1.0 with namespaces, in UTF-8 and without a document type, writing to a tape: what
/// nearly every track file is.
///
/// Several times as fast as a general parser because it does less: one encoding, no entities but the
/// predefined ones and character references, names compared as bytes and resolved once per spelling and
/// scope. It checks the document as strictly as libxml2 does; the two are compared on the same inputs in the
/// tests. Documents of another kind go to ``LibXMLParser`` before the first byte is scanned.
///
/// Time is linear in the length of the document, memory bounded by the limits of ``XMLTape``.
@safe
struct XMLScanner: ~Copyable {
  private let state: UnsafeMutablePointer<XMLScannerState>

  /// - Parameter tape: outlives the scanner.
  init(_ tape: borrowing XMLTape) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: XMLScannerState(tape: tape.memory))
  }

  deinit {
    unsafe state.pointee.free()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Scans as much of the bytes as is whole; tokens come behind those on the tape. Does nothing after a
  /// fault.
  ///
  /// - Parameter isLast: whether no bytes follow.
  /// - Returns: how many bytes were scanned; what is left has to come again, with more behind it.
  mutating func scan(_ bytes: Span<UInt8>, isLast: Bool) -> Int {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else {
        if isLast { unsafe state.pointee.finish() }
        return 0
      }
      return unsafe state.pointee.scan(start, buffer.count, isLast: isLast)
    }
  }
}
