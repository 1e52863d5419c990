import DriveMatching
import GhostModel
import TrackModel

/// The artificial clock on which drives of different days race: it shows noon of the first of January 2000
/// (UTC) where the first two drives are lined up, for all of them.
///
/// Viewers place what they show by dates, so one has to be made up. Noon, so that what comes before the
/// line-up falls on the same day.
struct SharedClock: Sendable {
  /// What the clock shows where the first two drives are lined up.
  static let noon = Instant(microseconds: 946_728_000_000_000)

  /// Seconds to add to the elapsed time of each drive.
  private let offsets: [Double]

  init(_ document: ComparisonDocument) {
    let comparison = document.comparison
    var zero = 0.0
    if let pair = comparison.pairs.first, let elapsed = pair.lineUp(comparison.mode)?.elapsed {
      zero = document.sharedTime(elapsed.first, of: pair.first)
    } else if let trace = document.traces.first, let first = document.comparedRows(of: 0).first {
      // Nothing is shared: noon is when the first drive sets off.
      zero = document.sharedTime(trace.elapsed[first], of: 0)
    }
    offsets = comparison.drives.indices.map { document.sharedTime(0, of: $0) - zero }
  }

  /// Seconds after noon at a drive's own elapsed time.
  func time(_ elapsed: Double, of drive: Int) -> Double { elapsed + offsets[drive] }

  /// What the clock shows so many seconds after noon, to the millisecond; what lies beyond the years that
  /// four digits hold is held there.
  static func instant(_ seconds: Double) -> Instant {
    guard !seconds.isNaN else { return noon }
    // Both ends lie within the years 0001…9999.
    let held = min(max(seconds, -6.3e10), 2.5e11)
    return Instant(microseconds: noon.microseconds + Int64((held * 1000).rounded()) * 1000)
  }
}
