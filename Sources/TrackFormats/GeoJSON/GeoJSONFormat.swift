import TrackModel

extension TrackFormat {
  /// One GeoJSON object per file (RFC 7946). Read and written.
  public static let geojson = TrackFormat(
    name: "geojson", title: "GeoJSON (RFC 7946), with times and sensors as togeojson writes them",
    fileExtensions: ["geojson", "json"],
    recognizes: { $0.json.isGeoJSON && !$0.json.isSequence },
    reading: { input, options in GeoJSONReader(input, options: options) },
    writing: { GeoJSONWriter($0) })

  /// GeoJSON features one after the other (RFC 8142), or one per line. Read; written with record separators.
  public static let geojsonseq = TrackFormat(
    name: "geojsonseq", title: "GeoJSON text sequences (RFC 8142), and one object per line",
    fileExtensions: ["geojsons", "geojsonl", "geojsonseq", "ndgeojson", "ndjson"],
    recognizes: { $0.json.isGeoJSON && $0.json.isSequence },
    reading: { input, options in GeoJSONReader(input, options: options) },
    writing: { GeoJSONWriter($0, isSequence: true) })
}

extension JSONOpening {
  /// Whether the first object looks like RFC 7946.
  var isGeoJSON: Bool {
    guard !isArray else { return false }
    if let type, GeoJSONType(rawValue: GeoJSONType.names.code(of: Array(type.utf8).span)) != nil {
      return true
    }
    return hasLocationFeatures
      || !names.isDisjoint(with: ["features", "geometry", "coordinates", "geometries"])
  }
}
