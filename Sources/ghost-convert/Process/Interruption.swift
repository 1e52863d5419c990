import Dispatch
import Synchronization
import TrackFormats
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ctrl-C and its like: the first one lets a command end in good order, a later one ends the program.
enum Interruption {
  private struct First {
    var signal: Int32
    var time: ContinuousClock.Instant
  }
  private static let first = Mutex<First?>(nil)

  /// The signal that asked the program to end; nil as long as none did.
  static var signal: Int32? { first.withLock { $0?.signal } }

  /// Takes signals from now on. Several at once, as some senders make them, are one.
  ///
  /// - Parameters:
  ///   - limit: seconds after the first one in which the program ends in any case, such as when nobody reads
  ///     what it says.
  ///   - action: is called at the first one, on a thread of its own.
  static func intercept(limit: Int? = nil, _ action: @escaping @Sendable () -> Void = {}) {
    TemporaryFiles.interceptTermination { signal in
      let (isFirst, isTaken) = first.withLock { first in
        let known = first
        let latest = known ?? First(signal: signal, time: .now)
        first = latest
        return (known == nil, ContinuousClock.now - latest.time < .seconds(1))
      }
      if isFirst {
        if let limit {
          DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limit)) { end(status(signal)) }
        }
        action()
      }
      return isTaken
    }
  }

  /// Ends the program at once, whatever its threads are at; what is written is written, temporary files go.
  static func end(_ status: Int32) -> Never {
    TemporaryFiles.shared.end { _exit(status) }
    _exit(status)
  }

  /// The exit status that says which signal ended a program.
  static func status(_ signal: Int32) -> Int32 { 128 + signal }
}
