public import TrackModel

/// A file of lines that grows while a program runs, such as a report or a journal: what a crash cuts is the last line and
/// nothing before it.
public final class LineFile: Sendable {
  public let path: String
  private let file: FileDescriptor
  /// The name that the file gets when it is whole.
  private let final: String?

  private init(_ file: FileDescriptor, _ path: String, final: String? = nil) {
    self.file = file
    self.path = path
    self.final = final
  }

  /// What is written while a report is not whole.
  public static let partEnding = ".part"

  /// Begins a report: under its name with `.part` behind it until ``finish()``, so that one of this name is always whole.
  /// What an earlier run has left there goes. Standard output for `-`, a device or a pipe gets the lines directly.
  ///
  /// - Throws: `notCreatable` where the folder is missing or not writable.
  public static func report(_ path: String) throws(TrackError) -> LineFile {
    if path == "-" { return LineFile(.standardOutput, "standard output") }
    let final = try FileDescriptor.resolved(path)
    switch FileDescriptor.kind(at: final) {
    case .folder: throw TrackError(.notCreatable, "is a folder, not a file", file: path)
    case .other: return LineFile(try FileDescriptor.writing(existing: final), path)
    case .regular, nil:
      let part = final + partEnding
      return LineFile(try FileDescriptor.lines(part, isNew: true), path, final: final)
    }
  }

  /// Opens a journal; what is in it stays, unless it is to begin anew.
  public static func journal(_ path: String, isNew: Bool) throws(TrackError) -> LineFile {
    let file = try FileDescriptor.lines(path, isNew: isNew)
    // A line that was cut must not be the beginning of the next one.
    if let size = file.size, size > 0, try file.bytes(from: size - 1, count: 1) != [0x0A] {
      try file.write([0x0A].span)
    }
    return LineFile(file, path)
  }

  /// Adds lines, each with its line feed.
  public func append(_ lines: String) throws(TrackError) {
    guard !lines.isEmpty else { return }
    try file.write(Array(lines.utf8).span)
  }

  /// Ends a report: it is on the disk, and has its name.
  public func finish() throws(TrackError) {
    guard let final else { return }
    try file.synchronize()
    try FileDescriptor.rename(final + LineFile.partEnding, to: final)
  }

  /// Removes the file.
  public func remove() { FileDescriptor.remove(path) }
}
