/// Detects the last sentence of a receiver's cycle, so that a point can be delivered before the next cycle.
///
/// Receivers repeat the same sentences in the same order, and no sentence is marked as the last. A sentence
/// is assumed to end the cycle if it has ended three consecutive cycles. If the order changes, detection
/// restarts.
struct NMEACycle {
  /// A sentence within a cycle.
  private struct Part: Equatable {
    var kind: NMEASentence.Kind
    /// The number of sentences of the same kind in the cycle so far.
    var number: Int
  }

  private var counts = [9 of Int](repeating: 0)
  private var last: Part?
  private var ending: Part?
  /// The number of consecutive cycles that have ended with ``ending``, not counting the first.
  private var confirmations = 0

  /// Processes the next sentence.
  ///
  /// - Parameter begins: whether the sentence starts a cycle.
  /// - Returns: whether the sentence is expected to end the cycle.
  mutating func take(_ kind: NMEASentence.Kind, begins: Bool) -> Bool {
    if begins {
      if let last, last == ending {
        confirmations += 1
      } else {
        ending = last
        confirmations = 0
      }
      counts = [9 of Int](repeating: 0)
    }
    let index = Int(kind.rawValue)
    counts[index] &+= 1
    last = Part(kind: kind, number: counts[index])
    return confirmations >= 2 && last == ending
  }
}
