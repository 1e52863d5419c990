import Synchronization
public import TrackModel

/// A file that is written and has not yet taken its place, so that who has written it can still decide
/// against it.
///
/// ```swift
/// let held = HeldOutput()
/// var writer = GPXWriter(try ByteSink(path: path, held: held))
/// …
/// try writer.finish()
/// if writer.losses.isEmpty { try held.keep() }
/// ```
///
/// What is not kept is removed with its owner. A stream cannot be held: it is gone when it is written.
public final class HeldOutput: Sendable {
  private struct File {
    var temporary: String
    var final: String
    /// Whether its bytes are on the disk.
    var isOnDisk: Bool
  }
  private let file = Mutex<File?>(nil)
  /// Whether the file waits for the disk by itself, and not together with others (``keep(_:)``).
  let waitsAlone: Bool

  public init(waitsAlone: Bool = true) { self.waitsAlone = waitsAlone }

  deinit { if let file = file.withLock({ $0 }) { FileDescriptor.remove(file.temporary) } }

  /// Takes over a file that is whole.
  func take(_ temporary: String, for final: String) {
    file.withLock { $0 = File(temporary: temporary, final: final, isOnDisk: waitsAlone) }
  }

  /// How many bytes the file has and when it was last written, which it takes along to its place; nil where
  /// there is none.
  public var stamp: String? { file.withLock { $0?.temporary }.flatMap { FileDescriptor.stamp($0) } }

  /// The same of a file that has taken its place.
  public static func stamp(of path: String) -> String? { FileDescriptor.stamp(path) }

  /// Lets the file take its place.
  public func keep() throws(TrackError) {
    if let error = HeldOutput.keep([self])[0] { throw error }
  }

  /// Lets files take their places once all of them are on the disk. To wait for many at once takes hardly
  /// longer than for one.
  ///
  /// - Returns: per file what went wrong with it.
  public static func keep(_ outputs: [HeldOutput]) -> [TrackError?] {
    let files = outputs.map { $0.file.withLock { $0 } }
    let waiting = files.compactMap { $0 }.filter { !$0.isOnDisk }
    var fault: TrackError?
    do throws(TrackError) { try FileDescriptor.synchronize(waiting.map(\.temporary)) } catch { fault = error }
    return zip(outputs, files).map { output, file in
      guard let file else { return nil }
      if !file.isOnDisk, let fault {
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
