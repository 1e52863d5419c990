import TrackFormats
import TrackModel

extension Transcript {
  /// Reads GeoJSON.
  init(
    geojson bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    var reader = GeoJSONReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }

  init(
    geojson text: String, chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false
  ) {
    self.init(geojson: Array(text.utf8), chunk: chunk, capacity: capacity, isStrict: isStrict)
  }
}

/// Returns GeoJSON bytes as a document.
enum GeoJSON {
  static func document(_ bytes: [UInt8]) throws(TrackError) -> TrackDocument {
    var reader = GeoJSONReader(ByteInput(bytes: bytes))
    return try TrackDocument(reading: &reader)
  }

  static func document(_ text: String) throws(TrackError) -> TrackDocument { try document(Array(text.utf8)) }

  /// Returns a document as GeoJSON text, with the losses.
  static func written(
    _ document: TrackDocument, capacity: Int = 64, isSequence: Bool = false
  ) throws(TrackError) -> (text: String, losses: LossReport) {
    var reader = TrackDocumentReader(document)
    var writer = GeoJSONWriter(ByteSink(), isSequence: isSequence)
    try Conversion.copy(&reader, to: &writer, capacity: capacity)
    return (String(decoding: writer.bytes, as: UTF8.self), writer.losses)
  }

  /// Returns a document's transcript, for comparison.
  static func transcript(of document: TrackDocument) -> String {
    var reader = TrackDocumentReader(document)
    return Transcript(reading: &reader).text
  }

  /// Returns a FeatureCollection of these features.
  static func collection(_ features: String...) -> String {
    "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
  }

  /// Returns a Feature with the properties before the geometry, as togeojson writes it.
  static func feature(_ geometry: String, _ properties: String = "{}") -> String {
    "{\"type\":\"Feature\",\"properties\":\(properties),\"geometry\":\(geometry)}"
  }

  static func line(_ coordinates: String) -> String {
    "{\"type\":\"LineString\",\"coordinates\":[\(coordinates)]}"
  }
}
