/// An open folder or archive.
protocol EnumerationFrame: AnyObject {
  /// The bytes to process, if known.
  var size: Int? { get }
  /// Whether it contains anything other than files, such as links.
  var holdsOthers: Bool { get }
  /// Advances by one file and adds steps.
  ///
  /// - Returns: false at the end.
  func advance(_ walk: InputEnumerator) -> Bool
}
