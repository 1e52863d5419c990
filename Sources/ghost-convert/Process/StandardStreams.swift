#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, output and error, as provided by the caller.
enum StandardStreams {
  /// Occupies the numbers of streams that the caller closed, so that no file that is opened later becomes one
  /// of them. Reading and writing them fails, as on a closed stream. To be called before anything is opened.
  static func occupyClosed() {
    for (stream, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      // The system assigns the lowest free number.
      _ = unsafe open("/dev/null", mode)
    }
  }
}
