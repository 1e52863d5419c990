import Synchronization
import TrackFormats

/// A bar on standard error for work that takes more than a second, where a person looks at it.
struct Progress {
  private let counter: ByteProgress
  private let total: Int?
  private let isShown = Console.isInteractive
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now

  /// Whether a bar stands on the last line of the terminal.
  private static let isVisible = Mutex(false)

  /// - Parameter total: how many bytes there are in all, nil where nobody knows.
  init(_ counter: ByteProgress, total: Int?) {
    self.counter = counter
    self.total = total
  }

  /// Draws the bar anew, ten times a second at the most.
  mutating func update() {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), now - last > .milliseconds(100) else { return }
    last = now
    let elapsed = (now - start) / .seconds(1)
    let megabytes = Double(counter.bytesRead) / 1e6
    var line = "\r\u{1B}[K"
    if let total, total > 0 {
      let share = min(Double(counter.bytesRead) / Double(total), 1)
      let filled = Int(share * 30)
      line += "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled) + "] "
      line += "\(Int(share * 100)) %, "
      if share > 0.01 { line += "\(Text.clock(elapsed / share - elapsed)) left, " }
    }
    line += "\(Int(megabytes)) MB, \(Int(megabytes / elapsed)) MB/s"
    Progress.isVisible.withLock { isVisible in
      isVisible = true
      Console.write(line, to: 2)
    }
  }

  /// Takes the bar away, so that something else can be printed.
  static func clear() {
    isVisible.withLock { isVisible in
      if isVisible { Console.write("\r\u{1B}[K", to: 2) }
      isVisible = false
    }
  }
}
