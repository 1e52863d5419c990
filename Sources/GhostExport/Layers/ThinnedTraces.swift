import DriveMatching

/// The drives without the points that nobody misses: by the smallest bound of 1, 2, 4 … metres at which all
/// of them together have no more positions than a budget.
struct ThinnedTraces {
  /// Metres: how far a ghost is at most from where the recording was at the same moment.
  let bound: Double
  private let thinnings: [Thinning]
  /// Beyond this the shape of roads would suffer more than the speed of a viewer.
  private static let largestBound = 16.0

  /// Nil where the drives keep to the budget as they are.
  init?(_ traces: [TimedDrive], budget: Int) {
    guard traces.reduce(0, { $0 + $1.count }) > budget else { return nil }
    let thinnings = traces.map(Thinning.init)
    func count(_ bound: Double) -> Int {
      zip(traces, thinnings).reduce(0) { sum, drive in
        drive.0.runs(in: 0..<drive.0.count).reduce(sum) { $0 + drive.1.rows($1, bound: bound).count }
      }
    }
    var bound = 1.0
    while bound < ThinnedTraces.largestBound, count(bound) > budget { bound *= 2 }
    self.bound = bound
    self.thinnings = thinnings
  }

  /// The rows of a range of a drive that are shown.
  func rows(_ drive: Int, _ range: Range<Int>) -> [Int] { thinnings[drive].rows(range, bound: bound) }
}
