import DriveMatching
import GhostModel
import TrackModel

/// The artificial clock of a race between drives of different days. It shows noon on 2000-01-01 (UTC) at the
/// alignment point of the first two drives.
///
/// Viewers need dates to animate drives. Noon keeps the time before the alignment point on the same day.
struct ExportClock: Sendable {
  /// The time at the alignment point of the first two drives.
  static let noon = Instant(microseconds: 946_728_000_000_000)

  /// The seconds to add to each drive's elapsed time.
  private let offsets: [Double]

  init(_ document: ComparisonDocument) {
    let comparison = document.comparison
    var zero = 0.0
    if let pair = comparison.pairs.first, let elapsed = pair.alignmentAnchor(comparison.mode)?.elapsed {
      zero = document.sharedTime(elapsed.first, of: pair.first)
    } else if let trace = document.traces.first, let first = document.comparedRows(of: 0).first {
      // Without shared road, noon is the departure of the first drive.
      zero = document.sharedTime(trace.elapsed[first], of: 0)
    }
    offsets = comparison.drives.indices.map { document.sharedTime(0, of: $0) - zero }
  }

  /// Converts a drive's elapsed time to seconds after noon.
  func time(_ elapsed: Double, of drive: Int) -> Double { elapsed + offsets[drive] }

  /// Returns the clock's time at a number of seconds after noon, rounded to the millisecond and limited to
  /// the years 1 to 9999.
  static func instant(_ seconds: Double) -> Instant {
    guard !seconds.isNaN else { return noon }
    // Both limits are in the years 0001…9999.
    let held = min(max(seconds, -6.3e10), 2.5e11)
    return Instant(microseconds: noon.microseconds + Int64((held * 1000).rounded()) * 1000)
  }
}
