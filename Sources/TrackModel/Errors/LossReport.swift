/// The data that a format could not represent, counted by kind.
public struct LossReport: Sendable, Equatable {
  /// A kind of loss.
  public struct Loss: Sendable, Hashable {
    /// The lost data in the plural, without a count: `waypoint symbols`.
    public var what: String
    /// The number of occurrences, at least 1.
    public var count: Int
  }

  /// The losses in the order of first occurrence.
  public private(set) var losses: [Loss] = []
  private var indices: [String: Int] = [:]

  /// Creates a report without losses.
  public init() {}

  /// Whether nothing was lost.
  public var isEmpty: Bool { losses.isEmpty }

  /// Adds a loss.
  ///
  /// - Parameters:
  ///   - what: the lost data in the plural, such as `heart rates`. Losses with equal text are merged.
  ///   - count: the number of lost values or objects.
  public mutating func add(_ what: String, _ count: Int = 1) {
    guard count > 0 else { return }
    if let index = indices[what] {
      losses[index].count += count
    } else {
      indices[what] = losses.count
      losses.append(Loss(what: what, count: count))
    }
  }

  /// Adds the losses of another report.
  public mutating func add(_ other: LossReport) {
    for loss in other.losses { add(loss.what, loss.count) }
  }

  /// The losses as text with grouped digits: `1 210 heart rates, 3 waypoint symbols`.
  public var text: String {
    losses.map { loss in
      let what = loss.count == 1 ? LossReport.singular(loss.what) : loss.what
      return "\(LossReport.grouped(loss.count)) \(what)"
    }.joined(separator: ", ")
  }

  /// Returns the singular of a plural, whose first word that ends in `s` is its noun. Nouns joined to it by a
  /// comma, `and` or `or` become singular too.
  private static func singular(_ plural: String) -> String {
    var words = plural.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    var hasNoun = false
    for index in words.indices {
      let comma = words[index].hasSuffix(",") ? "," : ""
      let word = words[index].dropLast(comma.count)
      if word.hasSuffix("s") {
        hasNoun = true
        let end = word.hasSuffix("ies") ? "y" : word.hasSuffix("sses") ? "ss" : ""
        words[index] = word.dropLast(end == "y" ? 3 : end == "ss" ? 4 : 1) + end + comma
      }
      let isJoined = comma == "," || index + 1 < words.count && ["and", "or"].contains(words[index + 1])
      if hasNoun, !isJoined, !["and", "or", "other"].contains(words[index]) { break }
    }
    return words.joined(separator: " ")
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text = " " + text }
      text = String(digit) + text
    }
    return text
  }

  /// Returns whether two reports have the same losses in the same order.
  public static func == (left: LossReport, right: LossReport) -> Bool { left.losses == right.losses }
}
