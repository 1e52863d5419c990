package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file, closed with its owner. Only this type makes system calls on files.
///
/// Every call is repeated if a signal interrupts it.
package final class FileDescriptor: Sendable {
  let descriptor: Int32
  private let isOwned: Bool
  /// The name of the file in errors.
  package let name: String
  /// The path of the file, which differs from its name for temporary files.
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

  /// Opens a file for reading. A folder is an error.
  package static func reading(_ path: String) throws(TrackError) -> FileDescriptor {
    guard !path.isEmpty else { throw TrackError(.notFound, "the file name is empty") }
    let descriptor = retrying { unsafe FileName.with(path) { unsafe open($0, O_RDONLY | O_CLOEXEC) } }
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? TrackError(.notFound, "no such file", file: path, suggestion: missingHint(path))
        : TrackError(
          .unreadable, TrackError.systemMessage(), file: path, suggestion: FileHint.forReading(errno))
    }
    let file = FileDescriptor(descriptor, isOwned: true, name: path)
    if file.kind == .folder {
      throw TrackError(
        .unreadable, "is a folder, not a file", file: path, suggestion: .nameFiles(inFolder: path))
    }
    return file
  }

  /// Opens an existing file that is not regular (a device, a pipe) for writing.
  package static func writing(existing path: String) throws(TrackError) -> FileDescriptor {
    let descriptor = retrying { unsafe FileName.with(path) { unsafe open($0, O_WRONLY | O_CLOEXEC) } }
    guard descriptor >= 0 else { throw notCreatable(path) }
    return FileDescriptor(descriptor, isOwned: true, name: path)
  }

  /// Creates a new file for appending. An existing file is an error.
  package static func appending(_ path: String) throws(TrackError) -> FileDescriptor {
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the file name is empty") }
    let descriptor = creating {
      unsafe FileName.with(path) {
        unsafe open($0, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
    }
    guard descriptor >= 0 else { throw notCreatable(path) }
    return FileDescriptor(descriptor, isOwned: true, name: path)
  }

  /// Opens a file for reading and appending, and creates it if missing.
  ///
  /// The program chooses the names of such files, so a link with that name was not created by it and is not
  /// followed. The same applies to a hard link.
  ///
  /// - Throws: `notCreatable` for a link, for a file with other names, and for anything that is not a regular
  ///   file.
  package static func lines(_ path: String) throws(TrackError) -> FileDescriptor {
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the file name is empty") }
    let descriptor = creating {
      unsafe FileName.with(path) {
        unsafe open($0, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
      }
    }
    guard descriptor >= 0 else {
      let error = notCreatable(path)
      if link(path) != nil { throw notOurs(path, "is a link") }
      throw kind(at: path) == .folder ? notOurs(path, "is a folder") : error
    }
    let file = FileDescriptor(descriptor, isOwned: true, name: path)
    guard file.kind == .regular else { throw notOurs(path, "is not a regular file") }
    guard !file.hasOtherNames else { throw notOurs(path, "is a file that also has another name") }
    return file
  }

  private static func notOurs(_ path: String, _ reason: String) -> TrackError {
    TrackError(
      .notCreatable, "\(reason), so nothing is written to it", file: path,
      suggestion: .text("remove it, or write to another folder"))
  }

  /// Discards the bytes of the file after the first `size`.
  package func truncate(to size: Int = 0) throws(TrackError) {
    if FileDescriptor.retrying({ SystemFaults.attempt(.truncate) { ftruncate(descriptor, off_t(size)) } }) < 0
    {
      throw FileDescriptor.unwritable(name)
    }
  }

  /// Creates a new file at `path` with a unique suffix. Errors refer to it as `name`, or as `path`.
  package static func temporary(
    beside path: String, name: String? = nil, permissions: UInt32 = 0o666
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
        return FileDescriptor(descriptor, isOwned: true, name: name ?? path, path: candidate)
      }
      if errno != EEXIST || attempt == 99 { break }
    }
    throw notCreatable(path)
  }

  static func notCreatable(_ path: String) -> TrackError {
    let reason = errno
    return TrackError(
      FileHint.isFull(reason) ? .noSpace : .notCreatable, TrackError.systemMessage(reason), file: path,
      suggestion: FileHint.forMaking(reason, in: FileName.folder(path)))
  }

  /// Returns the problem with a path that does not exist.
  private static func missingHint(_ path: String) -> Suggestion {
    if let target = link(path) { return .text("it is a link to \(target), which does not exist") }
    let folder = FileName.folder(path)
    guard !folder.isEmpty, kind(at: folder) != .folder else { return .checkName }
    // Messages contain the paths of files in archives, which look like this.
    let advice = "; if it is an archive, name the archive alone, or unpack it to read one of its files"
    return .text(FileHint.obstacle(folder, ifFile: advice) ?? "there is no folder \(folder)")
  }

  /// Creates an unnamed file in the folder for temporary files (``TemporaryFiles/folder``), which is deleted
  /// when it is closed.
  package static func anonymous() throws(TrackError) -> FileDescriptor {
    let folder = TemporaryFiles.folder
    let file = try temporary(
      beside: folder + "/spool", name: "a temporary file in \(folder)", permissions: 0o600)
    remove(file.path)
    return file
  }

  package enum Kind { case regular, folder, other }

  package var kind: Kind {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return .other }
    return FileDescriptor.kind(of: status)
  }

  /// Whether hard links give the file further names.
  private var hasOtherNames: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 1
  }

  /// Copies the permissions of the file that a new file will replace, if it exists, without the set-user-ID
  /// and set-group-ID bits.
  package func copyMode(from path: String) {
    var status = stat()
    if unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 {
      _ = fchmod(descriptor, status.st_mode & 0o777)
    }
  }

  /// The permission bits of the file; nil if the system does not return them.
  package var permissions: UInt32? {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? UInt32(status.st_mode & 0o7777) : nil
  }

  /// Reads up to `count` bytes to `start`. Returns the number of bytes, 0 at the end.
  @unsafe
  package func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    try checkedRead { unsafe systemRead(descriptor, start, count) }
  }

  /// Reads up to `count` bytes at an offset in a regular file to `start`, without using or changing the
  /// file's position. Returns the number of bytes, 0 at the end.
  @unsafe
  package func read(
    to start: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int
  ) throws(TrackError) -> Int {
    try checkedRead { unsafe pread(descriptor, start, count, off_t(offset)) }
  }

  private func checkedRead(_ call: () -> Int) throws(TrackError) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      let reason = errno
      if reason != EINTR {
        throw TrackError(
          .unreadable, TrackError.systemMessage(reason), file: name,
          suggestion: FileHint.forReading(reason))
      }
    }
  }

  /// Returns `count` bytes at an offset in a regular file, fewer at its end.
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

  /// The number of bytes per write call. Larger chunks need large contiguous memory in the system's page
  /// cache, which is slow to allocate.
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

  /// The position of reading and writing in bytes; nil if the file has no position, as a pipe.
  package var position: Int? {
    let position = lseek(descriptor, 0, SEEK_CUR)
    return position < 0 ? nil : Int(position)
  }

  /// Moves the position of reading and writing to an offset.
  package func seek(to offset: Int) throws(TrackError) {
    if lseek(descriptor, off_t(offset), SEEK_SET) < 0 { throw FileDescriptor.unwritable(name) }
  }

  /// Locks the file for this program until the file is closed or the program ends.
  ///
  /// - Returns: false if another program has locked it. True if it is locked now, or if the file system does
  ///   not support locks.
  package func claim() -> Bool { systemLock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

  /// The size of a regular file in bytes; nil for other files.
  package var size: Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, FileDescriptor.kind(of: status) == .regular else {
      return nil
    }
    return Int(status.st_size)
  }

  private static func creating(_ call: () -> Int32) -> Int32 {
    retrying { SystemFaults.attempt(.create, call) }
  }

  static func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  static func unwritable(_ path: String) -> TrackError {
    let reason = errno
    return TrackError(
      FileHint.isFull(reason) ? .noSpace : .unwritable, TrackError.systemMessage(reason), file: path,
      suggestion: FileHint.forWriting(reason))
  }
}

// The system calls under names that the methods above do not hide.
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
