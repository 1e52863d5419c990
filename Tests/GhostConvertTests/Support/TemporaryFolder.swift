import Foundation
import TestSupport

extension TemporaryFolder {
  static let fixtures = packageRoot.appendingPathComponent("Fixtures/gpx")

  /// Runs the command here.
  func run(
    _ arguments: String..., input: Data = Data(), output: String? = nil
  ) throws -> OtherProgram.Outcome {
    try GhostConvertProgram.run(arguments, in: url, input: input, output: output)
  }

  /// Runs a line of the shell here, in which `$GHOST_CONVERT` is the command.
  func shell(_ line: String) throws -> OtherProgram.Outcome { try GhostConvertProgram.shell(line, in: url) }

  /// A file read as one JSON object.
  func json(_ name: String) throws -> [String: Any] { try jsonObject(try data(name)) }
}

/// Makes a folder with copies of the named fixtures, and takes it away behind `body`.
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

/// One JSON object and nothing else.
func jsonObject(_ data: Data) throws -> [String: Any] {
  guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw NoObject() }
  return object
}
