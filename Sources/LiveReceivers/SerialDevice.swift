public import TrackFormats
public import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Receivers on a serial line, such as `/dev/ttyUSB0`. The only type that configures terminals.
public enum SerialDevice {
  /// The supported speeds in bits per second.
  public static let baudRates = speeds.map(\.baud)

  /// The system's constants for the speeds. NMEA 0183 specifies 4800; most current receivers use 9600 or
  /// more.
  private static let speeds: [(baud: Int, code: speed_t)] = [
    (1200, speed_t(B1200)), (2400, speed_t(B2400)), (4800, speed_t(B4800)), (9600, speed_t(B9600)),
    (19_200, speed_t(B19200)), (38_400, speed_t(B38400)), (57_600, speed_t(B57600)),
    (115_200, speed_t(B115200)), (230_400, speed_t(B230400)),
  ]

  /// Whether a path is a terminal other than the controlling terminal.
  public static func isOne(_ path: String) -> Bool {
    // Opening a pipe would make this process its reader.
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFCHR
    else { return false }
    let descriptor = unsafe FileName.with(path) { unsafe systemOpen($0) }
    guard descriptor >= 0 else { return false }
    defer { _ = close(descriptor) }
    return isatty(descriptor) == 1 && tcgetsid(descriptor) != getsid(0)
  }

  /// Opens a device in raw mode: every byte is delivered unchanged and immediately.
  ///
  /// If the device is unplugged, the input ends.
  ///
  /// - Parameters:
  ///   - path: the device, such as `/dev/ttyUSB0`.
  ///   - baud: one of ``baudRates``, or `nil` to keep the speed.
  /// - Throws: `notFound`, `unreadable`, or `unsupported` for a speed that the device rejects.
  public static func open(_ path: String, baud: Int? = nil) throws(TrackError) -> ByteInput {
    let descriptor = unsafe FileName.with(path) { unsafe systemOpen($0) }
    guard descriptor >= 0 else {
      let reason = errno
      throw TrackError(
        reason == ENOENT ? .notFound : .unreadable, TrackError.systemMessage(reason), file: path,
        suggestion: reason == EACCES ? .joinDeviceGroup : nil)
    }
    let line = Line(descriptor)
    try setUp(descriptor, path, baud)
    // Opening must not wait for a carrier, but reading must wait for data.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return ByteInput(stream: line, name: path, chunk: 1 << 12)
  }

  private static func setUp(_ descriptor: Int32, _ path: String, _ baud: Int?) throws(TrackError) {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else {
      throw TrackError(.unreadable, "not a serial device: \(TrackError.systemMessage())", file: path)
    }
    unsafe cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    var speed: speed_t?
    if let baud {
      guard let known = speeds.first(where: { $0.baud == baud }) else {
        throw TrackError(
          .unsupported, "unsupported speed of \(baud) baud", file: path,
          suggestion: .text("these can: " + baudRates.map(String.init).joined(separator: ", ")))
      }
      speed = known.code
      unsafe cfsetispeed(&settings, known.code)
      unsafe cfsetospeed(&settings, known.code)
    }
    guard unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      throw TrackError(.unreadable, "cannot be set up: \(TrackError.systemMessage())", file: path)
    }
    // The call succeeds if any part of it succeeds.
    var result = termios()
    if let speed, unsafe tcgetattr(descriptor, &result) != 0 || cfgetospeed(&result) != speed {
      throw TrackError(.unsupported, "the device rejects \(baud ?? 0) baud", file: path)
    }
  }

  /// An open line, closed with its owner.
  private final class Line: ByteStream {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }

    @unsafe
    func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
      while true {
        let result = unsafe systemRead(descriptor, start, count)
        if result >= 0 { return result }
        // Reading from an unplugged device fails with different errors.
        if errno != EINTR { return 0 }
      }
    }
  }
}

private func systemOpen(_ path: UnsafePointer<CChar>) -> Int32 {
  unsafe open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
}

private func systemRead(_ descriptor: Int32, _ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  unsafe read(descriptor, start, count)
}
