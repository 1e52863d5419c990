/// What a format had no place for, counted by what it was.
public struct LossReport: Sendable, Equatable {
  /// One kind of loss.
  public struct Loss: Sendable, Hashable {
    /// What was lost, in the plural and without the count: `waypoint symbols`.
    public var what: String
    /// How many of them, 1 or more.
    public var count: Int
  }

  /// In the order of first occurrence.
  public private(set) var losses: [Loss] = []
  private var indices: [String: Int] = [:]

  public init() {}

  public var isEmpty: Bool { losses.isEmpty }

  /// Counts a loss.
  ///
  /// - Parameter what: in the plural, such as `heart rates`; literals, since they are compared.
  public mutating func add(_ what: String, _ count: Int = 1) {
    guard count > 0 else { return }
    if let index = indices[what] {
      losses[index].count += count
    } else {
      indices[what] = losses.count
      losses.append(Loss(what: what, count: count))
    }
  }

  /// Counts what another report holds.
  public mutating func add(_ other: LossReport) {
    for loss in other.losses { add(loss.what, loss.count) }
  }

  /// All of it as `1 210 heart rates, 3 waypoint symbols`: digits in groups of three.
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
