import TrackFormats
import TrackModel

/// Complete conversions in memory.
enum Conversion {
  /// Passes all events of a reader to a writer and finishes it.
  static func copy<Reader: TrackReader & ~Copyable, Writer: TrackWriter & ~Copyable>(
    _ reader: inout Reader, to writer: inout Writer, capacity: Int = PointBatch.defaultCapacity
  ) throws(TrackError) {
    var batch = PointBatch(capacity: capacity)
    while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    try writer.finish()
  }

  /// Returns a document as GPX, with the losses.
  static func gpx(
    _ document: TrackDocument, capacity: Int = 64
  ) throws(TrackError) -> (bytes: [UInt8], losses: LossReport) {
    var reader = TrackDocumentReader(document)
    var writer = GPXWriter(ByteSink())
    try copy(&reader, to: &writer, capacity: capacity)
    return (writer.bytes, writer.losses)
  }

  /// Returns GPX that was read and written again.
  static func rewritten(_ gpx: [UInt8], capacity: Int = 64) throws(TrackError) -> [UInt8] {
    var reader = GPXReader(ByteInput(bytes: gpx))
    var writer = GPXWriter(ByteSink())
    try copy(&reader, to: &writer, capacity: capacity)
    return writer.bytes
  }

  static func rewritten(_ gpx: String) throws(TrackError) -> String {
    String(decoding: try rewritten(Array(gpx.utf8)), as: UTF8.self)
  }

  static func document(_ gpx: [UInt8]) throws(TrackError) -> TrackDocument {
    var reader = GPXReader(ByteInput(bytes: gpx))
    return try TrackDocument(reading: &reader)
  }
}
