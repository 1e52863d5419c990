import Foundation
import Testing

@testable import TestSupport

/// The checker of the shared schemas beside the package, where that and `xmllint` are there.
enum Schemas {
  private static let validator = Fixture.shared.appending(path: "schemas/validate").path()

  static let canValidate: Bool =
    FileManager.default.isExecutableFile(atPath: validator)
    && (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/xmllint") }

  /// Checks all files of a folder in one go and gives the complaints.
  static func complaints(_ folder: TemporaryFolder) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: validator)
    process.arguments = try folder.names().map(folder.file)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.count == process.arguments?.count, "a line for each file")
    return lines.filter { !$0.hasSuffix(": valid") }
  }
}
