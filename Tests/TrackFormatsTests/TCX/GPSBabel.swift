@testable import TestSupport

/// GPSBabel as an independent reader.
enum GPSBabel {
  static var isInstalled: Bool { OtherProgram.gpsbabel.isInstalled }

  /// Returns the trackpoints of a file as `latitude longitude` with six decimals.
  static func trackpoints(_ file: String, format: String) throws -> [String] {
    let outcome = try OtherProgram.gpsbabel.run(["-t", "-i", format, "-f", file, "-o", "unicsv", "-F", "-"])
    // The first line contains the column names: number, latitude, longitude and more.
    return outcome.text.split(whereSeparator: \.isNewline).dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropFirst().prefix(2)
        .joined(separator: " ")
    }
  }
}
