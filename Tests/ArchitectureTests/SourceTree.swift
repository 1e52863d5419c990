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
        guard let index = words.firstIndex(of: "import"), words.count > index + 1,
          words[..<index].allSatisfy({
            ["public", "package", "internal", "private"].contains($0) || $0.hasPrefix("@")
          })
        else { return nil }
        let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        let names = words[(index + 1)...].drop { kinds.contains(String($0)) }
        return names.count == 1 ? names.first.map { String($0.prefix { $0 != "." }) } : nil
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
  ///
  /// - Parameter path: a folder relative to `Sources`. If it does not exist, there are no files.
  static func files(in path: String = "") throws -> [File] {
    let folder = folder.appending(path: path)
    guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else { return [] }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
      File(path: $0, text: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
    }
  }
}
