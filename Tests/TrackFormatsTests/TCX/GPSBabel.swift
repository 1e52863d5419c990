import Foundation

/// The program GPSBabel, where it is installed, as an independent reader.
enum GPSBabel {
  private static let path: String? =
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/gpsbabel" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var isInstalled: Bool { path != nil }

  /// The trackpoints of a file as `latitude longitude` with six decimals.
  static func trackpoints(_ file: String, format: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: path ?? "gpsbabel")
    process.arguments = ["-t", "-i", format, "-f", file, "-o", "unicsv", "-F", "-"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    // The first line has the names of the columns: number, latitude, longitude and more.
    return String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline).dropFirst().map {
      line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropFirst().prefix(2)
        .joined(separator: " ")
    }
  }
}
