import TrackModel

/// The coordinates of a drive, `[{"lat":46.5,"lon":7.5},…]`, as columns.
struct DrivePoints {
  private(set) var latitudes: [Double] = []
  private(set) var longitudes: [Double] = []
  /// Which of all points each one is, from 0: those that are no positions are left out, and count for the
  /// time.
  private(set) var indices: [Int] = []
  /// The number of all points.
  private(set) var total = 0

  /// The number of points that are positions.
  var count: Int { latitudes.count }

  /// Reads the array; what was read before a fault stays. Warnings say where the point ends.
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
          try lexer.warn(.notRepresentable, "a member that coordinates do not have, left out")
          try lexer.skip()
        }
      }
      total += 1
      guard let latitude, let longitude else {
        try lexer.warn(.invalidPosition, "point without latitude or longitude, left out")
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

  /// Whether a name is `l` and the two letters.
  private static func isName(_ name: Span<UInt8>, _ second: UInt8, _ third: UInt8) -> Bool {
    name.count == 3 && name[0] == UInt8(ascii: "l") && name[1] == second && name[2] == third
  }
}
