/// A pair of values for two compared drives.
public struct Paired<Value> {
  /// The value of the reference drive.
  public var first: Value
  /// The value of the compared drive.
  public var second: Value

  /// Creates a pair from the value of the first and that of the second drive.
  @inlinable public init(_ first: Value, _ second: Value) {
    self.first = first
    self.second = second
  }

  /// The pair in reverse order.
  @inlinable public var swapped: Paired { Paired(second, first) }
}

extension Paired: Sendable where Value: Sendable {}
extension Paired: Equatable where Value: Equatable {}
extension Paired: Hashable where Value: Hashable {}
