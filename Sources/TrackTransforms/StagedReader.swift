public import TrackModel

/// A reader that passes the events of another reader through stages.
public struct StagedReader: TrackReader, ~Copyable {
  /// A stage and its state.
  private struct Step {
    var stage: any TrackStage
    var output = StageOutput()
    var isAtEnd = false
    var pending: TrackError?

    var summary: String? { stage.summary }

    /// - Returns: whether rows that remain in the batch come before the output.
    mutating func take(_ event: TrackEvent, _ batch: inout PointBatch) -> Bool {
      if case .points = event {
        stage.process(&batch, &output)
        return batch.count > 0
      }
      stage.take(event, &output)
      return false
    }

    /// Ends the input. The content held by the stage is complete and is delivered before an error.
    mutating func finish(_ error: TrackError? = nil) {
      isAtEnd = true
      pending = error
      stage.finish(&output)
    }
  }

  private var upstream: any TrackReader & ~Copyable
  private var steps: [Step]
  private let isStrict: Bool

  /// Creates a reader that applies stages to another one.
  ///
  /// - Parameters:
  ///   - upstream: the reader to read from.
  ///   - stages: the stages in the order in which they are applied.
  ///   - isStrict: whether a warning of a stage is thrown as an error at the end of the stream.
  public init(
    _ upstream: consuming any TrackReader & ~Copyable, _ stages: [any TrackStage], isStrict: Bool = false
  ) {
    self.upstream = upstream
    self.isStrict = isStrict
    steps = stages.map { Step(stage: $0) }
  }

  /// The warnings of the reader and of the stages. Complete at the end of the stream.
  public private(set) var warnings: [TrackWarning] = []

  /// The unsupported content of the reader. Complete at the end of the stream.
  public private(set) var unsupportedContent = LossReport()

  /// The number of shared points in the reader, before any stage. Complete at the end of the stream.
  public private(set) var sharedPoints = 0

  /// The summaries of the stages, in order. Complete at the end of the stream.
  public var summaries: [String] { steps.compactMap(\.summary) }

  /// The stages in their current state.
  public var stages: [any TrackStage] { steps.map(\.stage) }

  private var hasEnded = false

  private mutating func end() {
    warnings = upstream.warnings
    unsupportedContent = upstream.unsupportedContent
    sharedPoints = upstream.sharedPoints
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if let event = try pull(steps.count - 1, into: &batch) { return event }
    guard !hasEnded else { return nil }
    hasEnded = true
    let found = steps.flatMap(\.stage.warnings)
    warnings += found
    if isStrict, let first = found.first { throw first.asError }
    return nil
  }

  /// Returns the next event after a stage. All stages share one batch, which each changes in place.
  private mutating func pull(_ index: Int, into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    guard index >= 0 else {
      do throws(TrackError) {
        if let event = try upstream.next(into: &batch) { return event }
        end()
        return nil
      } catch {
        end()
        throw error
      }
    }
    while true {
      batch.removeAll()
      if let event = steps[index].output.deliver(into: &batch) { return event }
      if let error = steps[index].pending {
        steps[index].pending = nil
        throw error
      }
      guard !steps[index].isAtEnd else { return nil }
      do throws(TrackError) {
        if let event = try pull(index - 1, into: &batch) {
          let hasPoints = steps[index].take(event, &batch)
          if let fault = steps[index].stage.fault { throw fault }
          if hasPoints { return .points }
        } else {
          steps[index].finish()
        }
      } catch {
        steps[index].finish(error)
      }
    }
  }
}
