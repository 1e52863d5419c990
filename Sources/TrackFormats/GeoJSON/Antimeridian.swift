/// The crossing of a line and the 180° meridian, where RFC 7946, section 3.1.9, requires a cut.
package struct AntimeridianCrossing {
  /// The fraction of the way from the first point to the second at which the line crosses, 0...1.
  package var fraction: Double
  /// The longitude of the meridian on the first point's side: 180 or −180.
  package var longitude: Double

  /// Returns the crossing between two longitudes, or `nil` if the shorter way does not cross the meridian.
  ///
  /// A point on the meridian belongs to both sides. The caller assigns it to the side of its neighbour.
  package init?(from first: Double, to second: Double) {
    guard abs(second - first) > 180 else { return nil }
    longitude = first < 0 ? -180 : 180
    // The degrees to the meridian on either side.
    let before = 180 - abs(first)
    let behind = 180 - abs(second)
    fraction = before + behind > 0 ? before / (before + behind) : 0
  }

  /// Interpolates a quantity at the crossing.
  package func interpolate(_ first: Double, _ second: Double) -> Double {
    first + (second - first) * fraction
  }

  /// Interpolates a time at the crossing.
  func interpolate(_ first: Int64, _ second: Int64) -> Int64 {
    let (span, overflow) = second.subtractingReportingOverflow(first)
    guard !overflow else { return first }
    // At most the time span, which is an `Int64`.
    let part = (Double(span) * fraction).rounded()
    guard abs(part) < 0x1p63 else { return second }
    return first &+ Int64(part)
  }
}
