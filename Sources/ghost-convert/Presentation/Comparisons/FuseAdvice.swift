/// The advice to combine two recordings of one ride.
enum FuseAdvice {
  /// Returns the relation of a recording to another, with the advice.
  static func text(_ other: String) -> String {
    "the same ride as \(other), recorded by another device; both are kept; use convert --fuse to combine them"
  }
}
