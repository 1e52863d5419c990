/// The namespaces of TCX files: TCX itself, and the extensions whose elements are channels here.
enum TCXNamespace {
  static let v2 = "http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
  static let activity1 = "http://www.garmin.com/xmlschemas/ActivityExtension/v1"
  static let activity2 = "http://www.garmin.com/xmlschemas/ActivityExtension/v2"
  static let xsi = "http://www.w3.org/2001/XMLSchema-instance"

  /// Stands for "no namespace" or TCX's own inside `Extensions`, where the schema allows neither: written so
  /// that the file is valid, read back as none.
  static let unqualified = GPXNamespace.unqualified
}
