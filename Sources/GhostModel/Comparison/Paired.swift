/// A value of each of two drives that are compared.
public struct Paired<Value> {
  /// Of the drive that is the measure.
  public var first: Value
  /// Of the drive that is compared with it.
  public var second: Value

  @inlinable public init(_ first: Value, _ second: Value) {
    self.first = first
    self.second = second
  }

  /// The two the other way round.
  @inlinable public var swapped: Paired { Paired(second, first) }
}

extension Paired: Sendable where Value: Sendable {}
extension Paired: Equatable where Value: Equatable {}
extension Paired: Hashable where Value: Hashable {}
