public import DriveMatching
public import GhostModel
public import TrackModel

/// A comparison and its drives, the input of every export.
public struct ComparisonDocument: Sendable {
  /// The result to export.
  public var comparison: DriveComparison
  /// The drives of ``comparison``, in the same order.
  public var traces: [TimedDrive]
  /// One colour per drive, in the same order.
  public var colors: [ExportColor]
  /// The resolution of each drive's source, in the same order, or `nil` for an ordinary recording.
  public var resolution: [Resolution?]
  /// The ranking of all drives of a route, including those of ``comparison``, or `nil` for a comparison
  /// without a route.
  public var route: RouteFigures?
  /// All passages of the segment whose passages are compared, or `nil` for other comparisons.
  public var trend: PassageTrend?

  /// Creates a document without a route and without a trend.
  ///
  /// - Parameters:
  ///   - comparison: the result of the comparison.
  ///   - traces: the drives of the comparison, in the same order.
  ///   - colors: the colours of the first drives. The others have those of ``ExportColor/drives(count:)``,
  ///     repeated if there are more drives.
  ///   - resolution: one element per drive, if the traces no longer contain the resolution. By default, the
  ///     resolution of the traces.
  public init(
    _ comparison: DriveComparison, traces: [TimedDrive], colors: [ExportColor] = [],
    resolution: [Resolution?]? = nil
  ) {
    let usual = ExportColor.drives(count: traces.count)
    let palette =
      colors + (usual.dropFirst(colors.count) + usual.prefix(colors.count)).filter { !colors.contains($0) }
    self.comparison = comparison
    self.traces = traces
    self.resolution = resolution ?? traces.map(\.resolution)
    self.colors = traces.indices.map { palette[$0 % palette.count] }
  }

  /// - Throws: `usage` if a drive has no trace.
  func check() throws(TrackError) {
    guard traces.count == comparison.drives.count else {
      throw TrackError(
        .usage,
        "\(Counted.of(traces.count, "trace")) for \(Counted.of(comparison.drives.count, "drive")) of the comparison"
      )
    }
  }

  /// Converts a drive's elapsed time to seconds on the shared clock, on which the alignment points coincide.
  public func sharedTime(_ elapsed: Double, of drive: Int) -> Double {
    let compared = comparison.drives[drive]
    switch comparison.engine {
    case .matched: return elapsed + compared.timeOffset
    case .app:
      // The app's offset is the shared time of the first compared point.
      let times = traces[drive].elapsed
      let start = times.indices.contains(compared.startIndex) ? times[compared.startIndex] : 0
      return elapsed - start + compared.timeOffset
    }
  }
}
