import Synchronization
public import TrackModel

/// A completed file that has not been renamed to its final name yet, so that the caller can still discard it.
///
/// ```swift
/// let held = StagedFile()
/// var writer = GPXWriter(try ByteSink(path: path, held: held))
/// …
/// try writer.finish()
/// if writer.losses.isEmpty { try held.keep() }
/// ```
///
/// A file that is not kept is removed when its owner is destroyed. Streams cannot be staged, because they are
/// written directly.
public final class StagedFile: Sendable {
  private struct File {
    var temporary: String
    var final: String
    /// Whether there is a file of the final name.
    var replaces: Bool
  }
  private let file = Mutex<File?>(nil)

  /// Creates an object without a file, to be passed to a ``ByteSink``.
  public init() {}

  deinit { if let file = file.withLock({ $0 }) { FileDescriptor.remove(file.temporary) } }

  /// Takes ownership of a completed file.
  func take(_ temporary: String, for final: String, replaces: Bool) {
    file.withLock { $0 = File(temporary: temporary, final: final, replaces: replaces) }
  }

  /// The size and the modification time of the file, which renaming preserves; nil if there is none.
  public var stamp: String? { file.withLock { $0?.temporary }.flatMap { FileDescriptor.stamp($0) } }

  /// Returns the size and modification time of a file with its final name.
  public static func stamp(of path: String) -> String? { FileDescriptor.stamp(path) }

  /// Renames the file to its final name. If it replaces another file, it is on the disk before.
  public func keep() throws(TrackError) {
    if let error = StagedFile.keep([self], waitsForNew: false)[0] { throw error }
  }

  /// Renames files to their final names when all of them are on the disk. Waiting for many files takes little
  /// longer than waiting for one.
  ///
  /// - Parameters:
  ///   - outputs: the files.
  ///   - waitsForNew: whether to wait also for files that do not replace others.
  /// - Returns: for each file the error, or nil.
  public static func keep(_ outputs: [StagedFile], waitsForNew: Bool = true) -> [TrackError?] {
    let files = outputs.map { $0.file.withLock { $0 } }
    let waiting = files.compactMap { $0 }.filter { waitsForNew || $0.replaces }
    var fault: TrackError?
    do throws(TrackError) { try FileDescriptor.synchronize(waiting.map(\.temporary)) } catch { fault = error }
    return zip(outputs, files).map { output, file in
      guard let file else { return nil }
      if waitsForNew || file.replaces, let fault {
        return TrackError(fault.code, fault.message, file: file.final, suggestion: fault.suggestion)
      }
      do throws(TrackError) {
        try FileDescriptor.rename(file.temporary, to: file.final)
        output.file.withLock { $0 = nil }
        return nil
      } catch {
        return error
      }
    }
  }
}
