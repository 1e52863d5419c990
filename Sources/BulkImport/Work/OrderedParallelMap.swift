/// Processes many items on several threads and delivers the results in the order of the items, regardless of
/// the number of threads.
///
/// One thread produces the items, others process them, and the caller's thread consumes the results. The
/// number and the size of the items in progress are limited. With one job, everything runs on the caller's
/// thread, item by item, and results are consumed immediately, unless the work can be stopped, which requires
/// a separate thread.
public struct OrderedParallelMap<Item: Sendable, Output: Sendable>: Sendable {
  /// Receives a result. In sequential work, returns whether more results of this item are wanted.
  public typealias Emit = (Output) -> Bool

  private let jobs: Int
  private let heldLimit: Int
  private let slack: Int
  private let stop: WorkStop?
  private let outputCost: @Sendable (Output) -> Int

  /// Creates a map. Threads are started when it runs.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads that process items, at least 1.
  ///   - heldLimit: the largest total size, in bytes, of items before they are processed and of results
  ///     before they are consumed. One item is always allowed.
  ///   - slack: the number of items that may be in progress while the consumer is busy, in addition to four
  ///     per thread.
  ///   - stop: ends the run early.
  ///   - outputCost: returns the size of a result in bytes.
  public init(
    jobs: Int, heldLimit: Int = 1 << 25, slack: Int = 4, stop: WorkStop? = nil,
    outputCost: @escaping @Sendable (Output) -> Int = { _ in 0 }
  ) {
    self.jobs = max(jobs, 1)
    self.heldLimit = heldLimit
    self.slack = max(slack, 1)
    self.stop = stop
    self.outputCost = outputCost
  }

  /// Runs until everything is consumed or the work is stopped. If stopped, returns immediately while threads
  /// may still be processing items, which is suitable for programs that are about to exit.
  ///
  /// - Parameters:
  ///   - produce: submits items to an ``Intake``, on one thread.
  ///   - work: computes the results of an item, on any thread.
  ///   - consume: receives the results on the caller's thread, item by item in order.
  ///   - idle: a result delivered to the consumer after a quarter of a second without other results, or nil.
  ///     It is not used if everything runs on the caller's thread.
  public func run(
    produce: @escaping @Sendable (Intake) -> Void,
    work: @escaping @Sendable (Item, SequencePoint, Emit) -> Void,
    consume: Emit,
    idle: Output? = nil
  ) {
    guard jobs > 1 || stop != nil else {
      withoutActuallyEscaping(consume) { produce(Intake(.sequential(work, $0))) }
      return
    }
    let monitor = ConditionLock(
      State(countLimit: jobs * 4 + slack, heldLimit: heldLimit, outputCost: outputCost))
    stop?.whenRequested { monitor.change { $0.stop() } }
    let producer = WorkerThread {
      produce(Intake(.parallel(monitor, work)))
      monitor.change { $0.close() }
    }
    guard let producer else {
      withoutActuallyEscaping(consume) { produce(Intake(.sequential(work, $0))) }
      return
    }
    var workers: [WorkerThread] = []
    for _ in 0..<jobs {
      if let worker = WorkerThread({ OrderedParallelMap.runWorker(monitor, work) }) { workers.append(worker) }
    }
    // Without worker threads, the caller's thread does their work as well.
    if workers.isEmpty { monitor.change { $0.worker = .consumer } }
    while let outputs = OrderedParallelMap.nextOutputs(
      monitor, work, hasWorkers: !workers.isEmpty, idle: idle)
    {
      for output in outputs where !consume(output) { break }
    }
    if let stop, stop.isRequested { return }
    producer.join()
    for worker in workers { worker.join() }
  }

  // MARK: Threads

  fileprivate typealias Work = @Sendable (Item, SequencePoint, Emit) -> Void

  fileprivate struct Job: Sendable {
    var sequence: Int
    var item: Item
  }

