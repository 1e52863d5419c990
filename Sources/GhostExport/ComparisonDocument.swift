public import DriveMatching
public import GhostModel
public import TrackModel

/// A comparison together with the drives that it is about: what every export is made from.
public struct ComparisonDocument: Sendable {
  public var comparison: DriveComparison
  /// One per drive of ``comparison``, in the same order.
  public var traces: [TimedDrive]
  /// One per drive, in the same order.
  public var colors: [ExportColor]
  /// How coarse the source of each drive is, in the same order; nil where it is a recording like any other.
  public var coarseness: [Coarseness?]
  /// What is said of all drives of a route, of which those of ``comparison`` are some; nil for drives by
  /// themselves.
  public var route: RouteFigures?

  /// - Parameter colors: taken in turn, as often as there are drives; where there are none, as many as
  ///   ``ExportColor/drives(count:)`` has.
  /// - Parameter coarseness: one per drive, where the traces no longer know it; as they say otherwise.
  public init(
    _ comparison: DriveComparison, traces: [TimedDrive], colors: [ExportColor] = [],
    coarseness: [Coarseness?]? = nil
  ) {
    let palette = colors.isEmpty ? ExportColor.drives(count: traces.count) : colors
    self.comparison = comparison
    self.traces = traces
    self.coarseness = coarseness ?? traces.map(\.coarseness)
    self.colors = traces.indices.map { palette[$0 % palette.count] }
  }

  /// Seconds on the clock that all drives share, on which the anchors coincide, for a drive's own elapsed
  /// time.
  public func sharedTime(_ elapsed: Double, of drive: Int) -> Double {
    let compared = comparison.drives[drive]
    switch comparison.engine {
    case .matched: return elapsed + compared.timeOffset
    case .app:
      // The app's offset is the shared time of the first point that takes part.
      let times = traces[drive].elapsed
      let start = times.indices.contains(compared.startIndex) ? times[compared.startIndex] : 0
      return elapsed - start + compared.timeOffset
    }
  }
}
