import GhostModel
import TrackModel

/// The positions of a drive over time, forwards or backwards.
struct TimedPlaces {
  private let places: [SIMD3<Double>]
  private let elapsed: [Double]
  private let isReversed: Bool
  /// The seconds from the first point to the last.
  let duration: Double

  init(_ trace: TimedDrive) {
    self.init(
      (0..<trace.count).map {
        EarthFixed.vector(latitude: trace.latitudes[$0], longitude: trace.longitudes[$0])
      }, elapsed: trace.elapsed)
  }

  /// - Parameter elapsed: the seconds since the first point, per point.
  init(_ places: [SIMD3<Double>], elapsed: [Double]) {
    self.places = places
    self.elapsed = elapsed
    isReversed = false
    duration = elapsed.last ?? 0
  }

  private init(places: [SIMD3<Double>], elapsed: [Double], isReversed: Bool, duration: Double) {
    self.places = places
    self.elapsed = elapsed
    self.isReversed = isReversed
    self.duration = duration
  }

  var count: Int { places.count }

  @inline(__always)
  func place(_ index: Int) -> SIMD3<Double> { places[isReversed ? places.count - 1 - index : index] }

  /// The seconds since the first point.
  @inline(__always)
  func time(_ index: Int) -> Double {
    isReversed ? duration - elapsed[elapsed.count - 1 - index] : elapsed[index]
  }

  @inline(__always)
  func distance(_ first: Int, _ second: Int) -> Double { (place(second) - place(first)).length }

  /// The positions in reverse, from the last point to the first.
  var backwards: TimedPlaces {
    TimedPlaces(places: places, elapsed: elapsed, isReversed: !isReversed, duration: duration)
  }

  /// Returns the positions without the first points. Their times do not change.
  func dropFirst(_ points: Int) -> TimedPlaces {
    let kept = isReversed ? 0..<(count - points) : points..<count
    return TimedPlaces(
      places: Array(places[kept]), elapsed: Array(elapsed[kept]), isReversed: isReversed, duration: duration)
  }

  /// Returns the last point recorded at or before a time, or 0 if there is no such point.
  func index(at moment: Double) -> Int {
    max(0, (0..<count).partitionIndex { time($0) > moment } - 1)
  }
}
