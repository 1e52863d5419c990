import TrackModel

/// The positions of a placemark's points until its end. If there are many, they are stored in temporary
/// files.
struct KMLPlaces {
  private var latitudes = ColumnSpool<Double>()
  private var longitudes = ColumnSpool<Double>()
  /// The elevations, NaN for positions without one.
  private var elevations = ColumnSpool<Double>()

  var count: Int { latitudes.count }
  var isEmpty: Bool { latitudes.isEmpty }

  /// Adds a position.
  ///
  /// - Parameter elevation: the elevation in metres, or NaN.
  mutating func append(_ coordinate: Coordinate, elevation: Double) throws(TrackError) {
    try latitudes.append(coordinate.latitude)
    try longitudes.append(coordinate.longitude)
    try elevations.append(elevation)
  }

  /// Returns the position at an index below ``count``.
  mutating func position(at index: Int) throws(TrackError) -> (coordinate: Coordinate, elevation: Double?) {
    let latitude = try latitudes.value(at: index) ?? 0
    let longitude = try longitudes.value(at: index) ?? 0
    let elevation = try elevations.value(at: index) ?? .nan
    return (
      Coordinate(latitude: latitude, longitude: longitude), elevation.isNaN ? nil : elevation
    )
  }
}
