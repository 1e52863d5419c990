import BulkImport
import GhostExport
import Synchronization
import TrackArchives
import TrackFormats
import TrackModel

/// A progress bar on standard error for work that takes more than a second, shown if standard error is a
/// terminal. Shows the bytes of a single file; for several files, their number, the rate and the remaining
/// time.
final class RunProgress: InputProgress {
  let walk: EnumerationProgress
  /// The byte counter if there is only one file.
  let bytes: ByteProgress?
  private let total: Int?
  /// Whether the number of inputs is unknown.
  private let isListed: Bool
  private let inputs = Atomic(0)
  private let isShown = Console.showsProgress
  private let start = ContinuousClock.now
  private let last = Mutex(ContinuousClock.now)

  /// Whether the bar is displayed on the last line of the terminal.
  private static let isVisible = Mutex(false)

  /// Creates a progress bar.
  ///
  /// - Parameters:
  ///   - paths: the arguments of the command.
  ///   - isListed: whether one of them is a list of paths.
  init(_ paths: [String], isListed: Bool = false) {
    self.isListed = isListed
    walk = EnumerationProgress(roots: paths.count)
    let isSingle = !isListed && paths.count == 1 && !InputEnumerator.mayHoldSeveral(paths[0])
    bytes = isSingle ? ByteProgress() : nil
    total = isSingle ? InputEnumerator.size(paths[0]) : nil
  }

  func addInput() { inputs.add(1, ordering: .relaxed) }

  /// Redraws the bar, at most ten times per second.
  func update() {
    guard isShown else { return }
    let now = ContinuousClock.now
    let isDue = last.withLock { last in
      guard now - start > .seconds(1), now - last > .milliseconds(100) else { return false }
      last = now
      return true
    }
    guard isDue else { return }
    let elapsed = (now - start) / .seconds(1)
    let line = "\r\u{1B}[K" + text(elapsed)
    RunProgress.isVisible.withLock { isVisible in
      isVisible = true
      Console.write(line, to: 2)
    }
  }

  private func text(_ elapsed: Double) -> String {
    var share: Double? = isListed ? nil : walk.share
    if let bytes { share = total.map { $0 > 0 ? Double(bytes.bytesRead) / Double($0) : 1 } }
    var line = ""
    if let share = share.map({ min(max($0, 0), 1) }) {
      let filled = Int(share * 30)
      line += "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "] "
      line += "\(Int(share * 100)) %, "
      if share > 0.01 { line += "\(Text.clock(elapsed / share - elapsed)) left, " }
    }
    if let bytes {
      let megabytes = Double(bytes.bytesRead) / 1e6
      return line + "\(Int(megabytes)) MB, \(Int(megabytes / elapsed)) MB/s"
    }
    let count = inputs.load(ordering: .relaxed)
    return line + "\(Counted.of(count, "input")), \(Formatted.fixed(Double(count) / elapsed, 0))/s"
  }

  /// Removes the bar, so that other text can be printed.
  static func clear() {
    isVisible.withLock { isVisible in
      if isVisible { Console.write("\r\u{1B}[K", to: 2) }
      isVisible = false
    }
  }

  func end() { RunProgress.clear() }
}

extension InputRun {
  /// Creates a run that shows its progress, and reads standard input as a list if it contains paths.
  init(_ paths: [String], jobs: Int?, walk: EnumerationOptions) {
    var walk = walk
    walk.inspectStandardInput(paths)
    self.init(paths: paths, progress: RunProgress(paths, isListed: walk.standardInput?.list != nil))
    self.jobs = jobs
    self.walk = walk
  }
}
