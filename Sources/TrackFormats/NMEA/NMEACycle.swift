/// Learns with which sentence a receiver ends what it says about one moment, so that a point need not wait
/// for the first sentence about the next.
///
/// Receivers say the same kinds of sentences in the same order again and again, and no sentence says that it
/// is the last. Three times in a row are taken for a habit; one that breaks it has to show it anew.
struct NMEACycle {
  /// A sentence within a cycle.
  private struct Part: Equatable {
    var kind: NMEASentence.Kind
    /// How many of its kind there were, it among them.
    var number: Int
  }

  private var counts = [8 of Int](repeating: 0)
  private var last: Part?
  private var ending: Part?
  /// How many cycles in a row have ended with ``ending``, but for the first.
  private var confirmations = 0

  /// Takes the next sentence.
  ///
  /// - Parameter begins: whether it is the first about another moment.
  /// - Returns: whether it is the last about its moment, as far as habit tells.
  mutating func take(_ kind: NMEASentence.Kind, begins: Bool) -> Bool {
    if begins {
      if let last, last == ending {
        confirmations += 1
      } else {
        ending = last
        confirmations = 0
      }
      counts = [8 of Int](repeating: 0)
    }
    let index = Int(kind.rawValue)
    counts[index] &+= 1
    last = Part(kind: kind, number: counts[index])
    return confirmations >= 2 && last == ending
  }
}
