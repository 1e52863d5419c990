import Synchronization
import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The existing temporary files, which a program removes before it exits by calling ``end(_:)``.
public final class TemporaryFiles: Sendable {
  /// The temporary files of the process.
  public static let shared = TemporaryFiles()

  /// ThreadSanitizer reports accesses to it as races, as for every `Mutex` on Linux: it does not detect the
  /// lock, because the standard library is not instrumented.
  private let paths = Mutex<Set<String>>([])
  private static let chosenFolder = Mutex<String?>(nil)

  /// The folder for unnamed temporary files. A program sets it once, before it reads anything; the default
  /// is the system's.
  public static var folder: String {
    get { chosenFolder.withLock { $0 } ?? systemFolder }
    set { chosenFolder.withLock { $0 = newValue } }
  }

  private static var systemFolder: String {
    #if canImport(Darwin)
      var path = [CChar](repeating: 0, count: Int(PATH_MAX))
      if unsafe confstr(_CS_DARWIN_USER_TEMP_DIR, &path, path.count) > 0 {
        return unsafe FileName.text(&path)
      }
    #endif
    return "/tmp"
  }

  /// Removes temporary files left in a folder by programs that were killed.
  ///
  /// - Returns: the number of files.
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

  /// Returns a new name for a temporary file beside a file. The name contains the program, the host and the
  /// process that created it, because process numbers of several hosts can coincide in a shared folder.
  static func name(beside path: String) -> String {
    let suffix = ".\(mark)\(getpid())-\(UInt32.random(in: .min ... .max)).part"
    let folder = FileName.folder(path)
    var name = FileName.bytes(String(path.dropFirst(folder.count)))
    // Names have at most 255 bytes.
    name.removeLast(max(name.count + suffix.utf8.count - 255, 0))
    return folder + FileName.text(name) + suffix
  }

  /// The start of the suffix of all temporary files of this host.
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

  /// Whether a name is that of a temporary file of any host and process (``name(beside:)``), so that its
  /// content is incomplete.
  package static func isTemporary(_ name: some StringProtocol) -> Bool {
    guard name.hasSuffix(".part") else { return false }
    let suffix = name.dropLast(5).split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    let parts = suffix.split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 5 && parts[0] == "ghost" && parts[1] == "convert"
      && UInt32(parts[2], radix: 16) != nil && UInt32(parts[3]) != nil && UInt32(parts[4]) != nil
  }

  /// Returns the process of this host that created a temporary file, from its name (``name(beside:)``); nil
  /// for other names.
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

  /// Creates a file, unless the program is ending.
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

  /// Removes all temporary files and ends the program. Threads that are about to create one wait until it
  /// has ended.
  public func end(_ end: () -> Void) {
    paths.withLock { paths in
      for path in paths { FileDescriptor.unlink(path) }
      paths = []
      end()
    }
  }
}
