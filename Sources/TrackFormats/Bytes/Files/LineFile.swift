package import TrackModel

/// A text file to which lines are appended while a program runs, such as a report or a journal. A crash can
/// truncate only the last line.
package final class LineFile: Sendable {
  package let path: String
  private let file: FileDescriptor
  /// The name of the file when it is complete.
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

  /// The suffix of an incomplete report's name.
  package static let partEnding = ".part"

  /// Begins a report. Until ``finish()`` its name has the suffix `.part`, so that a file with the final name
  /// is always complete. Only reports of earlier runs are replaced. For `-` (standard output), a device or a
  /// pipe, lines are written directly.
  ///
  /// - Parameter isReport: returns whether a line, without its line feed and possibly truncated, is the first
  ///   line of a report.
  /// - Throws: `notCreatable` if the folder is missing or not writable; `usage` if there is a file that is
  ///   not a report.
  package static func report(
    _ path: String, isReport: @escaping @Sendable (_ firstLine: [UInt8]) -> Bool
  ) throws(TrackError) -> LineFile {
    if path == "-" { return LineFile(.standardOutput, "standard output") }
    let final = try FileDescriptor.resolved(path)
    switch FileDescriptor.kind(at: final) {
    case .folder: throw FileHint.folder(path)
    case .other: return LineFile(try FileDescriptor.writing(existing: final), path)
    case .regular, nil:
      let part = final + partEnding
      // A link can be to anything, so only one to a report is followed.
      let isLink = FileDescriptor.isLink(path)
      for file in [final, part] where try !isReplaceable(file, needsReport: isLink && file == final, isReport)
      {
        throw TrackError(
          .usage, "exists and is not a report of an earlier run, so it is not replaced",
          file: file == final ? path : path + partEnding, suggestion: .text("give the report another name"))
      }
      do throws(TrackError) {
        let file = try FileDescriptor.lines(part)
        try file.truncate()
        return LineFile(file, path, final: final, isReport: isReport)
      } catch {
        // The user specified only the final name.
        throw TrackError(error.code, error.message, file: path, suggestion: error.suggestion)
      }
    }
  }

  /// Returns whether a file is an earlier report or, unless one is needed, is empty or does not exist.
  private static func isReplaceable(
    _ path: String, needsReport: Bool, _ isReport: ([UInt8]) -> Bool
  ) throws(TrackError) -> Bool {
    guard FileDescriptor.kind(at: path) != nil else { return !needsReport }
    guard FileDescriptor.kind(at: path) == .regular else { return false }
    let bytes = try FileDescriptor.reading(path).bytes(from: 0, count: longestFirstLine)
    return bytes.isEmpty && !needsReport || isReport(Array(bytes.prefix { $0 != 0x0A }))
  }

  /// The number of bytes examined in an existing file.
  private static let longestFirstLine = 1 << 16

  /// Opens a journal, or creates it. Its content is kept.
  ///
  /// - Throws: `notCreatable` for a link, which is not followed.
  package static func journal(_ path: String) throws(TrackError) -> LineFile {
    let file = try FileDescriptor.lines(path)
    // A truncated line must not become the beginning of the next one.
    if let size = file.size, size > 0, try file.bytes(from: size - 1, count: 1) != [0x0A] {
      try file.write([0x0A].span)
    }
    return LineFile(file, path)
  }

  /// Returns all bytes in the file.
  package func contents() throws(TrackError) -> [UInt8] { try file.bytes(from: 0, count: file.size ?? 0) }

  /// Discards the contents of the file.
  package func removeContents() throws(TrackError) { try file.truncate() }

  /// Appends lines, each with its line feed.
  package func append(_ lines: String) throws(TrackError) {
    guard !lines.isEmpty else { return }
    try file.write(Array(lines.utf8).span)
  }

  /// Ends a report: waits until it is on disk and gives it its final name.
  ///
  /// - Throws: `unwritable`; `usage` if the final name was taken meanwhile by a file that is not a report.
  package func finish() throws(TrackError) {
    guard let final else { return }
    try file.synchronize()
    // The run itself may have written an output to this path.
    guard try LineFile.isReplaceable(final, needsReport: false, isReport) else {
      throw TrackError(
        .usage, "was created meanwhile and is not a report, so it is not replaced", file: path,
        suggestion: .text("the report is in \(path)\(LineFile.partEnding)"))
    }
    try FileDescriptor.rename(final + LineFile.partEnding, to: final)
  }

  /// Removes the file.
  package func remove() { FileDescriptor.remove(path) }
}
