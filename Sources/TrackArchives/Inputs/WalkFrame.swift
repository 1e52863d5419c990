/// An open folder or archive.
protocol WalkFrame: AnyObject {
  /// Bytes to pass, where they are known.
  var size: Int? { get }
  /// Whether there is something in it that is no file, such as links.
  var holdsOthers: Bool { get }
  /// Goes one file on; adds steps to the walk.
  ///
  /// - Returns: false at the end.
  func advance(_ walk: InputWalk) -> Bool
}
