/// The namespaces of TCX files: TCX itself, and the extensions whose elements are channels here.
enum TCXNamespace {
  static let v2 = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
  static let activity1 = "http://www.garmin.com/xmlschemas/ActivityExtension/v1"
  static let activity2 = "http://www.garmin.com/xmlschemas/ActivityExtension/v2"
  static let xsi = "http://www.w3.org/2001/XMLSchema-instance"

  /// Replaces a missing namespace or TCX's namespace inside `Extensions`, where the schema allows neither.
  /// It keeps the file valid and is read back as a missing namespace.
  static let unqualified = GPXNamespace.unqualified
}
