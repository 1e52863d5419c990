import CFileSystem
package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file, closed with its owner: the only place that makes system calls on files.
///
/// Every call is repeated where a signal interrupted it.
package final class FileDescriptor: Sendable {
  private let descriptor: Int32
  private let isOwned: Bool
  /// What errors call the file.
  package let name: String
  /// Where the file lies: its name, but for temporary files.
  package let path: String

  private init(_ descriptor: Int32, isOwned: Bool, name: String, path: String? = nil) {
    self.descriptor = descriptor
    self.isOwned = isOwned
    self.name = name
    self.path = path ?? name
  }

  deinit { if isOwned { _ = close(descriptor) } }

  package static var standardInput: FileDescriptor {
    FileDescriptor(STDIN_FILENO, isOwned: false, name: "standard input")
  }

  package static var standardOutput: FileDescriptor {
    FileDescriptor(STDOUT_FILENO, isOwned: false, name: "standard output")
  }

  /// Opens a file for reading; a folder is an error.
  package static func reading(_ path: String) throws(TrackError) -> FileDescriptor {
    guard !path.isEmpty else { throw TrackError(.notFound, "the name of a file is empty") }
    let descriptor = retrying { unsafe FileName.with(path) { unsafe open($0, O_RDONLY | O_CLOEXEC) } }
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? TrackError(.notFound, "no such file", file: path, suggestion: .text(missingHint(path)))
        : TrackError(.unreadable, systemMessage(), file: path, suggestion: FileHint.forReading(errno))
    }
    let file = FileDescriptor(descriptor, isOwned: true, name: path)
    if file.kind == .folder {
      throw TrackError(
        .unreadable, "is a folder, not a file", file: path,
        suggestion: .text("name the files in it, such as \(path)/*"))
    }
    return file
  }

  /// Opens what exists and is no regular file (a device, a pipe) for writing.
  package static func writing(existing path: String) throws(TrackError) -> FileDescriptor {
    let descriptor = retrying { unsafe FileName.with(path) { unsafe open($0, O_WRONLY | O_CLOEXEC) } }
    guard descriptor >= 0 else { throw notCreatable(path) }
    return FileDescriptor(descriptor, isOwned: true, name: path)
  }

  /// Makes a new file for appending; what is there already is an error.
  package static func appending(_ path: String) throws(TrackError) -> FileDescriptor {
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the name of a file is empty") }
    let descriptor = creating {
      unsafe FileName.with(path) {
        unsafe open($0, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
    }
    guard descriptor >= 0 else { throw notCreatable(path) }
    return FileDescriptor(descriptor, isOwned: true, name: path)
  }

  /// Opens a file for reading and appending, and creates it if it does not exist.
  ///
  /// The program chooses the names of such files, so that a link of that name is somebody else's: it is not
  /// followed.
  ///
  /// - Throws: `notCreatable` for a link and for anything that is not a regular file.
  package static func lines(_ path: String) throws(TrackError) -> FileDescriptor {
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the name of a file is empty") }
    let descriptor = creating {
      unsafe FileName.with(path) {
        unsafe open($0, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
      }
    }
    guard descriptor >= 0 else {
      throw link(path) == nil ? notCreatable(path) : notOurs(path, "is a link")
    }
    let file = FileDescriptor(descriptor, isOwned: true, name: path)
    guard file.kind == .regular else { throw notOurs(path, "is not a regular file") }
    return file
  }

  private static func notOurs(_ path: String, _ reason: String) -> TrackError {
    TrackError(
      .notCreatable, "\(reason), so nothing is written to it", file: path,
      suggestion: .text("remove it, or write to another folder"))
  }

  /// Discards everything in the file.
  package func removeContents() throws(TrackError) {
    if FileDescriptor.retrying({ SystemFaults.attempt(.truncate) { ftruncate(descriptor, 0) } }) < 0 {
      throw FileDescriptor.unwritable(name)
    }
  }

  /// Makes a new file that nobody else has, at `path` with a suffix of its own; errors call it `path`.
  package static func temporary(
    beside path: String, permissions: UInt32 = 0o666
  ) throws(TrackError) -> FileDescriptor {
    for attempt in 0..<100 {
      let candidate = TemporaryFiles.name(beside: path)
      let descriptor = TemporaryFiles.shared.make(candidate) {
        creating {
          unsafe FileName.with(candidate) {
            unsafe open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(permissions))
          }
        }
      }
      if descriptor >= 0 {
        return FileDescriptor(descriptor, isOwned: true, name: path, path: candidate)
      }
      if errno != EEXIST || attempt == 99 { break }
    }
    throw notCreatable(path)
  }

  private static func notCreatable(_ path: String) -> TrackError {
    let reason = errno
    return TrackError(
      FileHint.isFull(reason) ? .noSpace : .notCreatable, systemMessage(reason), file: path,
      suggestion: FileHint.forMaking(reason, in: FileName.folder(path)))
  }

  /// What is wrong about a path that leads nowhere.
  private static func missingHint(_ path: String) -> String {
    let folder = FileName.folder(path)
    return !folder.isEmpty && kind(at: folder) != .folder
      ? "there is no folder \(folder)" : "check the name; ls shows what there is"
  }

  /// Makes a file in the system's folder for temporary files that has no name, and is gone when it is closed.
  package static func anonymous() throws(TrackError) -> FileDescriptor {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    let file = try temporary(beside: folder + "/spool", permissions: 0o600)
    remove(file.path)
    return file
  }

  package enum Kind { case regular, folder, other }

  package var kind: Kind {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return .other }
    return FileDescriptor.kind(of: status)
  }

  /// What lies at a path, links followed; nil where nothing does.
  package static func kind(at path: String) -> Kind? {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 else { return nil }
    return kind(of: status)
  }

  /// Whether a named pipe lies at a path, links followed. A pipe that the shell made for a command is none.
  package static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/"),
      unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0
    else { return false }
    return status.st_mode & S_IFMT == S_IFIFO
  }

  /// Bytes of the regular file at a path, links followed; nil where there is none.
  package static func size(at path: String) -> Int? {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0, kind(of: status) == .regular else {
      return nil
    }
    return Int(status.st_size)
  }

  /// How many bytes a file has and when it was last changed, which tells cheaply whether it is still the
  /// same; nil for what is no regular file.
  package static func stamp(_ path: String) -> String? {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0, kind(of: status) == .regular else {
      return nil
    }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return "\(status.st_size)-\(time.tv_sec).\(time.tv_nsec)"
  }

  private static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// The path of a file that is or will be there, with links resolved: of a link that leads to nothing yet,
  /// where it leads; of a path that is no link, itself.
  ///
  /// - Throws: `notCreatable` for links in a circle.
  package static func resolved(_ name: String) throws(TrackError) -> String {
    var path = name
    for _ in 0..<40 {
      if let result = unsafe FileName.with(path, { unsafe realpath($0, nil) }) {
        defer { unsafe free(result) }
        return unsafe FileName.text(result)
      }
      guard let target = link(path) else { return path }
      path = target.hasPrefix("/") ? target : FileName.folder(path) + target
    }
    throw TrackError(
      .notCreatable, systemMessage(ELOOP), file: name, suggestion: FileHint.forMaking(ELOOP, in: ""))
  }

  /// Where a link points to, as it says; nil for what is no link.
  private static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe FileName.with(path) { unsafe readlink($0, &buffer, Int(PATH_MAX)) }
    guard count > 0 else { return nil }
    return unsafe FileName.text(&buffer)
  }

  /// Gives a new file the permissions of the file that it will replace, if there is one. The bits that run a
  /// file as its owner or group are not copied.
  package func copyMode(from path: String) {
    var status = stat()
    if unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 {
      _ = fchmod(descriptor, status.st_mode & 0o777)
    }
  }

  /// Who may read, write and run the file; nil if the system does not say.
  package var permissions: UInt32? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? UInt32(status.st_mode & 0o7777) : nil
  }

  /// Reads up to `count` bytes to `start`; 0 at the end.
  @unsafe
  package func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    while true {
      let result = unsafe systemRead(descriptor, start, count)
      if result >= 0 { return result }
      let reason = errno
      if reason != EINTR {
        throw TrackError(
          .unreadable, FileDescriptor.systemMessage(reason), file: name,
          suggestion: FileHint.forReading(reason))
      }
    }
  }

  /// Reads up to `count` bytes from a place in a regular file to `start`, wherever it was read before; 0 at
  /// the end.
  @unsafe
  package func read(to start: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(TrackError)
    -> Int
  {
    while true {
      let result = unsafe pread(descriptor, start, count, off_t(offset))
      if result >= 0 { return result }
      let reason = errno
      if reason != EINTR {
        throw TrackError(
          .unreadable, FileDescriptor.systemMessage(reason), file: name,
          suggestion: FileHint.forReading(reason))
      }
    }
  }

  /// A copy of so many bytes from a place in a regular file; fewer at its end.
  package func bytes(from offset: Int, count: Int) throws(TrackError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      var fault: TrackError?
      let length = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int in
        guard let start = buffer.baseAddress else { return 0 }
        do throws(TrackError) {
          return try unsafe read(to: start + done, count: count - done, at: offset + done)
        } catch {
          fault = error
          return 0
        }
      }
      if let fault { throw fault }
      if length == 0 { break }
      done += length
    }
    bytes.removeLast(count - done)
    return bytes
  }

  /// How many bytes a system call gets: what it takes at once the cache of the system holds in one piece, and
  /// large pieces of memory are slow to come by.
  private static let writeSize = 1 << 16

  /// Writes all of the bytes.
  package func write(_ bytes: Span<UInt8>) throws(TrackError) {
    var written = 0
    while written < bytes.count {
      let rest = bytes.extracting(written..<min(written + FileDescriptor.writeSize, bytes.count))
      let result = unsafe rest.withUnsafeBufferPointer {
        unsafe systemWrite(descriptor, $0.baseAddress, $0.count)
      }
      if result >= 0 {
        written += result
      } else if errno != EINTR {
        throw FileDescriptor.unwritable(name)
      }
    }
  }

  /// How many bytes from the start reading and writing stand; nil for what has no such place, as a pipe.
  package var position: Int? {
    let position = lseek(descriptor, 0, SEEK_CUR)
    return position < 0 ? nil : Int(position)
  }

  /// Moves the position of reading and writing to so many bytes from the start.
  package func seek(to offset: Int) throws(TrackError) {
    if lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw FileDescriptor.unwritable(name) }
  }

  /// Lets the disk begin with bytes that were written, so that ``synchronize()`` has less to wait for; only a
  /// hint, where the system takes it.
  package func beginSynchronizing(from offset: Int, count: Int) {
    #if os(Linux)
      // Who says that pages are not needed has them written out, and only those that are drop out of memory.
      _ = posix_fadvise(descriptor, off_t(offset), off_t(count), POSIX_FADV_DONTNEED)
    #endif
  }

  /// Makes the file this program's own, until it is closed or the program ends in whatever way.
  ///
  /// - Returns: false where another program has it; true also where the file system knows no such thing.
  package func claim() -> Bool { systemLock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

  /// Waits until the bytes are on the disk.
  package func synchronize() throws(TrackError) {
    // A file system that has no such thing says EINVAL; that is no failure to write.
    if FileDescriptor.retrying({ SystemFaults.attempt(.synchronize) { fsync(descriptor) } }) < 0,
      errno != EINVAL, errno != ENOTSUP
    {
      throw FileDescriptor.unwritable(name)
    }
  }

  /// Waits until files that were written and closed are on the disk.
  package static func synchronize(_ paths: [String]) throws(TrackError) {
    #if os(Linux)
      // One call for all files of a file system: each by itself would wait for the journal anew.
      if paths.count > 1 {
        var systems: Set<UInt64> = []
        for path in paths {
          var status = stat()
          guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 else { throw unwritable(path) }
          guard systems.insert(UInt64(status.st_dev)).inserted else { continue }
          let file = try reading(path)
          if retrying({ SystemFaults.attempt(.synchronize) { syncfs(file.descriptor) } }) < 0 {
            throw unwritable(path)
          }
        }
        return
      }
    #endif
    for path in paths { try reading(path).synchronize() }
  }

  /// Gives the file its final name in one step, in place of what was there.
  package static func rename(_ old: String, to new: String) throws(TrackError) {
    if systemRename(old, new) != 0 { throw unwritable(new) }
    TemporaryFiles.shared.forget(old)
  }

  /// Takes a name away, where it is there.
  package static func unlink(_ path: String) { _ = unsafe FileName.with(path) { unsafe systemUnlink($0) } }

  package static func remove(_ path: String) {
    unlink(path)
    TemporaryFiles.shared.forget(path)
  }

  /// How many bytes a regular file has; nil for what is none.
  package var size: Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, FileDescriptor.kind(of: status) == .regular else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Makes a folder and those around it, where they are missing.
  package static func makeFolder(_ path: String) throws(TrackError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += (prefix.isEmpty || prefix.hasSuffix("/") ? "" : "/") + part
      if SystemFaults.attempt(.makeFolder, { unsafe FileName.with(prefix) { unsafe mkdir($0, 0o777) } }) != 0
      {
        let reason = errno
        if kind(at: prefix) == .folder { continue }
        if kind(at: prefix) != nil {
          throw TrackError(
            .notCreatable, "is a file, not a folder", file: prefix,
            suggestion: .text("give another folder, or move the file"))
        }
        throw TrackError(
          FileHint.isFull(reason) ? .noSpace : .notCreatable, systemMessage(reason), file: prefix,
          suggestion: FileHint.forMaking(reason, in: FileName.folder(prefix)))
      }
    }
  }

  /// The names of what is in a folder, `.` and `..` left out, ordered by their bytes.
  package static func names(inFolder path: String) throws(TrackError) -> [String] {
    guard let folder = unsafe FileName.with(path, { unsafe opendir($0) }) else {
      throw TrackError(errno == ENOENT ? .notFound : .unreadable, systemMessage(), file: path)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: start.pointee)) {
          unsafe FileName.text($0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { FileName.precedes($0, $1) }
  }

  /// Whether a path is a link itself.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe FileName.with(path, { unsafe lstat($0, &status) }) == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether two paths lead to one and the same file.
  package static func areSame(_ first: String, _ second: String) -> Bool {
    var one = stat()
    var other = stat()
    guard unsafe FileName.with(first, { unsafe stat($0, &one) }) == 0,
      unsafe FileName.with(second, { unsafe stat($0, &other) }) == 0
    else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// The identity of a regular file, with links followed; nil for anything else.
  package static func identity(at path: String) -> FileIdentity? {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }

  private static func creating(_ call: () -> Int32) -> Int32 {
    retrying { SystemFaults.attempt(.create, call) }
  }

  private static func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  private static func unwritable(_ path: String) -> TrackError {
    let reason = errno
    return TrackError(
      FileHint.isFull(reason) ? .noSpace : .unwritable, systemMessage(reason), file: path,
      suggestion: FileHint.forWriting(reason))
  }

  /// The system's words for a failure, begun with a small letter like all messages.
  private static func systemMessage(_ reason: Int32 = errno) -> String {
    let message = unsafe String(cString: strerror(reason))
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}

// The system's calls under names that the methods above do not hide.
private func systemRead(_ descriptor: Int32, _ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  unsafe read(descriptor, start, count)
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  switch SystemFaults.effect(.write, count: count) {
  case .success: break
  case .failure(let reason):
    errno = reason
    return -1
  case .partial(let part): return unsafe write(descriptor, start, min(part, count))
  }
  return unsafe write(descriptor, start, count)
}

private func systemLock(_ descriptor: Int32, _ operation: Int32) -> Int32 { flock(descriptor, operation) }

private func systemUnlink(_ path: UnsafePointer<CChar>) -> Int32 {
  SystemFaults.attempt(.remove) { unsafe unlink(path) }
}

private func systemRename(_ old: String, _ new: String) -> Int32 {
  SystemFaults.attempt(.rename) {
    unsafe FileName.with(old) { old in unsafe FileName.with(new) { new in unsafe rename(old, new) } }
  }
}
