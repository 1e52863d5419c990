import Foundation

/// A folder for one test, removed with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "GhostExportTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// The names in the folder, sorted.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path()).sorted() }
}
