import Synchronization

/// How far a walk has come: moved by the walk, looked at from anywhere.
public final class WalkProgress: Sendable {
  private struct State {
    var finished = 0
    var share = 0.0
    var size = 0
  }
  private let state = Mutex(State())
  private let roots: Int

  /// - Parameter roots: how many paths there are.
  public init(roots: Int) { self.roots = roots }

  /// How much of the work is done, 0…1: by the paths, and by the bytes of the archive that is open.
  public var share: Double {
    state.withLock { roots > 0 ? min((Double($0.finished) + $0.share) / Double(roots), 1) : 1 }
  }

  func begin(root: Int, size: Int?) {
    state.withLock {
      $0.size = size ?? 0
      $0.share = 0
    }
  }

  func move(to position: Int, root: Int) {
    state.withLock { if $0.size > 0 { $0.share = min(Double(position) / Double($0.size), 1) } }
  }

  func finish(root: Int) {
    state.withLock {
      $0.finished = root + 1
      $0.share = 0
    }
  }
}
