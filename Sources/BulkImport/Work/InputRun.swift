public import TrackArchives
public import TrackFormats
public import TrackModel

/// An event of a run over inputs, delivered in the order of the inputs to the thread that prints and writes.
public enum InputEvent<Result: Sendable>: Sendable {
  /// An input begins. Its results follow.
  case begin(InputOrigin)
  /// A result of the input that began last.
  case result(Result)
  /// An entry that is not an input.
  case passed(EnumerationStep)
  /// There have been no events for some time in a run that can be stopped.
  case idle
}

/// The input that results belong to.
public struct InputOrigin: Sendable {
  /// The index of the command's argument.
  public let root: Int
  /// The argument, or the path in a list.
  public let rootPath: String
  /// Whether the path is from a list.
  public let isListed: Bool
  /// The names of the input for messages and outputs.
  public let label: InputLabel
  /// Whether the input is in an archive or a folder.
  public let isInContainer: Bool
  /// The file on disk.
  public let file: String
}

/// Displays the progress of a run.
public protocol InputProgress: Sendable {
  /// The counter of the enumeration, which knows how much of the paths is done.
  var walk: EnumerationProgress { get }
  /// The counter of a single file; nil for several inputs.
  var bytes: ByteProgress? { get }
  /// Counts an input, when it begins.
  func addInput()
  /// Called often, on any thread.
  func update()
  /// Removes the display. Called once, at the end of the run.
  func end()
}

/// A run over the inputs of a command: files, folders and archives, in parallel, with results in a fixed
/// order.
public struct InputRun<Result: Sendable> {
  /// The files, folders and archives, in the order of the results. `-` is standard input.
  public let paths: [String]
  private let progress: any InputProgress
  /// The number of threads that process inputs, or `nil` for one per processor, or a single one if there is
  /// only one file.
  public var jobs: Int?
  /// The options of the enumeration.
  public var walk = EnumerationOptions()
  /// Ends the run early; see ``OrderedParallelMap/run(produce:work:consume:idle:)``.
  public var stop: WorkStop?
  /// The number of inputs that may be in progress while the consumer is busy.
  public var slack = 4
  /// Whether inputs are kept in memory during processing, so that only a few large inputs may be in progress.
  public var holdsInputs = false
  /// Returns the memory used by a result, in bytes.
  public var cost: @Sendable (Result) -> Int = { _ in 0 }

  /// The memory for inputs and results in progress, and the additional memory per job if inputs are kept, in
  /// bytes.
  private static var heldLimit: Int { 1 << 25 }
  private static var heldByJob: Int { 1 << 24 }
  /// The input size below which its memory is negligible, in bytes.
  private static var smallInput: Int { 1 << 20 }
  /// The number of entries that are not inputs and are delivered together, because waking the consumer costs
  /// more than finding one.
  private static var passedTogether: Int { 64 }
  /// The number of inputs after which freed memory is returned to the system.
  private static var releaseInterval: Int { 500 }

  /// Creates a run with default options. Nothing is opened before ``run(into:)``.
  ///
  /// - Parameters:
  ///   - paths: files, folders and archives; `-` is standard input.
  ///   - progress: receives the progress of the run.
  public init(paths: [String], progress: any InputProgress) {
    self.paths = paths
    self.progress = progress
  }

  /// A point at which inputs wait for each other, so that they pass it in their order.
  public typealias SequencePoint = OrderedParallelMap<DiscoveredInput, InputEvent<Result>>.SequencePoint
  /// Opens an input, optionally with a tap that hashes its content.
  public typealias TapContent = (HashingInput?) throws(TrackError) -> ByteInput
  /// Reads an input and emits its results, on any thread. `emit` returns whether more results are wanted.
  public typealias Work =
    @Sendable (DiscoveredInput, TapContent, SequencePoint, any InputProgress, (Result) -> Bool) -> Void

  /// - Parameters:
  ///   - work: reads an input and emits results, on any thread.
  ///   - consume: receives the results on this thread, and returns whether more of the input is wanted.
  func run(_ work: @escaping Work, _ consume: (InputEvent<Result>) -> Bool) {
    let paths = self.paths
    let stop = self.stop
    let cost = self.cost
    let options = walk
    let progress = self.progress
    // A single file needs only one job, so no inputs are kept.
    let holdsInputs = self.holdsInputs
    let isSingle = progress.bytes != nil
    let jobs = isSingle && self.jobs == nil ? 1 : self.jobs ?? Processors.count
    var begun = 0
    OrderedParallelMap<DiscoveredInput, InputEvent<Result>>(
      jobs: jobs, heldLimit: Self.heldLimit + (holdsInputs ? jobs * Self.heldByJob : 0), slack: slack,
      stop: stop,
      outputCost: { event in if case .result(let result) = event { cost(result) } else { 0 } }
    ).run(
      produce: { intake in
        let walk = InputEnumerator(paths, options: options, progress: progress.walk)
        var passed: [EnumerationStep] = []
        func deliverPassed() {
          guard !passed.isEmpty else { return }
          intake.perform { [passed] _, emit in for step in passed { _ = emit(.passed(step)) } }
          passed.removeAll(keepingCapacity: true)
        }
        while stop?.isRequested != true, let step = walk.next() {
          guard case .input(let input) = step else {
            passed.append(step)
            // A list can end or pause after any path, but not a folder or an archive.
            if !walk.isInContainer || passed.count >= Self.passedTogether { deliverPassed() }
            continue
          }
          deliverPassed()
          guard input.isStreamed else {
            let working = holdsInputs ? (input.size ?? 0) - Self.smallInput : 0
            intake.submit(input, cost: max(input.heldSize, working))
            continue
          }
          intake.perform { turn, emit in
            guard emit(.begin(InputOrigin(input))) else { return }
            work(input, { (tap) throws(TrackError) in try walk.takeStream(tap: tap) }, turn, progress) {
              emit(.result($0))
            }
          }
        }
        deliverPassed()
      },
      work: { input, turn, emit in
        guard emit(.begin(InputOrigin(input))) else { return }
        work(
          input, { (tap) throws(TrackError) in try input.open(progress: progress.bytes, tap: tap) }, turn,
          progress
        ) { emit(.result($0)) }
      },
      consume: { event in
        if case .begin = event {
          progress.addInput()
          begun += 1
          if begun.isMultiple(of: Self.releaseInterval) { FreeMemory.release() }
        }
        progress.update()
        let isMoreWanted = consume(event)
        // The next entry is not more of the input that began last.
        if case .passed = event { return true }
        return isMoreWanted
      },
      // A run that can be stopped may hold results back, which must be flushed when idle.
      idle: stop == nil ? nil : .idle)
    progress.end()
  }
}

extension InputOrigin {
  package init(_ input: DiscoveredInput) {
    self.init(
      root: input.root, rootPath: input.rootPath, isListed: input.isListed, label: input.label,
      isInContainer: input.isInContainer, file: input.file)
  }

  /// Creates the origin of a single named file.
  package init(path: String) {
    self.init(
      root: 0, rootPath: path, isListed: false, label: InputLabel(path: path), isInContainer: false,
      file: path)
  }
}
