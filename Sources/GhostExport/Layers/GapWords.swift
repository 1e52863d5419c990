extension Quantity {
  /// Describes a gap between two drives: `Tuesday is ahead by 4.2 s`, or `level`.
  static func ahead(_ gap: Double, _ first: String, _ second: String) -> String {
    abs(gap) < TimeResolution.current.smallest
      ? "level" : "\(gap > 0 ? first : second) is ahead by \(duration(gap))"
  }
}
