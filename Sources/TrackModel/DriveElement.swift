/// What a drive document says that tracks have no field for, as the extension of a track: the element `drive` with
/// attributes. Formats that keep extensions keep it, so that a drive can become the same drive again.
public enum DriveElement {
  public static let namespace = "urn:ghost-car:drive:1"
  public static let name = "drive"
  /// The drive's identifier, a UUID.
  public static let identifier = "id"
  /// Seconds.
  public static let duration = "duration"
  /// Miles of 1609.344 m.
  public static let distance = "distance"
}
