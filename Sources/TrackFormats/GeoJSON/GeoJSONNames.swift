/// The members that RFC 7946 gives meaning to.
enum GeoJSONMember: UInt16 {
  /// A member without a meaning here; the code of the table for unknown.
  case other = 0
  case type, features, geometry, geometries, coordinates, properties, bbox, crs

  static let names = JSONNames([
    ("type", GeoJSONMember.type), ("features", .features), ("geometry", .geometry),
    ("geometries", .geometries),
    ("coordinates", .coordinates), ("properties", .properties), ("bbox", .bbox), ("crs", .crs),
  ])
}

/// The types of RFC 7946.
enum GeoJSONType: UInt16 {
  case point = 1
  case multiPoint, lineString, multiLineString, polygon, multiPolygon, geometryCollection
  case feature, featureCollection

  static let names = JSONNames([
    ("Point", GeoJSONType.point), ("MultiPoint", .multiPoint), ("LineString", .lineString),
    ("MultiLineString", .multiLineString), ("Polygon", .polygon), ("MultiPolygon", .multiPolygon),
    ("GeometryCollection", .geometryCollection), ("Feature", .feature),
    ("FeatureCollection", .featureCollection),
  ])

  var isLine: Bool { self == .lineString || self == .multiLineString }
  var isGeometry: Bool { self != .feature && self != .featureCollection }
  var isPolygon: Bool { self == .polygon || self == .multiPolygon }

  /// How deep the arrays of a geometry's coordinates lie in each other, the position's own included; nil for
  /// what has no coordinates.
  var depth: Int? {
    switch self {
    case .point: 1
    case .multiPoint, .lineString: 2
    case .multiLineString, .polygon: 3
    case .multiPolygon: 4
    case .geometryCollection, .feature, .featureCollection: nil
    }
  }
}
