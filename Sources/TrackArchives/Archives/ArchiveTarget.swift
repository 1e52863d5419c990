import TrackFormats
import TrackModel

/// The output of an archive. It outlives the handle, which writes when it is freed.
///
/// libarchive leaks the memory of an open entry when writing fails, so a failure is kept here instead: later
/// bytes are discarded, and the writer throws ``error`` after each call.
@safe
final class ArchiveTarget {
  private var sink: ByteSink
  private(set) var error: TrackError?
  private var isDiscarding = false

  init(_ sink: consuming ByteSink) { self.sink = sink }

  var bytes: [UInt8] { sink.bytes }

  /// Discards everything written from now on.
  func discard() { isDiscarding = true }

  func write(_ start: UnsafeRawPointer, _ count: Int) {
    guard !isDiscarding else { return }
    let bytes = unsafe Span(_unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: count)
    do throws(TrackError) { try sink.write(bytes) } catch {
      self.error = error
      isDiscarding = true
    }
  }

  func finish() throws(TrackError) { try sink.finish() }
}
