/// What the altitudes of a geometry are measured from, where they count at all (KML 2.3, 9.20 and Google's
/// extension of it).
enum KMLAltitudeMode {
  /// Altitudes do not count, says the standard; this is the mode where none is given. Programs write real
  /// ones all the same, and zeros where they have none: so zeros are taken for nothing until another altitude
  /// comes.
  case clampedToGround
  case absolute
  /// Heights above the ground or the floor of the sea.
  case relative

  init(_ text: String?) {
    if text?.hasPrefix("relativeTo") == true {
      self = .relative
    } else {
      self = text == "absolute" ? .absolute : .clampedToGround
    }
  }
}
