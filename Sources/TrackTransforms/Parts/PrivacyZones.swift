package import TrackModel

/// The circles of a ``PrivacyStage``, with tests for points and for the lines between them.
package struct PrivacyZones {
  private let circles: [(place: Coordinate, center: GeodeticPoint, radius: Double)]

  package init(_ circles: [PrivacyStage.Circle]) {
    self.circles = circles.map { ($0.center, GeodeticPoint($0.center), $0.radius) }
  }

  package var indices: Range<Int> { circles.indices }
  package var isEmpty: Bool { circles.isEmpty }

  /// Returns warnings about the zones that contain no point.
  ///
  /// - Parameter touched: the indices of the other zones.
  package func warnings(touched: Set<Int>) -> [TrackWarning] {
    indices.filter { !touched.contains($0) }.map { zone in
      let name = indices.count > 1 ? "privacy zone \(zone + 1)" : "the privacy zone"
      return TrackWarning(.unmatchedZone, "\(name) contains no points")
    }
  }

  /// Returns the indices of the zones that contain a point.
  package func containing(_ coordinate: Coordinate) -> [Int] {
    guard !circles.isEmpty else { return [] }
    let point = GeodeticPoint(coordinate)
    return circles.indices.filter {
      Geodesy.distance(from: point, to: circles[$0].center) <= circles[$0].radius
    }
  }

  /// Returns the indices of the zones that the line between two points touches. The line is that of
  /// ``Geodesy/interpolate(from:to:fraction:)``.
  package func crossed(from start: Coordinate, to end: Coordinate) -> [Int] {
    circles.indices.filter { zone in
      let circle = circles[zone]
      // The planar distance is slightly inaccurate, so it only selects the lines to test exactly.
      guard
        Geodesy.distance(from: circle.place, toLine: [start, end]) <= circle.radius * 1.1 + 1
      else { return false }
      func distance(_ fraction: Double) -> Double {
        Geodesy.distance(
          from: GeodeticPoint(Geodesy.interpolate(from: start, to: end, fraction: fraction)),
          to: circle.center)
      }
      var low = 0.0
      var high = 1.0
      for _ in 0..<60 {
        let third = (high - low) / 3
        if distance(low + third) < distance(high - third) { high -= third } else { low += third }
      }
      return min(distance((low + high) / 2), distance(0), distance(1)) <= circle.radius
    }
  }
}
