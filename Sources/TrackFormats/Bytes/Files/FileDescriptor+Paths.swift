package import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files by their paths: their kind, identity and size, folders, links and names.
extension FileDescriptor {
  /// Returns the kind of a path, following links, or nil if it does not exist.
  package static func kind(at path: String) -> Kind? {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0 else { return nil }
    return kind(of: status)
  }

  /// Returns whether a path is a named pipe, following links. A pipe that the shell created for a command is
  /// not a named pipe.
  package static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    guard !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/"),
      unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0
    else { return false }
    return status.st_mode & S_IFMT == S_IFIFO
  }

  /// Returns the size of a regular file in bytes, following links, or nil for other or missing files.
  package static func size(at path: String) -> Int? {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0, kind(of: status) == .regular else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Returns the size and the modification time of a file, a cheap fingerprint for detecting changes; nil if
  /// it is not a regular file.
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

  static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Returns the path of an existing or future file with links resolved. A dangling link yields its target,
  /// which does not exist. The path of a pipe or device is returned unchanged, because links to open ones,
  /// such as `/dev/stdout`, have targets that are not paths.
  ///
  /// - Throws: `notCreatable` if links form a cycle.
  package static func resolved(_ name: String) throws(TrackError) -> String {
    if kind(at: name) == .other { return name }
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
      .notCreatable, TrackError.systemMessage(ELOOP), file: name,
      suggestion: FileHint.forMaking(ELOOP, in: ""))
  }

  /// Returns the target as stored in a link, or nil if the path is not a link.
  static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe FileName.with(path) { unsafe readlink($0, &buffer, Int(PATH_MAX)) }
    guard count > 0 else { return nil }
    return unsafe FileName.text(&buffer)
  }

  /// Creates a folder with its parents, if missing.
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
          FileHint.isFull(reason) ? .noSpace : .notCreatable, TrackError.systemMessage(reason), file: prefix,
          suggestion: link(prefix).map { .text("it is a link to \($0), which does not exist") }
            ?? FileHint.forMaking(reason, in: FileName.folder(prefix)))
      }
    }
  }

  /// Returns the names in a folder without `.` and `..`, ordered by their bytes.
  package static func names(inFolder path: String) throws(TrackError) -> [String] {
    guard let folder = unsafe FileName.with(path, { unsafe opendir($0) }) else {
      let reason = errno
      throw TrackError(
        reason == ENOENT ? .notFound : .unreadable, TrackError.systemMessage(reason), file: path,
        suggestion: FileHint.forReading(reason))
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while true {
      // Only errno distinguishes an error from the end of the folder.
      errno = 0
      let isFailing = SystemFaults.attempt(.readFolder) { 0 } != 0
      guard !isFailing, let entry = unsafe readdir(folder) else {
        let reason = errno
        guard reason != 0 else { break }
        throw TrackError(
          .unreadable, TrackError.systemMessage(reason), file: path, suggestion: FileHint.forReading(reason))
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: start.pointee)) {
          unsafe FileName.text($0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { FileName.precedes($0, $1) }
  }

  /// Returns whether a path itself is a link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe FileName.with(path, { unsafe lstat($0, &status) }) == 0
      && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns whether two paths refer to the same file.
  package static func areSame(_ first: String, _ second: String) -> Bool {
    var one = stat()
    var other = stat()
    guard unsafe FileName.with(first, { unsafe stat($0, &one) }) == 0,
      unsafe FileName.with(second, { unsafe stat($0, &other) }) == 0
    else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Returns the identity of a regular file, following links, or nil for anything else.
  package static func identity(at path: String) -> FileIdentity? {
    var status = stat()
    guard unsafe FileName.with(path, { unsafe stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return FileIdentity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// Renames a file atomically, replacing an existing one.
  package static func rename(_ old: String, to new: String) throws(TrackError) {
    if systemRename(old, new) != 0 { throw unwritable(new) }
    TemporaryFiles.shared.forget(old)
  }

  /// Removes a name, if it exists.
  package static func unlink(_ path: String) { _ = unsafe FileName.with(path) { unsafe systemUnlink($0) } }

  package static func remove(_ path: String) {
    unlink(path)
    TemporaryFiles.shared.forget(path)
  }
}

// The system calls under names that the methods above do not hide.
private func systemUnlink(_ path: UnsafePointer<CChar>) -> Int32 {
  SystemFaults.attempt(.remove) { unsafe unlink(path) }
}

private func systemRename(_ old: String, _ new: String) -> Int32 {
  SystemFaults.attempt(.rename) {
    unsafe FileName.with(old) { old in unsafe FileName.with(new) { new in unsafe rename(old, new) } }
  }
}
