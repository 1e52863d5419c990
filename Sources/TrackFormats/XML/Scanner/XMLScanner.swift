/// A scanner for XML 1.0 with namespaces, in UTF-8 and without a document type, that writes to a tape.
/// Nearly every track file is of this kind.
///
/// It is several times faster than a general parser because it supports only one encoding, predefined
/// entities and character references, and compares names as bytes, resolving each once per spelling and
/// scope. It validates documents as strictly as libxml2; tests compare both parsers on the same inputs.
/// ``LibXMLParser`` reads other documents from their first byte.
///
/// Time is linear in the length of the document. Memory is bounded by the limits of ``XMLTape``.
@safe
struct XMLScanner: ~Copyable {
  private let state: UnsafeMutablePointer<XMLScannerState>

  /// - Parameter tape: must outlive the scanner.
  init(_ tape: borrowing XMLTape) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: XMLScannerState(tape: tape.memory))
  }

  deinit {
    unsafe state.pointee.free()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Whether the last scan paused after an element before the end of the bytes.
  var isPaused: Bool { unsafe state.pointee.isPaused }

  /// The namespace scope of the innermost open element, or nil outside of the root.
  var scope: Int? {
    let depth = unsafe state.pointee.depth
    return unsafe depth > 0 ? state.pointee.open[depth - 1].scope : nil
  }

  /// Makes scans pause after each element with one of the codes; nil for no pauses.
  mutating func pause(after codes: ClosedRange<UInt16>?) {
    unsafe state.pointee.pauses = codes ?? XMLScannerState.noPauses
  }

  /// Returns the code of a name in the innermost scope if it has occurred there.
  func code(of name: Span<UInt8>, isAttribute: Bool) -> UInt16? {
    guard let scope else { return nil }
    return unsafe name.withUnsafeBufferPointer { name in
      guard let start = name.baseAddress else { return nil }
      return unsafe state.pointee.names.code(of: start, name.count, scope: scope, isAttribute: isAttribute)
    }
  }

  /// Counts bytes that were read without the scanner, after a pause.
  ///
  /// - Parameters:
  ///   - lines: the number of line feeds in the bytes.
  ///   - lineStart: the start of the last line in them, if they have a line feed.
  mutating func skip(_ count: Int, lines: Int, lineStart: Int) {
    unsafe state.pointee.line += lines
    unsafe state.pointee.lineStart = (lines > 0 ? lineStart : state.pointee.lineStart) - count
  }

  /// Scans the complete part of the bytes and appends its tokens to the tape. Does nothing after a fault.
  ///
  /// - Parameter isLast: whether no bytes follow.
  /// - Returns: the number of scanned bytes. Pass the remaining bytes again, followed by more bytes.
  mutating func scan(_ bytes: Span<UInt8>, isLast: Bool) -> Int {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe state.pointee.scan(buffer.baseAddress ?? state.pointee.end, buffer.count, isLast: isLast)
    }
  }
}
