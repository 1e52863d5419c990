extension String {
  /// Returns the text with at most `count` characters; a mark replaces characters in the middle of a longer
  /// one.
  ///
  /// The last ten characters are kept, which are the date in the label of a drive: the names of daily drives
  /// are often equal.
  package func shortened(to count: Int, mark: String = "…") -> String {
    guard self.count > count else { return self }
    let kept = count - mark.count
    let tail = min(kept, max(10, kept - kept / 2))
    return prefix(kept - tail) + mark + suffix(tail)
  }
}