  fileprivate struct State: ConditionLockState {
    var woken: LockConditions = []
    /// The kind of thread that processes items.
    var worker = LockConditions.worker
    let countLimit: Int
    let heldLimit: Int
    let outputCost: @Sendable (Output) -> Int
    var waiting: [Job] = []
    var outputs: [Int: [Output]] = [:]
    var costs: [Int: Int] = [:]
    var held = 0
    /// The sequence numbers of the next item to be submitted, to be consumed, and to have its turn.
    var nextIn = 0
    var nextOut = 0
    var nextTurn = 0
    /// Items after `nextTurn` that no longer need a turn.
    var passed: Set<Int> = []
    var isClosed = false
    var isStopped = false

    init(countLimit: Int, heldLimit: Int, outputCost: @escaping @Sendable (Output) -> Int) {
      self.countLimit = countLimit
      self.heldLimit = heldLimit
      self.outputCost = outputCost
    }

    func hasRoom(for cost: Int) -> Bool {
      nextIn == nextOut || (nextIn - nextOut < countLimit && held + cost <= heldLimit)
    }

    /// Adds an item and returns its sequence number.
    mutating func enter(_ cost: Int) -> Int {
      costs[nextIn] = cost
      held += cost
      nextIn += 1
      return nextIn - 1
    }

    mutating func submit(_ item: Item, _ cost: Int) {
      waiting.append(Job(sequence: enter(cost), item: item))
      woken.insert(worker)
    }

    /// Whether an item can be processed: not while the memory limit is exceeded, unless the consumer waits
    /// for the next item.
    private var hasJob: Bool {
      guard let next = waiting.first else { return false }
      return held <= heldLimit || next.sequence == nextOut
    }

    mutating func takeJob() -> Job? {
      guard hasJob else { return nil }
      let job = waiting.removeFirst()
      if hasJob { woken.insert(worker) }
      // Threads that waited for this item can end.
      if isClosed, waiting.isEmpty { woken = .everyone }
      return job
    }

    mutating func pass(_ sequence: Int) {
      guard sequence >= nextTurn else { return }
      passed.insert(sequence)
      while passed.remove(nextTurn) != nil { nextTurn += 1 }
      woken.insert(.turn)
    }

    mutating func finish(_ sequence: Int, _ results: [Output]) {
      pass(sequence)
      // The memory of the item is replaced by that of its results.
      let cost = results.reduce(0) { $0 + outputCost($1) }
      let change = cost - (costs.updateValue(cost, forKey: sequence) ?? 0)
      held += change
      outputs[sequence] = results
      if sequence == nextOut { woken.insert(.consumer) }
      if change < 0 { woken.formUnion([worker, .producer]) }
    }

    /// Removes and returns the results of the next item in order, or nil if they are not complete.
    mutating func takeOutputs() -> [Output]? {
      guard let results = outputs.removeValue(forKey: nextOut) else { return nil }
      held -= costs.removeValue(forKey: nextOut) ?? 0
      nextOut += 1
      // A producer that is woken for each item would wait again immediately.
      if nextIn - nextOut <= countLimit - countLimit / 4 { woken.insert(.producer) }
      if hasJob { woken.insert(worker) }
      return results
    }

    mutating func close() {
      isClosed = true
      woken = .everyone
    }

    mutating func stop() {
      isStopped = true
      woken = .everyone
    }
  }

  private enum Step: Sendable {
    case job(Job)
    case outputs([Output])
    case end
  }

  private static func perform(_ job: Job, _ monitor: ConditionLock<State>, _ work: Work) {
    var results: [Output] = []
    work(job.item, SequencePoint(monitor, job.sequence)) {
      results.append($0)
      return true
    }
    monitor.change { [results] in $0.finish(job.sequence, results) }
  }

  private static func runWorker(_ monitor: ConditionLock<State>, _ work: Work) {
    while true {
      let step: Step = monitor.wait(as: .worker) { state in
        if state.isStopped { return .end }
        if let job = state.takeJob() { return .job(job) }
        return state.isClosed && state.waiting.isEmpty ? .end : nil
      }
      guard case .job(let job) = step else { return }
      perform(job, monitor, work)
    }
  }

  private static func nextOutputs(
    _ monitor: ConditionLock<State>, _ work: Work, hasWorkers: Bool, idle: Output?
  ) -> [Output]? {
    while true {
      let step: Step? = monitor.wait(as: .consumer, milliseconds: 250) { state in
        if state.isStopped { return .end }
        if let outputs = state.takeOutputs() { return .outputs(outputs) }
        if state.isClosed, state.nextOut == state.nextIn { return .end }
        if !hasWorkers, !state.waiting.isEmpty { return .job(state.waiting.removeFirst()) }
        return nil
      }
      switch step {
      case .outputs(let outputs): return outputs
      case .job(let job): perform(job, monitor, work)
      case .end: return nil
      case nil: if let idle { return [idle] }
      }
    }
  }

  /// The interface for submitting items.
  public struct Intake {
    fileprivate enum Kind {
      case sequential(Work, Emit)
      case parallel(ConditionLock<State>, Work)
    }

    private let kind: Kind

    fileprivate init(_ kind: Kind) { self.kind = kind }

    /// Submits an item after waiting until it fits within the limits.
    ///
    /// - Parameters:
    ///   - item: the item to process.
    ///   - cost: the size of the item in bytes.
    public func submit(_ item: Item, cost: Int = 0) {
      switch kind {
      case .sequential(let work, let consume): work(item, SequencePoint(), consume)
      case .parallel(let monitor, _):
        monitor.wait(as: .producer) { state -> Void? in
          if state.isStopped { return () }
          guard state.hasRoom(for: cost) else { return nil }
          state.submit(item, cost)
          return ()
        }
      }
    }

    /// Processes an item immediately on the producer's thread, for items that cannot be passed to another
    /// thread.
    public func perform(_ body: (SequencePoint, Emit) -> Void) {
      switch kind {
      case .sequential(_, let consume): body(SequencePoint(), consume)
      case .parallel(let monitor, _):
        let sequence: Int = monitor.wait(as: .producer) {
          $0.isStopped || $0.hasRoom(for: 0) ? $0.enter(0) : nil
        }
        var results: [Output] = []
        body(SequencePoint(monitor, sequence)) {
          results.append($0)
          return true
        }
        monitor.change { [results] in $0.finish(sequence, results) }
      }
    }
  }

  /// The turn of an item, for work that must be done in the order of items, such as choosing names.
  public struct SequencePoint: Sendable {
    private let monitor: ConditionLock<State>?
    private let sequence: Int

    fileprivate init(_ monitor: ConditionLock<State>? = nil, _ sequence: Int = 0) {
      self.monitor = monitor
      self.sequence = sequence
    }

    /// Runs a function when all earlier items have had their turn or are done. Call it once and early,
    /// because later items may wait for it.
    public func take<Result: Sendable>(_ body: () -> Result) -> Result {
      guard let monitor else { return body() }
      monitor.wait(as: .turn) { $0.isStopped || $0.nextTurn >= sequence ? () : nil }
      defer { monitor.change { $0.pass(sequence) } }
      return body()
    }
  }
}
