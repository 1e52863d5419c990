/// The reference level of a geometry's altitudes, if they are used (KML 2.3, 9.20 and Google's extension of
/// it).
enum KMLAltitudeMode {
  /// The default mode. According to the standard altitudes are ignored. However, programs write real
  /// altitudes, or zeros if the altitude is unknown, so zeros are ignored until another altitude occurs.
  case clampedToGround
  case absolute
  /// Heights above the ground or the sea floor.
  case relative

  init(_ text: String?) {
    if text?.hasPrefix("relativeTo") == true {
      self = .relative
    } else {
      self = text == "absolute" ? .absolute : .clampedToGround
    }
  }
}
