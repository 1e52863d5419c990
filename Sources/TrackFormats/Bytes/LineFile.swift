public import TrackModel

/// A file of lines that grows while a program runs, such as a report or a journal: what a crash cuts is the
/// last line and nothing before it.
public final class LineFile: Sendable {
  public let path: String
  private let file: FileDescriptor
  /// The name that the file gets when it is whole.
  private let final: String?
  private let isReport: @Sendable ([UInt8]) -> Bool

  private init(
    _ file: FileDescriptor, _ path: String, final: String? = nil,
    isReport: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) {
    self.file = file
    self.path = path
    self.final = final
    self.isReport = isReport
  }

  /// What is written while a report is not whole.
  public static let partEnding = ".part"

  /// Begins a report: under its name with `.part` behind it until ``finish()``, so that one of this name is
  /// always whole. What an earlier run has left there goes, and nothing else does. Standard output for `-`, a
  /// device or a pipe gets the lines directly.
  ///
  /// - Parameter isReport: whether a first line, without its line feed and perhaps cut, is that of a report.
  /// - Throws: `notCreatable` where the folder is missing or not writable; `usage` where there is a file that
  ///   is no report.
  public static func report(
    _ path: String, isReport: @escaping @Sendable (_ firstLine: [UInt8]) -> Bool
  ) throws(TrackError) -> LineFile {
    if path == "-" { return LineFile(.standardOutput, "standard output") }
    let final = try FileDescriptor.resolved(path)
    switch FileDescriptor.kind(at: final) {
    case .folder: throw TrackError(.notCreatable, "is a folder, not a file", file: path)
    case .other: return LineFile(try FileDescriptor.writing(existing: final), path)
    case .regular, nil:
      let part = final + partEnding
      for file in [final, part] where try !isReplaceable(file, isReport) {
        throw TrackError(
          .usage, "is there and is no report of an earlier run, so it is not replaced",
          file: file == final ? path : path + partEnding, suggestion: .text("give the report another name"))
      }
      do throws(TrackError) {
        let file = try FileDescriptor.lines(part)
        try file.removeContents()
        return LineFile(file, path, final: final, isReport: isReport)
      } catch {
        // Nobody has named the other name.
        throw TrackError(error.code, error.message, file: path, suggestion: error.suggestion)
      }
    }
  }

  /// Whether a file is an earlier report, or has nothing in it, or is not there.
  private static func isReplaceable(
    _ path: String, _ isReport: ([UInt8]) -> Bool
  ) throws(TrackError) -> Bool {
    guard FileDescriptor.kind(at: path) != nil else { return true }
    guard FileDescriptor.kind(at: path) == .regular else { return false }
    let bytes = try FileDescriptor.reading(path).bytes(from: 0, count: longestFirstLine)
    return bytes.isEmpty || isReport(Array(bytes.prefix { $0 != 0x0A }))
  }

  /// Bytes that are looked at of what may be a report.
  private static let longestFirstLine = 1 << 16

  /// Opens a journal, or creates it. What is in it stays.
  ///
  /// - Throws: `notCreatable` for a link, which is not followed.
  public static func journal(_ path: String) throws(TrackError) -> LineFile {
    let file = try FileDescriptor.lines(path)
    // A line that was cut must not be the beginning of the next one.
    if let size = file.size, size > 0, try file.bytes(from: size - 1, count: 1) != [0x0A] {
      try file.write([0x0A].span)
    }
    return LineFile(file, path)
  }

  /// All bytes in the file.
  public func contents() throws(TrackError) -> [UInt8] { try file.bytes(from: 0, count: file.size ?? 0) }

  /// Discards everything in the file.
  public func removeContents() throws(TrackError) { try file.removeContents() }

  /// Adds lines, each with its line feed.
  public func append(_ lines: String) throws(TrackError) {
    guard !lines.isEmpty else { return }
    try file.write(Array(lines.utf8).span)
  }

  /// Ends a report: it is on the disk, and has its name.
  ///
  /// - Throws: `unwritable`; `usage` where there is a file of its name now that is no report.
  public func finish() throws(TrackError) {
    guard let final else { return }
    try file.synchronize()
    // The run itself may have put an output there.
    guard try LineFile.isReplaceable(final, isReport) else {
      throw TrackError(
        .usage, "was made meanwhile and is no report, so it is not replaced", file: path,
        suggestion: .text("the report is in \(path)\(LineFile.partEnding)"))
    }
    try FileDescriptor.rename(final + LineFile.partEnding, to: final)
  }

  /// Removes the file.
  public func remove() { FileDescriptor.remove(path) }
}
