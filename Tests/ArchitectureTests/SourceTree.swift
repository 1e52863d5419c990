import Foundation

/// The source files of the package, for tests of its structure.
enum SourceTree {
  /// A Swift source file.
  struct File {
    /// The path relative to `Sources`, for example `TrackFormats/GPX/GPXReader.swift`.
    let path: String
    let text: String

    /// The target, for example `TrackFormats`.
    var target: String { String(path.prefix { $0 != "/" }) }
    /// The folder, for example `GPX`; empty for a file in the target's top folder.
    var folder: String {
      let parts = path.split(separator: "/")
      return parts.count > 2 ? String(parts[1]) : ""
    }

    /// The modules that the file imports.
    var imports: [String] {
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index + 2 == words.count,
          words[..<index].allSatisfy({
            ["public", "package", "internal", "private"].contains($0) || $0.hasPrefix("@")
          })
        else { return nil }
        return String(words[index + 1])
      }
    }

    /// The text without comments and string literals.
    var code: String {
      text.replacing(#/\/\/.*/#, with: "").replacing(#/"(?:\\.|[^"\\\n])*"/#, with: "\"\"")
    }

    /// The types that the file declares at its top level.
    var declaredTypes: [String] {
      code.matches(
        of:
          #/(?m)^(?:@\w+ )*(?:public |package |private |fileprivate |final |indirect )*(?:struct|class|enum|protocol|typealias) (\w+)/#
      )
      .map { String($0.output.1) }
    }
  }

  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources", directoryHint: .isDirectory)

  /// All Swift files, sorted by path.
  static func files() throws -> [File] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
      File(path: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }
}
