import TrackFormats
import TrackModel

/// Reads and writes KML in memory.
enum KMLTesting {
  /// Returns a placemark inside the elements that a file requires.
  static func file(_ content: String) -> String {
    """
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\
    \(content)</Document></kml>
    """
  }

  static func document(_ bytes: [UInt8]) throws(TrackError) -> TrackDocument {
    var reader = KMLReader(ByteInput(bytes: bytes))
    return try TrackDocument(reading: &reader)
  }

  static func document(_ text: String) throws(TrackError) -> TrackDocument { try document(Array(text.utf8)) }

  /// Returns a document as KML, and the losses.
  static func kml(
    _ document: TrackDocument, addsPlainLines: Bool = false, capacity: Int = 64
  ) throws(TrackError) -> (bytes: [UInt8], losses: LossReport) {
    var reader = TrackDocumentReader(document)
    var writer = KMLWriter(ByteSink(), addsPlainLines: addsPlainLines)
    try Conversion.copy(&reader, to: &writer, capacity: capacity)
    return (writer.bytes, writer.losses)
  }

  /// Returns a document as KML text.
  static func text(_ document: TrackDocument, addsPlainLines: Bool = false) throws(TrackError) -> String {
    String(decoding: try kml(document, addsPlainLines: addsPlainLines).bytes, as: UTF8.self)
  }

  /// Returns a document as the lines of its transcript.
  static func lines(of document: TrackDocument) -> [String] {
    var reader = TrackDocumentReader(document)
    return Transcript(reading: &reader).lines
  }

  /// Reads KML and writes it again.
  static func rewritten(_ kml: [UInt8]) throws(TrackError) -> [UInt8] {
    var reader = KMLReader(ByteInput(bytes: kml))
    var writer = KMLWriter(ByteSink())
    try Conversion.copy(&reader, to: &writer)
    return writer.bytes
  }
}

extension Transcript {
  /// Reads KML bytes.
  init(
    kml bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = KMLReader(ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }

  init(kml text: String, chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false) {
    self.init(kml: Array(text.utf8), chunk: chunk, capacity: capacity, isStrict: isStrict)
  }
}
