import Foundation
import TestSupport
import Testing

/// A file of `Fixtures`, with its expected transcript (`.events`) or diagnostic (`.error`) next to it.
struct Fixture: Sendable, CustomTestStringConvertible {
  let path: String
  var testDescription: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  /// The folder of the package.
  static let packageRoot = TemporaryFolder.packageRoot

  /// The folder of shared schemas and real files, which may exist next to the package.
  static let shared = packageRoot.deletingLastPathComponent().appending(path: "shared")

  static var hasShared: Bool { FileManager.default.fileExists(atPath: shared.path()) }

  /// Returns all fixtures of a format, sorted by name.
  static func all(of format: String) -> [Fixture] {
    files(in: packageRoot.appending(path: "Fixtures/\(format)"), ending: "." + format)
  }

  /// Returns the files of a folder with this extension, sorted by name, or none if the folder does not
  /// exist.
  static func files(in folder: URL, ending: String) -> [Fixture] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted()
      .map { folder.appending(path: $0) }
      .filter { !isFolder($0) }
      .map { Fixture(path: $0.path()) }
  }

  private static func isFolder(_ url: URL) -> Bool {
    (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
  }

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  /// Returns the path with another extension.
  func sibling(_ ending: String) -> URL {
    URL(filePath: path).deletingPathExtension().appendingPathExtension(ending)
  }
}
