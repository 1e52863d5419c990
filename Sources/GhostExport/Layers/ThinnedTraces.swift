import DriveMatching
import GhostModel
import TrackModel

/// The drives simplified to a total number of positions, with the smallest tolerance of 1, 2, 4 … metres that
/// meets the budget.
struct ThinnedTraces {
  /// The largest distance in metres between a ghost and the recorded position at the same time.
  let bound: Double
  private let traces: [TimedDrive]
  /// The largest tolerance. Larger values would distort the shape of roads.
  private static let largestBound = 16.0

  /// Returns `nil` if the drives meet the budget without simplification.
  init?(_ traces: [TimedDrive], budget: Int) {
    guard traces.reduce(0, { $0 + $1.count }) > budget else { return nil }
    func count(_ bound: Double) -> Int {
      traces.reduce(0) { sum, trace in
        trace.runs(in: 0..<trace.count).reduce(sum) { $0 + trace.rows($1, bound: bound).count }
      }
    }
    var bound = 1.0
    while bound < ThinnedTraces.largestBound, count(bound) > budget { bound *= 2 }
    self.bound = bound
    self.traces = traces
  }

  /// Returns the kept rows of a range of a drive.
  func rows(_ drive: Int, _ range: Range<Int>) -> [Int] { traces[drive].rows(range, bound: bound) }
}

extension TimedDrive {
  fileprivate func rows(_ range: Range<Int>, bound: Double) -> [Int] {
    LineSimplification.rows(range, latitudes: latitudes, longitudes: longitudes, tolerance: bound) {
      elapsed[$0]
    }
  }
}
