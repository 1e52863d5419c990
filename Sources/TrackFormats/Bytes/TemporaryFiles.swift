import Synchronization
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The temporary files that exist at the moment, so that a program that is told to end can take them along.
public final class TemporaryFiles: Sendable {
  public static let shared = TemporaryFiles()

  private let paths = Mutex<Set<String>>([])
  private let intercepting = Mutex<(@Sendable (Int32) -> Bool)?>(nil)

  /// Lets somebody else end the program in good order: `handler` is called with the number of each signal, on
  /// a thread of its own, and says whether it will; otherwise, and after `nil`, the signal ends the program.
  public static func interceptTermination(_ handler: (@Sendable (Int32) -> Bool)?) {
    shared.intercepting.withLock { $0 = handler }
  }

  private func isIntercepted(_ signal: Int32) -> Bool { intercepting.withLock { $0 }?(signal) ?? false }

  /// Removes what programs that were killed have left in a folder.
  ///
  /// - Returns: how many files that were.
  @discardableResult
  public static func removeStale(inFolder folder: String) -> Int {
    let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    let names = (try? FileDescriptor.names(inFolder: folder.isEmpty ? "." : folder)) ?? []
    let stale = names.filter { name in
      guard let owner = owner(ofTemporary: name), owner != getpid() else { return false }
      return kill(owner, 0) != 0 && errno == ESRCH
    }
    for name in stale { FileDescriptor.unlink(prefix + name) }
    return stale.count
  }

  /// A new name for a temporary file beside a file, in which are the program, the host and the process that it
  /// belongs to: in a shared folder, processes of other hosts have the same numbers.
  static func name(beside path: String) -> String {
    let suffix = ".\(mark)\(getpid())-\(UInt32.random(in: .min ... .max)).part"
    let folder = FileName.folder(path)
    var name = FileName.bytes(String(path.dropFirst(folder.count)))
    // Names have at most 255 bytes.
    name.removeLast(max(name.count + suffix.utf8.count - 255, 0))
    return folder + FileName.text(name) + suffix
  }

  /// Begins the suffix of all temporary files of this host.
  private static let mark: String = {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = unsafe gethostname(&buffer, buffer.count - 1)
    // FNV-1a of 32 bits.
    var hash: UInt32 = 2_166_136_261
    for byte in buffer.prefix(while: { $0 != 0 }) {
      hash = (hash ^ UInt32(UInt8(bitPattern: byte))) &* 16_777_619
    }
    return "ghost-convert-\(String(hash, radix: 16))-"
  }()

  /// The process of this host that a temporary file belongs to, from its name (``name(beside:)``); nil for
  /// other names.
  static func owner(ofTemporary name: String) -> Int32? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, parts[parts.count - 1] == "part", parts[parts.count - 2].hasPrefix(mark) else {
      return nil
    }
    let numbers = parts[parts.count - 2].dropFirst(mark.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, UInt32(numbers[1]) != nil, let owner = Int32(numbers[0]), owner > 0 else {
      return nil
    }
    return owner
  }

  /// Makes a file, so that none comes to be while the program ends.
  ///
  /// - Parameter open: returns its descriptor, or a negative number.
  func make(_ path: String, _ open: () -> Int32) -> Int32 {
    paths.withLock { paths in
      let descriptor = open()
      if descriptor >= 0 { paths.insert(path) }
      return descriptor
    }
  }

  func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all of them and ends the program. Threads that are about to make another one wait until it has
  /// ended.
  public func end(_ end: () -> Void) {
    paths.withLock { paths in
      for path in paths { FileDescriptor.unlink(path) }
      paths = []
      end()
    }
  }

  /// Ends the program on SIGINT, SIGTERM and SIGHUP without leaving temporary files, with the status that the
  /// signal would have had. To be called once, before other threads start.
  ///
  /// The signals are taken by a thread of their own, because hardly anything may be done in a signal handler.
  public static func removeOnTermination() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    guard unsafe pthread_sigmask(SIG_BLOCK, &signals, nil) == 0 else { return }
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    unsafe pthread_create(
      &thread, nil,
      { _ in
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        var received: Int32 = 0
        repeat {
          guard unsafe sigwait(&signals, &received) == 0 else { return nil }
        } while TemporaryFiles.shared.isIntercepted(received)
        TemporaryFiles.shared.end {
          _ = signal(received, SIG_DFL)
          unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
          raise(received)
        }
        return nil
      }, nil)
  }
}
