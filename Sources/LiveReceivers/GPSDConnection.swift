public import TrackFormats
public import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A TCP connection to gpsd that requests its reports. The only type that makes system calls on sockets.
public enum GPSDConnection {
  /// The default port of gpsd (IANA: gpsd).
  public static let defaultPort = 2947

  /// Connects and requests reports.
  ///
  /// - Parameters:
  ///   - host: a host name, or an IPv4 or IPv6 address.
  ///   - port: the TCP port, 2947 by default.
  ///   - silence: the seconds without data after which the connection is considered broken. gpsd sends data
  ///     every few seconds while its receiver is active.
  /// - Returns: the stream of reports, for `GPSDReader`.
  /// - Throws: `notFound` for an unknown host, `unreadable` if the connection fails.
  public static func open(
    host: String, port: Int = defaultPort, silence: Int = 60
  ) throws(TrackError) -> ByteInput {
    let name = "gpsd at \(host):\(port)"
    let descriptor = try connect(host, port, name: name)
    let socket = Socket(descriptor, name: name)
    var timeout = timeval(tv_sec: silence, tv_usec: 0)
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    try socket.send("?WATCH={\"enable\":true,\"json\":true};\n")
    return ByteInput(stream: socket, name: name, chunk: 1 << 12)
  }

  private static func connect(_ host: String, _ port: Int, name: String) throws(TrackError) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    #if canImport(Glibc)
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      unsafe hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else {
      throw TrackError(
        .notFound, unsafe String(cString: gai_strerror(status)).lowercased(), file: name,
        suggestion: .provideReceiverAddress)
    }
    defer { unsafe freeaddrinfo(list) }
    var reason = "no address"
    var next = unsafe list
    while let address = unsafe next {
      let descriptor = unsafe socket(
        address.pointee.ai_family, address.pointee.ai_socktype, address.pointee.ai_protocol)
      if descriptor >= 0 {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if unsafe systemConnect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 {
          return descriptor
        }
        reason = TrackError.systemMessage()
        _ = close(descriptor)
      }
      unsafe next = address.pointee.ai_next
    }
    throw TrackError(.unreadable, reason, file: name, suggestion: .startReceiverDaemon)
  }

  /// A connection that is closed with its owner.
  private final class Socket: ByteStream {
    private let descriptor: Int32
    private let name: String

    init(_ descriptor: Int32, name: String) {
      self.descriptor = descriptor
      self.name = name
    }

    deinit { _ = close(descriptor) }

    func send(_ text: String) throws(TrackError) {
      let bytes = Array(text.utf8)
      var sent = 0
      while sent < bytes.count {
        let rest = Array(bytes[sent...])
        let count = unsafe rest.withUnsafeBytes { unsafe systemSend(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { throw failure() }
        sent += max(count, 0)
      }
    }

    @unsafe
    func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
      while true {
        let result = unsafe recv(descriptor, start, count, 0)
        if result >= 0 { return result }
        if errno == EAGAIN || errno == EWOULDBLOCK {
          throw TrackError(.unreadable, "no data for too long", file: name)
        }
        if errno != EINTR { throw failure() }
      }
    }

    private func failure() -> TrackError {
      TrackError(.unreadable, TrackError.systemMessage(), file: name)
    }
  }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t)
  -> Int32
{
  unsafe connect(descriptor, address, length)
}

/// Reports a closed connection as an error of the call instead of a signal.
private func systemSend(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Darwin)
    unsafe send(descriptor, start, count, 0)
  #else
    unsafe send(descriptor, start, count, Int32(MSG_NOSIGNAL))
  #endif
}
