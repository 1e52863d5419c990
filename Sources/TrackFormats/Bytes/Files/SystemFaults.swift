import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes system calls that change files fail, for tests of the state after a failure.
///
/// Nothing fails unless a test installs a function. The check costs one atomic load per call.
package enum SystemFaults {
  /// A kind of system call.
  package enum Call: Int32, Sendable, CaseIterable {
    case create, write, reserve, synchronize, rename, remove, truncate, makeFolder, readFolder, close
  }

  /// The outcome of a call.
  package enum Effect: Sendable, Equatable {
    case success
    /// The call does nothing and fails with this `errno`.
    case failure(Int32)
    /// Only this number of bytes is written.
    case partial(Int)
  }

  private static let isInstalled = Atomic(false)
  private static let function = Mutex<(@Sendable (Call, Int) -> Effect)?>(nil)

  /// Installs the function that decides on each call of the process; nil removes it.
  ///
  /// - Parameter decide: receives the kind of call and, for ``Call/write``, the number of bytes.
  package static func install(_ decide: (@Sendable (Call, Int) -> Effect)?) {
    function.withLock { $0 = decide }
    isInstalled.store(decide != nil, ordering: .releasing)
  }

  /// The outcome of the next call of a kind.
  static func effect(_ call: Call, count: Int = 0) -> Effect {
    guard isInstalled.load(ordering: .acquiring) else { return .success }
    return function.withLock { $0 }?(call, count) ?? .success
  }

  /// Makes a system call that returns a negative number on failure, unless a test makes it fail.
  static func attempt(_ call: Call, _ body: () -> Int32) -> Int32 {
    guard case .failure(let reason) = effect(call) else { return body() }
    errno = reason
    return -1
  }
}
