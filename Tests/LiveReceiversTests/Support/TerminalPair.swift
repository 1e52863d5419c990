import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pseudo-terminal: bytes that are written to one end are read from the other, as with a serial line.
final class TerminalPair {
  private let far: Int32
  let path: String

  init() throws {
    var ends: (far: Int32, near: Int32) = (-1, -1)
    try #require(unsafe openpty(&ends.far, &ends.near, nil, nil, nil) == 0)
    far = ends.far
    path = unsafe String(cString: try #require(unsafe ttyname(ends.near)))
    close(ends.near)
  }

  deinit { close(far) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(far, $0.baseAddress, $0.count) }
  }
}
