public import TrackFormats
public import TrackModel

/// What is to be said and done in its order, some of it about outputs that have yet to take their places:
/// they wait for the
/// disk together, which takes hardly longer than for one.
public struct OutputBatch<Step> {
  public init() {}

  public private(set) var steps: [(step: Step, held: HeldOutput?)] = []
  private var since = ContinuousClock.now
  private var outputCount = 0

  /// How many outputs wait for each other.
  public static var countLimit: Int { 64 }
  private static var timeLimit: Duration { .milliseconds(250) }

  /// Whether it is time to keep what waits.
  public var isDue: Bool {
    outputCount >= Self.countLimit || steps.count >= 16 * Self.countLimit
      || (!steps.isEmpty && ContinuousClock.now - since >= Self.timeLimit)
  }

  /// - Parameter held: the output that the step is about.
  public mutating func add(_ step: Step, held: HeldOutput? = nil) {
    if steps.isEmpty { since = .now }
    steps.append((step, held))
    if held != nil { outputCount += 1 }
  }

  /// Lets the outputs take their places.
  ///
  /// - Returns: all steps in their order, each with what went wrong with its output.
  public mutating func keep() -> [(step: Step, fault: TrackError?)] {
    defer { self = OutputBatch() }
    var faults = HeldOutput.keep(steps.compactMap(\.held)).makeIterator()
    return steps.map { ($0.step, $0.held == nil ? nil : faults.next() ?? nil) }
  }
}
