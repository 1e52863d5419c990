import TrackModel

/// The progress of a reader to an error.
enum ReadingFault {
  case none
  /// The error is thrown after the points before it have been delivered.
  case pending(TrackError)
  case thrown
}

/// A reader that delivers the points before an error, throws the error in the next call, and then ends.
protocol FaultDeferringReader: TrackReader, ~Copyable {
  var fault: ReadingFault { get set }

  /// Delivers the next event. Before an error, the batch may contain points of the open segment.
  mutating func advance(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent?
}

extension FaultDeferringReader where Self: ~Copyable {
  /// Returns the next event, like ``TrackReader/next(into:)``.
  mutating func nextEvent(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    switch fault {
    case .none: break
    case .pending(let error):
      fault = .thrown
      throw error
    case .thrown: return nil
    }
    do throws(TrackError) {
      return try advance(&batch)
    } catch {
      fault = batch.count > 0 ? .pending(error) : .thrown
      guard batch.count > 0 else { throw error }
      return .points
    }
  }
}
