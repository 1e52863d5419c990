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

  public init() {}

  public var isEmpty: Bool { losses.isEmpty }

  /// Adds a loss.
  ///
  /// - Parameter what: the lost data in the plural, such as `heart rates`. Losses with equal text are merged.
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
    losses.map { "\(LossReport.grouped($0.count)) \($0.what)" }.joined(separator: ", ")
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index % 3 == 0 { text = " " + text }
      text = String(digit) + text
    }
    return text
  }

  public static func == (left: LossReport, right: LossReport) -> Bool { left.losses == right.losses }
}
