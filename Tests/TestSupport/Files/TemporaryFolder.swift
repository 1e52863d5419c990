package import Foundation

/// A temporary folder, removed when the instance is deallocated.
package final class TemporaryFolder: Sendable {
  package let url: URL
  private let isOwned: Bool
  package var path: String { url.path(percentEncoded: false) }

  /// The root folder of the package.
  package static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "ghost-convert-\(UUID().uuidString)")
    isOwned = true
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Uses an existing folder without removing it.
  package init(existing url: URL) {
    self.url = url
    isOwned = false
  }

  deinit { if isOwned { try? FileManager.default.removeItem(at: url) } }

  /// Returns the path of a file in the folder.
  package func file(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

  /// Writes a file, creating the folders in its name, and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return self.file(name)
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  package func data(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }
  package func text(_ name: String) throws -> String { String(decoding: try data(name), as: UTF8.self) }

  /// Returns the names of the folder's content, sorted.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
