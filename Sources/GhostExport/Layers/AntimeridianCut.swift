import TrackFormats

extension LayerLine {
  /// Splits the line at the antimeridian, as RFC 7946, section 3.1.9, requires: one part ends on the meridian
  /// and the next starts there.
  ///
  /// - Returns: lines of at least two positions.
  var cutAtAntimeridian: [LayerLine] {
    var parts: [LayerLine] = []
    var part = LayerLine()
    for index in latitudes.indices {
      if let last = part.longitudes.last,
        let crossing = AntimeridianCrossing(from: last, to: longitudes[index])
      {
        let previous = index - 1
        let latitude = crossing.interpolate(latitudes[previous], latitudes[index])
        let time = times.isEmpty ? nil : crossing.interpolate(times[previous], times[index])
        // A position on the meridian already ends the part.
        if abs(last) < 180 { part.append(latitude, crossing.longitude, time) }
        parts.append(part)
        part = LayerLine()
        if abs(longitudes[index]) < 180 { part.append(latitude, -crossing.longitude, time) }
      }
      part.append(latitudes[index], longitudes[index], times.isEmpty ? nil : times[index])
    }
    parts.append(part)
    return parts.filter { $0.count > 1 }
  }

  mutating func append(_ latitude: Double, _ longitude: Double, _ time: Double?) {
    latitudes.append(latitude)
    longitudes.append(longitude)
    if let time { times.append(time) }
  }
}
