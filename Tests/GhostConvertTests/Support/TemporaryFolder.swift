import Foundation

@testable import TestSupport

/// A folder with copies of fixtures, where a test may do what it likes.
struct TemporaryFolder {
  let url: URL

  static let fixtures = root.appendingPathComponent("Fixtures/gpx")
  /// The project's folder.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func make() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "ghost-convert-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  /// Runs the command here.
  func run(
    _ arguments: String..., input: Data = Data(), output: String? = nil
  ) throws -> GhostConvertProgram.Outcome {
    try GhostConvertProgram.run(arguments, in: url, input: input, output: output)
  }

  /// Runs a line of the shell here, in which `$GHOST_CONVERT` is the command.
  func shell(_ line: String) throws -> GhostConvertProgram.Outcome {
    try GhostConvertProgram.shell(line, in: url)
  }

  /// The names of what lies here, in alphabetical order.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
  func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }
  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
  }

  /// A file read as one JSON object.
  func json(_ name: String) throws -> [String: Any] { try jsonObject(try data(name)) }
}

/// Makes a folder with copies of the named fixtures, and takes it away behind `body`.
func withFixtures<Result>(
  _ names: String..., body: (TemporaryFolder) throws -> Result
) throws -> Result {
  let folder = TemporaryFolder(url: try TemporaryFolder.make())
  defer { try? FileManager.default.removeItem(at: folder.url) }
  for name in names {
    try FileManager.default.copyItem(
      at: TemporaryFolder.fixtures.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
  }
  return try body(folder)
}

struct NoObject: Error {}

/// One JSON object and nothing else.
func jsonObject(_ data: Data) throws -> [String: Any] {
  guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else { throw NoObject() }
  return object
}
