import Synchronization

/// The progress of an enumeration, readable from any thread.
public final class EnumerationProgress: Sendable {
  private struct State {
    var finished = 0
    var share = 0.0
    var size = 0
  }
  private let state = Mutex(State())
  private let roots: Int

  /// Creates a progress at its start.
  ///
  /// - Parameter roots: the number of paths.
  public init(roots: Int) { self.roots = roots }

  /// The completed fraction, 0…1, from the paths and the bytes of the open archive.
  public var share: Double {
    state.withLock { roots > 0 ? min((Double($0.finished) + $0.share) / Double(roots), 1) : 1 }
  }

  func begin(size: Int?) {
    state.withLock {
      $0.size = size ?? 0
      $0.share = 0
    }
  }

  func move(to position: Int) {
    state.withLock { if $0.size > 0 { $0.share = min(Double(position) / Double($0.size), 1) } }
  }

  func finish(root: Int) {
    state.withLock {
      $0.finished = root + 1
      $0.share = 0
    }
  }
}
