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
    case ENOENT where FileDescriptor.kind(at: place) == .folder:
      .text("files cannot be created in \(place); write elsewhere")
    case ENOENT, ENOTDIR: .text("create the folder \(place), or write elsewhere")
    case EACCES, EPERM: .text("you may not write in \(place); write elsewhere")
    case EROFS: .text("\(place) cannot be changed; write elsewhere")
    case ENOSPC, EDQUOT: full
    case ENAMETOOLONG: .text("give a shorter name")
    case ELOOP: .text("its symbolic links form a loop")
    case EMFILE, ENFILE: .text("too many files are open; close other programs")
    default: nil
    }
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
