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
  let descriptor: Int32
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
    let descriptor = retrying {
      unsafe FileName.with(path) {
        unsafe open($0, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      }
    }
    guard descriptor >= 0 else { throw notCreatable(path) }
    return FileDescriptor(descriptor, isOwned: true, name: path)
  }

  /// Opens a file for reading and appending, and makes it where there is none.
  ///
  /// - Parameter isNew: whether what is in it goes.
  package static func lines(_ path: String, isNew: Bool) throws(TrackError) -> FileDescriptor {
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the name of a file is empty") }
    let descriptor = retrying {
      unsafe FileName.with(path) {
        unsafe open($0, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | (isNew ? O_TRUNC : 0), 0o666)
      }
    }
    guard descriptor >= 0 else { throw notCreatable(path) }
    return FileDescriptor(descriptor, isOwned: true, name: path)
  }

  /// Makes a new file that nobody else has, at `path` with a suffix of its own; errors call it `path`.
  package static func temporary(beside path: String) throws(TrackError) -> FileDescriptor {
    for attempt in 0..<100 {
      let candidate = "\(path).\(getpid())-\(UInt32.random(in: .min ... .max)).part"
      let descriptor = TemporaryFiles.shared.make(candidate) {
        retrying {
          unsafe FileName.with(candidate) { unsafe open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        }
      }
      if descriptor >= 0 {
        return FileDescriptor(descriptor, isOwned: true, name: path, path: candidate)
      }
      if errno != EEXIST || attempt == 99 { break }
    }
    throw notCreatable(path)
  }

  static func notCreatable(_ path: String) -> TrackError {
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

  /// Makes a file without a name in the folder for temporary files (``TemporaryFiles/folder``), which is gone
  /// when it is closed.
  package static func anonymous() throws(TrackError) -> FileDescriptor {
    let file = try temporary(beside: TemporaryFiles.folder + "/ghost-convert")
    remove(file.path)
    return file
  }

  package enum Kind { case regular, folder, other }

  package var kind: Kind {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return .other }
    return FileDescriptor.kind(of: status)
  }

  /// Gives a new file the permissions of the one that it will replace, where there is one.
  package func copyMode(from path: String) {
    var status = stat()
    if unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 {
      _ = fchmod(descriptor, status.st_mode & 0o7777)
    }
  }

  /// Reads up to `count` bytes to `start`; 0 at the end.
  @unsafe
  package func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    try checkedRead { unsafe systemRead(descriptor, start, count) }
  }

  /// Reads up to `count` bytes from a place in a regular file to `start`, wherever it was read before; 0 at
  /// the end.
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

  /// Makes the file this program's own, until it is closed or the program ends in whatever way.
  ///
  /// - Returns: false where another program has it; true also where the file system knows no such thing.
  package func claim() -> Bool { systemLock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

  /// How many bytes a regular file has; nil for what is none.
  package var size: Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, FileDescriptor.kind(of: status) == .regular else {
      return nil
    }
    return Int(status.st_size)
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
      FileHint.isFull(reason) ? .noSpace : .unwritable, systemMessage(reason), file: path,
      suggestion: FileHint.forWriting(reason))
  }

  /// The system's words for a failure, begun with a small letter like all messages.
  static func systemMessage(_ reason: Int32 = errno) -> String {
    let message = unsafe String(cString: strerror(reason))
    return message.prefix(1).lowercased() + message.dropFirst()
  }
}

// The system's calls under names that the methods above do not hide.
private func systemRead(_ descriptor: Int32, _ start: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  unsafe read(descriptor, start, count)
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  unsafe write(descriptor, start, count)
}

private func systemLock(_ descriptor: Int32, _ operation: Int32) -> Int32 { flock(descriptor, operation) }
