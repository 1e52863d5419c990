package import TrackModel

/// The circles of a ``PrivacyStage``, asked for points and for the lines between them.
package struct PrivacyZones {
  private let circles: [(place: Coordinate, center: GeodeticPoint, radius: Double)]

  package init(_ circles: [PrivacyStage.Circle]) {
    self.circles = circles.map { ($0.center, GeodeticPoint($0.center), $0.radius) }
  }

  package var indices: Range<Int> { circles.indices }
  package var isEmpty: Bool { circles.isEmpty }

  /// The zones that a point is in, by their index.
  package func containing(_ coordinate: Coordinate) -> [Int] {
    guard !circles.isEmpty else { return [] }
    let point = GeodeticPoint(coordinate)
    return circles.indices.filter {
      Geodesy.distance(from: point, to: circles[$0].center) <= circles[$0].radius
    }
  }

  /// The zones that the line between two points touches. The line is the one of
  /// ``Geodesy/interpolate(from:to:fraction:)``.
  package func crossed(from start: Coordinate, to end: Coordinate) -> [Int] {
    circles.indices.filter { zone in
      let circle = circles[zone]
      // The distance on the plane is a little off: it only tells which lines to look at.
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
