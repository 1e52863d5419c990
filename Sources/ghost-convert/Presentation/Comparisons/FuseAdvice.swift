/// The advice to combine two recordings of one ride.
enum FuseAdvice {
  static let text = "both are kept; use convert --fuse to combine them"
}
