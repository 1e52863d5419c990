import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Suggestions for system errors by their number; nil if there is no useful one.
enum FileHint {
  static func forReading(_ reason: Int32) -> Suggestion? {
    switch reason {
    case EACCES, EPERM: .checkPermissions
    case ENAMETOOLONG: .text("check the name")
    case ELOOP: .text("its symbolic links form a loop")
    case EMFILE, ENFILE: .text("too many files are open; close other programs")
    case EIO: .text("the disk or the network failed; copy the file elsewhere if you can")
    default: nil
    }
  }

  /// - Parameter folder: the folder for the file, with a trailing slash.
  static func forMaking(_ reason: Int32, in folder: String) -> Suggestion? {
    let place = folder.isEmpty ? "this folder" : folder
    return switch reason {
    case ENOENT where folder.isEmpty: .text("the current folder was removed; change to another one")
    case ENOENT where FileDescriptor.kind(at: folder) == .folder:
      .text("files cannot be created in \(folder); write elsewhere")
    case ENOENT, ENOTDIR:
      .text(
        obstacle(folder).map { "\($0); write elsewhere" } ?? "create the folder \(folder), or write elsewhere"
      )
    case EACCES, EPERM: .text("you may not write in \(place); write elsewhere")
    case EROFS: .text("\(place) cannot be changed; write elsewhere")
    case ENOSPC, EDQUOT: full
    case ENAMETOOLONG: .text("give a shorter name")
    case ELOOP: .text("its symbolic links form a loop")
    case EMFILE, ENFILE: .text("too many files are open; close other programs")
    default: nil
    }
  }

  /// Returns the error of an output that is a folder.
  static func folder(_ path: String) -> TrackError {
    TrackError(.notCreatable, "is a folder, not a file", file: path, suggestion: .text("add a file name"))
  }

  /// Returns the reason why a folder cannot be created, or nil: a part of its path is a file, or a link to a
  /// missing one.
  ///
  /// - Parameter advice: is appended if it is a file.
  static func obstacle(_ folder: String, ifFile advice: String = "") -> String? {
    var path = folder
    while !path.isEmpty {
      if path.hasSuffix("/") {
        path.removeLast()
      } else if let kind = FileDescriptor.kind(at: path) {
        return kind == .folder ? nil : "\(path) is a file, not a folder\(advice)"
      } else if let target = FileDescriptor.link(path) {
        return "\(path) is a link to \(target), which does not exist"
      } else {
        path = FileName.folder(path)
      }
    }
    return nil
  }

  static func forWriting(_ reason: Int32) -> Suggestion? {
    switch reason {
    case ENOSPC, EDQUOT: full
    case EFBIG: .text("the file system has a limit for files; write to another one")
    case EPIPE: .text("the program that reads it has ended")
    case EIO: .text("the disk or the network fails; write elsewhere")
    default: nil
    }
  }

  /// Returns whether there is no space for any file.
  static func isFull(_ reason: Int32) -> Bool { reason == ENOSPC || reason == EDQUOT }

  private static let full = Suggestion.text("make room, or write to another disk")
}
