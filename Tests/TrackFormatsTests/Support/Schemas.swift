import Testing

@testable import TestSupport

/// The checker of the shared schemas, if it is installed.
enum Schemas {
  static let canValidate = OtherProgram.schemas.isInstalled

  /// Checks all files of a folder in one go and gives the complaints.
  static func complaints(_ folder: TemporaryFolder) throws -> [String] {
    let files = try folder.names().map(folder.file)
    let lines = try OtherProgram.schemas.printed(files).split(separator: "\n").map(String.init)
    #expect(lines.count == files.count, "a line for each file")
    return lines.filter { !$0.hasSuffix(": valid") }
  }
}
