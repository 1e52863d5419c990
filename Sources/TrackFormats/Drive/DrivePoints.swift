import TrackModel

/// The coordinates of a drive, `[{"lat":46.5,"lon":7.5},…]`, as columns.
struct DrivePoints {
  private(set) var latitudes: [Double] = []
  private(set) var longitudes: [Double] = []
  /// The index of each valid position among all points, from 0. Invalid positions are omitted but still
  /// affect the timing.
  private(set) var indices: [Int] = []
  /// The number of all points.
  private(set) var total = 0

  /// The number of points with a valid position.
  var count: Int { latitudes.count }

  /// Reads the array. The points before a fault are kept. Warnings are located at the end of a point.
  mutating func read(_ lexer: inout JSONLexer) throws(TrackError) {
    try lexer.beginArray()
    while try lexer.nextElement() {
      var latitude: Double?
      var longitude: Double?
      try lexer.beginObject()
      while try lexer.nextMember() {
        if DrivePoints.isName(lexer.rawText, 0x61, 0x74) {
          latitude = try lexer.numberOrNothing()
        } else if DrivePoints.isName(lexer.rawText, 0x6F, 0x6E) {
          longitude = try lexer.numberOrNothing()
        } else {
          try lexer.warn(.notRepresentable, "unknown member of a coordinate, ignored")
          try lexer.skip()
        }
      }
      total += 1
      guard let latitude, let longitude else {
        try lexer.warn(.invalidPosition, "point without latitude or longitude, skipped")
        continue
      }
      guard Coordinate(latitude: latitude, longitude: longitude).isValid else {
        try lexer.warn(.invalidPosition, "position out of range, point skipped")
        continue
      }
      latitudes.append(latitude)
      longitudes.append(longitude)
      indices.append(total - 1)
    }
  }

  /// Returns whether a name consists of `l` and the two given letters.
  private static func isName(_ name: Span<UInt8>, _ second: UInt8, _ third: UInt8) -> Bool {
    name.count == 3 && name[0] == UInt8(ascii: "l") && name[1] == second && name[2] == third
  }
}
