/// The advice about two recordings of one ride.
enum FuseAdvice {
  static let text = "both are kept, convert --fuse makes one recording of them"
}
