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
  /// Receives the number of each signal and returns whether the running command ends in good order.
  private static let handler = Mutex<(@Sendable (Int32) -> Bool)?>(nil)

  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    return signals
  }

  /// Ends the program on SIGINT, SIGTERM and SIGHUP with the status that the signal has by default, but
  /// removes temporary files first. Call it once, before other threads start.
  ///
  /// A thread receives the signals, because a signal handler may call hardly anything.
  static func install() {
    var signals = signals
    guard unsafe pthread_sigmask(SIG_BLOCK, &signals, nil) == 0 else { return }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    unsafe pthread_create(
      &thread, nil,
      { _ in
        var signals = Interruption.signals
        var received: Int32 = 0
        repeat {
          guard unsafe sigwait(&signals, &received) == 0 else { return nil }
        } while Interruption.handler.withLock { $0 }?(received) ?? false
        TemporaryFiles.shared.end {
          resetSignal(received)
          unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
          raise(received)
        }
        return nil
      }, nil)
  }

  /// The signal that asked the program to end; nil as long as none did.
  static var signal: Int32? { first.withLock { $0?.signal } }

  /// Takes signals from now on. Several at once, as some senders make them, are one.
  ///
  /// - Parameters:
  ///   - limit: seconds after the first one in which the program ends in any case, such as when nobody reads
  ///     what it says.
  ///   - action: is called at the first one, on a thread of its own.
  static func intercept(limit: Int? = nil, _ action: @escaping @Sendable () -> Void = {}) {
    handle { signal in
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

  /// Lets signals end the program again.
  static func release() { handle(nil) }

  private static func handle(_ new: (@Sendable (Int32) -> Bool)?) { handler.withLock { $0 = new } }

  /// Ends the program at once, whatever its threads are at; what is written is written, temporary files go.
  static func end(_ status: Int32) -> Never {
    TemporaryFiles.shared.end { _exit(status) }
    _exit(status)
  }

  /// The exit status that says which signal ended a program.
  static func status(_ signal: Int32) -> Int32 { 128 + signal }
}

/// Under a name that ``Interruption/signal`` does not hide.
private func resetSignal(_ number: Int32) { _ = signal(number, SIG_DFL) }
