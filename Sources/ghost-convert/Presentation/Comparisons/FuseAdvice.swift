/// The advice to combine two recordings of one ride.
enum FuseAdvice {
  /// Returns the relation of a recording to another, with the advice to use a command.
  static func text(_ other: String, _ command: String = "convert --fuse") -> String {
    "the same ride as \(other), recorded by another device; both are kept; use \(command) to combine them"
  }
}
