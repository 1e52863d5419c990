#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension TrackError {
  /// Returns the system's message for a failure, beginning with a lower-case letter like all messages.
  package static func systemMessage(_ reason: Int32 = errno) -> String {
    let message = unsafe String(cString: strerror(reason))
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}
