import TestSupport

/// GPSBabel as an independent reader.
enum GPSBabel {
  enum Points: String {
    case waypoints = "-w"
    case trackpoints = "-t"
  }

  /// Returns the points of a file as `latitude longitude date time`, without missing fields.
  static func rows(_ file: String, format: String, points: Points) throws -> [String] {
    let text = try OtherProgram.gpsbabel.printed([
      points.rawValue, "-i", format, "-f", file, "-o", "unicsv,utc=0", "-F", "-",
    ])
    let lines = text.split(whereSeparator: \.isNewline)
    let columns = (lines.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let wanted = ["Latitude", "Longitude", "Date", "Time"].compactMap { name in
      columns.firstIndex { $0 == name }.map { $0 - columns.count }
    }
    return lines.dropFirst().map { line in
      // Quoted texts with commas precede date and time, so these are counted from the end.
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return wanted.map { String(fields[$0 < -4 ? $0 + columns.count : $0 + fields.count]) }
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}
