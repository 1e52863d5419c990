/// Where a line crosses the meridian 180°, for RFC 7946, section 3.1.9, to cut it.
package struct AntimeridianCrossing {
  /// The share of the way from the first point to the second, 0...1, that lies before the meridian.
  package var fraction: Double
  /// The meridian as the first point's side writes it: 180 or −180.
  package var longitude: Double

  /// The crossing between two longitudes; nil where the shorter way between them is not across the meridian.
  ///
  /// A point on the meridian itself belongs to either side; the caller gives it that of its neighbour.
  package init?(from first: Double, to second: Double) {
    guard abs(second - first) > 180 else { return nil }
    longitude = first < 0 ? -180 : 180
    // Degrees to the meridian on either side; together they are the way.
    let before = 180 - abs(first)
    let behind = 180 - abs(second)
    fraction = before + behind > 0 ? before / (before + behind) : 0
  }

  /// A quantity at the crossing, by linear interpolation.
  package func interpolate(_ first: Double, _ second: Double) -> Double {
    first + (second - first) * fraction
  }

  /// A time at the crossing, to the microsecond.
  func interpolate(_ first: Int64, _ second: Int64) -> Int64 {
    let (span, overflow) = second.subtractingReportingOverflow(first)
    guard !overflow else { return first }
    // At most the span itself, which is an Int64.
    let part = (Double(span) * fraction).rounded()
    guard abs(part) < 0x1p63 else { return second }
    return first &+ Int64(part)
  }
}
