import GhostExport
import TrackFormats
import TrackModel

extension ComparisonOutput {
  /// Returns the file's content as text.
  func text(_ document: ComparisonDocument, _ options: ExportOptions = ExportOptions()) throws -> String {
    String(decoding: try bytes(document, options: options), as: UTF8.self)
  }
}

/// Readings of an export with the project's readers.
enum Reading {
  static func gpx(_ bytes: [UInt8]) throws -> TrackDocument {
    var reader = GPXReader(ByteInput(bytes: bytes), options: ReadingOptions(isStrict: true))
    return try TrackDocument(reading: &reader)
  }

  static func kml(_ bytes: [UInt8]) throws -> TrackDocument {
    var reader = KMLReader(ByteInput(bytes: bytes))
    return try TrackDocument(reading: &reader)
  }

  static func geojson(_ bytes: [UInt8]) throws -> TrackDocument {
    var reader = GeoJSONReader(ByteInput(bytes: bytes), options: ReadingOptions(isStrict: true))
    return try TrackDocument(reading: &reader)
  }
}
