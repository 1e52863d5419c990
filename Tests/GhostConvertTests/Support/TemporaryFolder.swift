import Foundation
import TestSupport

extension TemporaryFolder {
  static let fixtures = packageRoot.appendingPathComponent("Fixtures/gpx")

  /// Runs the program in this folder.
  func run(
    _ arguments: String..., input: Data = Data(), output: String? = nil
  ) throws -> OtherProgram.Outcome {
    try GhostConvertProgram.run(arguments, in: url, input: input, output: output)
  }

  /// Runs a shell command line in this folder, in which `$GHOST_CONVERT` is the program.
  func shell(_ line: String) throws -> OtherProgram.Outcome { try GhostConvertProgram.shell(line, in: url) }

  /// Returns the JSON object in a file.
  func json(_ name: String) throws -> [String: Any] { try jsonObject(try data(name)) }
}

/// Calls `body` with a folder that contains copies of the named fixtures, and removes the folder
/// afterwards.
func withFixtures<Result>(
  _ names: String..., body: (TemporaryFolder) throws -> Result
) throws -> Result {
  let folder = try TemporaryFolder()
  for name in names {
    try FileManager.default.copyItem(
      at: TemporaryFolder.fixtures.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
  }
  return try withExtendedLifetime(folder) { try body(folder) }
}

struct NoObject: Error {}

/// Returns the JSON object in `data`, which must contain nothing else.
func jsonObject(_ data: Data) throws -> [String: Any] {
  guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw NoObject() }
  return object
}
