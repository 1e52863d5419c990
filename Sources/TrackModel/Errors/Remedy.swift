/// A way to resolve an error or a warning, for programs to present in their own terms.
public enum Remedy: String, Sendable, Hashable, CaseIterable {
  /// Remove points that imply impossible speeds.
  case dropSpikes
  /// Start a new drive at each long gap in time.
  case splitAtGaps
  /// Increase the time between the points of a drive.
  case lengthenCadence
  /// Give a start time to tracks without times.
  case giveStart
}
