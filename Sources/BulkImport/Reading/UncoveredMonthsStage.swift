import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

/// Removes the points of a recording in months for which the export also contains activities. Segments are
/// split at the resulting gaps. Points without a time are kept.
struct UncoveredMonthsStage: TrackStage {
  private let months: CoveredMonths
  private var total = 0
  /// The number of removed points.
  private(set) var removed = 0
  private var isInSegment = false
  private var hasPoints = false
  private var isBehindGap = false
  /// The result for the previous time, which is reused because consecutive points are usually in the same
  /// hour.
  private var known: (hour: Int64, isCovered: Bool)?

  private static let hour: Int64 = 3_600_000_000

  init(_ months: CoveredMonths) { self.months = months }

  var summary: String? {
    removed == 0
      ? nil : "\(removed) of \(total) points skipped in months that the monthly history covers"
  }

  mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginSegment:
      isInSegment = true
      hasPoints = false
      isBehindGap = false
    case .endSegment: isInSegment = false
    default: break
    }
    output.emit(event)
  }

  mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    guard isInSegment else { return }
    total += batch.count
    let covered = (0..<batch.count).filter { isCovered(batch.times[$0]) }
    guard !covered.isEmpty || isBehindGap else {
      if batch.count > 0 { hasPoints = true }
      return
    }
    let columns = PointColumns(batch)
    batch.removeAll()
    var first = 0
    for row in covered {
      emit(columns, first..<row, &output)
      first = row + 1
      removed += 1
      isBehindGap = true
    }
    emit(columns, first..<columns.count, &output)
  }

  private mutating func emit(_ columns: PointColumns, _ rows: Range<Int>, _ output: inout StageOutput) {
    guard !rows.isEmpty else { return }
    if isBehindGap, hasPoints {
      output.emit(.endSegment)
      output.emit(.beginSegment)
    }
    isBehindGap = false
    hasPoints = true
    output.emit(columns.rows(rows))
  }

  private mutating func isCovered(_ time: Int64) -> Bool {
    guard time != Instant.absent else { return false }
    let hour = time / UncoveredMonthsStage.hour
    if let known, known.hour == hour { return known.isCovered }
    let isCovered = months.contains(time)
    known = (hour, isCovered)
    return isCovered
  }
}
