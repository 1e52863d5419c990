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

/// Handles Ctrl-C and similar signals: the first one ends a command in an orderly way, a later one ends the
/// program.
enum Interruption {
  private struct First {
    var signal: Int32
    var time: ContinuousClock.Instant
  }
  private static let first = Mutex<First?>(nil)
  /// Receives the number of each signal and returns whether the running command handles it.
  private static let handler = Mutex<(@Sendable (Int32) -> Bool)?>(nil)

  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, brokenPipe] { unsafe sigaddset(&signals, signal) }
    return signals
  }

  /// The signal to the program that replaces SIGPIPE, which the system sends to the thread that writes.
  private static var brokenPipe: Int32 { SIGUSR2 }

  /// Ends the program on SIGINT, SIGTERM, SIGHUP and SIGPIPE with the signal's default status, after removing
  /// temporary files. Call it once, before other threads start.
  ///
  /// A separate thread receives the signals, because signal handlers may call only a few functions.
  static func install() {
    // Beyond a limit of file sizes, writing fails like on a full disk instead.
    ignoreSignal(SIGXFSZ)
    var signals = signals
    guard unsafe pthread_sigmask(SIG_BLOCK, &signals, nil) == 0 else { return }
    interceptBrokenPipes()
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
        } while received != Interruption.brokenPipe
          && Interruption.handler.withLock { $0 }?(received) ?? false
        let cause = received == Interruption.brokenPipe ? SIGPIPE : received
        TemporaryFiles.shared.end {
          resetSignal(cause)
          unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
          raise(cause)
        }
        return nil
      }, nil)
  }

  /// The signal that asked the program to end, or nil.
  static var signal: Int32? { first.withLock { $0?.signal } }

  /// Starts intercepting signals. Several simultaneous signals, which some programs send, are treated as one.
  ///
  /// - Parameters:
  ///   - limit: the time in seconds after the first signal at which the program ends unconditionally, for
  ///     example if nothing reads its output.
  ///   - action: called on a separate thread when the first signal arrives.
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

  /// Restores the default, so that signals end the program.
  static func release() { handle(nil) }

  private static func handle(_ new: (@Sendable (Int32) -> Bool)?) { handler.withLock { $0 = new } }

  /// Ends the program immediately, regardless of its threads. Completed output is kept, and temporary files
  /// are removed.
  static func end(_ status: Int32) -> Never {
    TemporaryFiles.shared.end { _exit(status) }
    _exit(status)
  }

  /// Returns the exit status of a program that was ended by a signal.
  static func status(_ signal: Int32) -> Int32 { 128 + signal }
}

// ``Interruption/signal`` hides the function `signal`.
private func resetSignal(_ number: Int32) { _ = signal(number, SIG_DFL) }
private func ignoreSignal(_ number: Int32) { _ = signal(number, SIG_IGN) }

/// Passes SIGPIPE on to the thread that ends the program, and stops the thread that writes. If the program
/// was started with SIGPIPE ignored, writing fails instead.
private func interceptBrokenPipes() {
  let previous = signal(SIGPIPE) { _ in
    // A signal handler may call only a few functions; these are among them.
    kill(getpid(), SIGUSR2)
    while true { pause() }
  }
  if unsafe unsafeBitCast(previous, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self) {
    ignoreSignal(SIGPIPE)
  }
}
