import Testing

@testable import TestSupport

/// Validates files against the shared schemas, if the validator is installed.
enum Schemas {
  static let canValidate = OtherProgram.schemas.isInstalled

  /// Validates all files of a folder at once and returns the error messages.
  static func complaints(_ folder: TemporaryFolder) throws -> [String] {
    let files = try folder.names().map(folder.file)
    let lines = try OtherProgram.schemas.printed(files).split(separator: "\n").map(String.init)
    #expect(lines.count == files.count, "a line for each file")
    return lines.filter { !$0.hasSuffix(": valid") }
  }
}
