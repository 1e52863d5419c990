import Synchronization
import TrackArchives
import TrackFormats
public import TrackModel

/// A file with a line for each input. The first write failure ends it.
public final class InputReport: Sendable {
  private let file: LineFile?
  private let hint: @Sendable (TrackError) -> String?
  private let onFault: @Sendable (TrackError) -> Void
  private let firstFault = Mutex<TrackError?>(nil)

  /// Creates a report, or an object that ignores records if no path is given.
  ///
  /// - Parameters:
  ///   - path: `-` for standard output; nil for no report.
  ///   - hint: returns the suggestion for an error.
  ///   - onFault: called once if the report cannot be written.
  /// - Throws: `TrackError` if the report cannot be created, or would replace anything but an earlier
  ///   report.
  public init(
    _ path: String?, hint: @escaping @Sendable (TrackError) -> String? = { _ in nil },
    onFault: @escaping @Sendable (TrackError) -> Void = { _ in }
  ) throws(TrackError) {
    self.hint = hint
    self.onFault = onFault
    file = if let path { try LineFile.report(path) { InputRecord.isRecord($0) } } else { nil }
  }

  /// Returns the files to which a report with this name is written.
  package static func files(_ path: String) -> [String] { [path, path + LineFile.partEnding] }

  /// Returns whether a file is the same as that of a report, which may not exist yet. A device can be both.
  package static func isSame(_ path: String, asReport report: String) -> Bool {
    func location(_ path: String) -> String {
      let folder = FileName.folder(path)
      return (ByteSink.absolutePath(folder.isEmpty ? "." : folder) ?? folder) + "/"
        + path.dropFirst(folder.count)
    }
    func isDevice(_ path: String) -> Bool {
      InputEnumerator.exists(path) && InputEnumerator.size(path) == nil
    }
    return location(path) == location(report) || ByteSink.areSame(path, report) && !isDevice(report)
  }

  /// Whether there is a report.
  package var isWanted: Bool { file != nil }
  /// The reason why the report is incomplete, if it is.
  public var fault: TrackError? { firstFault.withLock { $0 } }

  package func add(_ records: [InputRecord]) {
    perform { file throws(TrackError) in
      try file.append(records.map { $0.line(hint: $0.error.flatMap(hint)) }.joined())
    }
  }

  /// Gives the complete report its name.
  public func finish() { perform { file throws(TrackError) in try file.finish() } }

  private func perform(_ body: (LineFile) throws(TrackError) -> Void) {
    guard let file, fault == nil else { return }
    do throws(TrackError) { try body(file) } catch {
      firstFault.withLock { $0 = error }
      onFault(error)
    }
  }
}
