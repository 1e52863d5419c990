import TrackModel

/// The members defined by RFC 7946.
enum GeoJSONMember: UInt16 {
  /// An unknown member; the table's code for unknown names.
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

  /// The nesting depth of the coordinates including the position's array, or `nil` for types without
  /// coordinates.
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
