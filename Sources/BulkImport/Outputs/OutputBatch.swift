package import TrackFormats
package import TrackModel

/// Steps to perform in order after their outputs get their final names. All outputs are synchronized with the
/// disk together, which takes little longer than for a single one.
package struct OutputBatch<Step> {
  package init() {}

  package private(set) var steps: [(step: Step, held: StagedFile?)] = []
  private var since = ContinuousClock.now
  /// The number of pending outputs.
  private(set) var outputCount = 0

  /// The largest number of outputs in a batch.
  package static var countLimit: Int { 64 }
  private static var timeLimit: Duration { .milliseconds(250) }

  /// Whether the pending outputs should get their final names now.
  package var isDue: Bool {
    outputCount >= Self.countLimit || steps.count >= 16 * Self.countLimit
      || (!steps.isEmpty && ContinuousClock.now - since >= Self.timeLimit)
  }

  /// - Parameter held: the output to which the step belongs.
  package mutating func add(_ step: Step, held: StagedFile? = nil) {
    if steps.isEmpty { since = .now }
    steps.append((step, held))
    if held != nil { outputCount += 1 }
  }

  /// Gives the outputs their final names.
  ///
  /// - Parameter waitsForNew: whether new files, too, are on the disk before.
  /// - Returns: all steps in order, each with the error of its output, if any.
  package mutating func keep(waitsForNew: Bool = true) -> [(step: Step, fault: TrackError?)] {
    defer { self = OutputBatch() }
    var faults = StagedFile.keep(steps.compactMap(\.held), waitsForNew: waitsForNew).makeIterator()
    return steps.map { ($0.step, $0.held == nil ? nil : faults.next() ?? nil) }
  }
}
