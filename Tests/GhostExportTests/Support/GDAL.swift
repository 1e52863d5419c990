/// Parsing of the output of `ogrinfo -al`.
enum GDAL {
  /// Returns the number of features per layer.
  static func counts(_ report: String) -> [String: Int] {
    var counts: [String: Int] = [:]
    var layer = ""
    for line in report.split(separator: "\n") {
      if line.hasPrefix("Layer name: ") { layer = String(line.dropFirst("Layer name: ".count)) }
      if line.hasPrefix("Feature Count: ") { counts[layer] = Int(line.dropFirst("Feature Count: ".count)) }
    }
    return counts
  }
}
