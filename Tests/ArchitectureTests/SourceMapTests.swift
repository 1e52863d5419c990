import Foundation
import Testing

/// The table of folders in `Sources/README.md`.
@Suite("Map of the source folders")
struct SourceMapTests {
  /// A row of the table.
  private struct Row {
    /// The folders, relative to `Sources`.
    let folders: [String]
    /// The files to read first, without the extension.
    let files: [String]
  }

  private static func rows() throws -> [Row] {
    let text = try String(contentsOf: SourceTree.folder.appending(path: "README.md"), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.split(separator: "|").map { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } }
      let first = cells[0][0]
      // The first folder of a row has its path, and the others are next to it.
      let parent = first.prefix(through: first.lastIndex(of: "/") ?? first.startIndex)
      return Row(
        folders: [first] + cells[0].dropFirst().map { parent + $0 },
        files: cells[2])
    }
  }

  @Test("Each folder with more than eight files has a row, its own or that of a folder above")
  func complete() throws {
    let counts = try SourceTree.files().reduce(into: [String: Int]()) { counts, file in
      counts[
        String(file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.startIndex)), default: 0] += 1
    }
    let large = counts.filter { $0.value > 8 }.keys
    #expect(large.count > 20)
    let folders = try SourceMapTests.rows().flatMap(\.folders)
    #expect(large.filter { folder in !folders.contains { "\(folder)/".hasPrefix("\($0)/") } } == [])
    #expect(folders.filter { folder in !counts.keys.contains { "\($0)/".hasPrefix("\(folder)/") } } == [])
  }

  @Test("The files to start with are in the folders of their row or below")
  func beginnings() throws {
    let paths = try SourceTree.files().map(\.path)
    for row in try SourceMapTests.rows() {
      let missing = row.files.filter { name in
        !paths.contains { path in
          path.hasSuffix("/\(name).swift") && row.folders.contains { path.hasPrefix("\($0)/") }
        }
      }
      #expect(missing == [], "\(row.folders)")
    }
  }
}
