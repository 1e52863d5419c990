import TestSupport
import TrackModel

@testable import TrackFormats

extension Transcript {
  /// Reads a file in a format, in chunks and batches of several sizes, which must not change the transcript.
  init(_ format: TrackFormat, _ text: String, isStrict: Bool = false) throws {
    try self.init(format, Array(text.utf8), isStrict: isStrict)
  }

  init(_ format: TrackFormat, _ bytes: [UInt8], isStrict: Bool = false) throws {
    let whole = try Transcript.read(format, bytes, chunk: ByteInput.defaultChunk, capacity: 64, isStrict)
    for (chunk, capacity) in [(1, 64), (7, 1), (61, 3)] {
      let part = try Transcript.read(format, bytes, chunk: chunk, capacity: capacity, isStrict)
      guard part.text == whole.text, part.violations.isEmpty else {
        self = part
        return
      }
    }
    self = whole
  }

  /// Reads a long text once, in chunks of the default size.
  init(once format: TrackFormat, _ text: String) throws {
    self = try Transcript.read(
      format, Array(text.utf8), chunk: ByteInput.defaultChunk, capacity: 4096, false)
  }

  private static func read(
    _ format: TrackFormat, _ bytes: [UInt8], chunk: Int, capacity: Int, _ isStrict: Bool
  ) throws -> Transcript {
    var reader = try format.reader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    return Transcript(reading: &reader, capacity: capacity)
  }
}

/// Returns the format that the registry detects.
func detected(_ bytes: [UInt8]) -> String? {
  var input = ByteInput(bytes: bytes)
  return (try? FormatRegistry.standard.detect(&input))?.name
}
