import DriveMatching
import GhostModel
import TrackModel

/// The drives without the points that nobody misses: by the smallest bound of 1, 2, 4 … metres at which all
/// of them together have no more positions than a budget.
struct ThinnedTraces {
  /// Metres: how far a ghost is at most from where the recording was at the same moment.
  let bound: Double
  private let traces: [DriveTrace]
  /// Beyond this the shape of roads would suffer more than the speed of a viewer.
  private static let largestBound = 16.0

  /// Nil where the drives keep to the budget as they are.
  init?(_ traces: [DriveTrace], budget: Int) {
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

  /// The rows of a range of a drive that are shown.
  func rows(_ drive: Int, _ range: Range<Int>) -> [Int] { traces[drive].rows(range, bound: bound) }
}

extension DriveTrace {
  fileprivate func rows(_ range: Range<Int>, bound: Double) -> [Int] {
    LineSimplification.rows(range, latitudes: latitudes, longitudes: longitudes, tolerance: bound) {
      elapsed[$0]
    }
  }
}
