public import TrackArchives
public import TrackFormats
public import TrackModel

/// What a run over inputs hands to the thread that prints and writes, in the order of the inputs.
public enum InputEvent<Result: Sendable>: Sendable {
  /// An input begins; its results follow.
  case begin(InputOrigin)
  case result(Result)
  /// Something that is no input.
  case passed(WalkStep)
  /// Nothing has come for a while, in a run that can be stopped.
  case idle
}

/// Which input results belong to.
public struct InputOrigin: Sendable {
  /// Which of the command's arguments it comes from.
  public let root: Int
  /// That argument, or the path that stood in a list.
  public let rootPath: String
  public let isListed: Bool
  public let label: InputLabel
  public let isInContainer: Bool
  /// The file on disk.
  public let file: String
}

/// Shows how far a run is.
public protocol InputProgress: Sendable {
  var walk: WalkProgress { get }
  /// The counter of the only file; nil for several inputs.
  var bytes: ByteProgress? { get }
  func addInput()
  /// Is called often, on any thread.
  func update()
  func end()
}

/// A run over the inputs of a command: files, folders and archives, in parallel, with results in a fixed
/// order.
public struct InputRun<Result: Sendable> {
  public let paths: [String]
  private let progress: any InputProgress
  public var jobs: Int?
  public var walk = WalkOptions()
  /// Ends the run before its time; see ``OrderedWork/run(produce:work:consume:)``.
  public var stop: WorkStop?
  /// How many inputs may be under way while the consumer is busy.
  public var slack = 4
  /// Whether all of an input is held while it is worked on, so that only some large ones may be under way.
  public var holdsInputs = false
  /// How many bytes a result holds.
  public var cost: @Sendable (Result) -> Int = { _ in 0 }

  /// Bytes of inputs and results that may be under way, and how many more for each job where inputs are held.
  private static var heldLimit: Int { 1 << 25 }
  private static var heldByJob: Int { 1 << 24 }
  /// What an input of so many bytes holds does not matter.
  private static var smallInput: Int { 1 << 20 }

  /// - Parameter progress: is told how far the run is.
  public init(paths: [String], progress: any InputProgress) {
    self.paths = paths
    self.progress = progress
  }

  public typealias Content = () throws(TrackError) -> ByteInput
  public typealias Turn = OrderedWork<WalkedInput, InputEvent<Result>>.Turn
  /// Opens an input; a tap looks at its bytes.
  public typealias TapContent = (ContentTap?) throws(TrackError) -> ByteInput
  public typealias Work =
    @Sendable (WalkedInput, TapContent, Turn, any InputProgress, (Result) -> Bool) -> Void

  /// - Parameters:
  ///   - work: reads an input and emits results, on any thread.
  ///   - consume: takes the results on this thread; returns whether more of the input is wanted.
  func run(_ work: @escaping Work, _ consume: (InputEvent<Result>) -> Bool) {
    let paths = self.paths
    let stop = self.stop
    let cost = self.cost
    let options = walk
    let progress = self.progress
    // One file that holds nothing else is worked on where it is read, so that nothing is held.
    let holdsInputs = self.holdsInputs
    let isSingle = progress.bytes != nil
    let jobs = isSingle && self.jobs == nil ? 1 : self.jobs ?? Processors.count
    OrderedWork<WalkedInput, InputEvent<Result>>(
      jobs: jobs, heldLimit: Self.heldLimit + (holdsInputs ? jobs * Self.heldByJob : 0), slack: slack,
      stop: stop,
      outputCost: { event in if case .result(let result) = event { cost(result) } else { 0 } }
    ).run(
      produce: { intake in
        let walk = InputWalk(paths, options: options, progress: progress.walk)
        while stop?.isRequested != true, let step = walk.next() {
          guard case .input(let input) = step else {
            intake.perform { _, emit in _ = emit(.passed(step)) }
            continue
          }
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
      },
      work: { input, turn, emit in
        guard emit(.begin(InputOrigin(input))) else { return }
        work(
          input, { (tap) throws(TrackError) in try input.open(progress: progress.bytes, tap: tap) }, turn,
          progress
        ) { emit(.result($0)) }
      },
      consume: { event in
        if case .begin = event { progress.addInput() }
        progress.update()
        return consume(event)
      },
      // Who can be stopped holds something back.
      idle: stop == nil ? nil : .idle)
    progress.end()
  }
}

extension InputOrigin {
  public init(_ input: WalkedInput) {
    self.init(
      root: input.root, rootPath: input.rootPath, isListed: input.isListed, label: input.label,
      isInContainer: input.isInContainer, file: input.file)
  }

  /// A file that was named by itself.
  public init(path: String) {
    self.init(
      root: 0, rootPath: path, isListed: false, label: InputLabel(path: path), isInContainer: false,
      file: path)
  }
}
