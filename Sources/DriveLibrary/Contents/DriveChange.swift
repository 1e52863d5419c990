/// New values of a drive in a library. Values that are `nil` are not changed.
public struct DriveChange: Sendable, Hashable {
  /// The name of the drive, not empty.
  public var name: String?
  /// The kind of activity; empty for none.
  public var kind: String?
  /// The bike, the shoes or the vehicle; empty for none.
  public var gear: String?

  /// Creates a change of nothing.
  public init() {}

  /// The names of the columns that can be changed.
  static let columnNames = ["name", "kind", "gear"]

  /// The columns with their new values.
  var columns: [(column: String, value: String)] {
    [("name", name == "" ? nil : name), ("kind", kind), ("gear", gear)].compactMap { column, value in
      value.map { (column, $0) }
    }
  }
}
