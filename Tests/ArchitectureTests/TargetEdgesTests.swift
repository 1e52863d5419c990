import Foundation
import Testing

/// The allowed imports of each target; see `Sources/README.md`.
@Suite("Dependencies between targets")
struct TargetEdgesTests {
  /// System modules that every target may import.
  private static let system: Set = ["Darwin", "Glibc", "Musl", "CMath", "Synchronization", "Dispatch"]
  private static let foundation: Set = ["Foundation", "FoundationEssentials"]

  /// The modules that each target may import in addition to those of the system.
  private static let edges: [String: Set<String>] = [
    "TrackModel": [],
    "TrackFormats": ["TrackModel", "CLibXML2", "CFileSystem"],
    "TrackArchives": ["TrackModel", "TrackFormats", "CLibArchive", "CZLib"],
    "LiveReceivers": ["TrackModel", "TrackFormats", "TrackTransforms", "GhostModel"],
    "TrackTransforms": ["TrackModel"],
    "GhostModel": foundation.union(["TrackModel", "TrackTransforms"]),
    "DriveMatching": foundation.union(["TrackModel", "TrackTransforms", "GhostModel"]),
    "GhostExport": ["TrackModel", "TrackFormats", "GhostModel", "DriveMatching"],
    "GhostConvertKit": foundation.union([
      "TrackModel", "TrackTransforms", "TrackFormats", "GhostModel", "DriveMatching", "GhostExport",
    ]),
    "DriveLibrary": foundation.union([
      "TrackModel", "TrackTransforms", "GhostModel", "DriveMatching", "CSQLite",
    ]),
    "BulkImport": foundation.union([
      "TrackModel", "TrackFormats", "TrackArchives", "TrackTransforms", "GhostModel", "DriveMatching",
      "DriveLibrary", "CMalloc",
    ]),
    "CommandLineParsing": ["TrackModel"],
    "ghost-convert": foundation.union([
      "TrackModel", "TrackFormats", "TrackArchives", "LiveReceivers", "TrackTransforms", "GhostModel",
      "DriveMatching", "GhostExport", "DriveLibrary", "BulkImport", "CommandLineParsing",
    ]),
  ]

  @Test("Each file imports only modules that its target may import")
  func imports() throws {
    let files = try SourceTree.files()
    #expect(Set(files.map(\.target)) == Set(Self.edges.keys))
    for file in files {
      let allowed = Self.system.union(Self.edges[file.target] ?? [])
      let strangers = file.imports.filter { !allowed.contains($0) }
      #expect(strangers == [], "\(file.path)")
    }
  }

  @Test("Package.swift declares the dependencies that the files of each target import")
  func declarations() throws {
    let package = try String(
      contentsOf: SourceTree.folder.appending(path: "../Package.swift"), encoding: .utf8)
    var declared: [String: Set<String>] = [:]
    let pattern = #/name: "([\w-]+)",\s*(?:\/\/[^\n]*\s*)?dependencies: \[([^\]]*)\]/#
    for match in package.matches(of: pattern) {
      declared[String(match.1)] = Set(match.2.matches(of: #/"([\w-]+)"/#).map { String($0.1) })
    }
    #expect(declared.count > 15)
    let names = Set(declared.keys).union(declared.values.joined())
    for (target, dependencies) in declared {
      let files = try ["", "../Tests/"].flatMap { try SourceTree.files(in: $0 + target) }
      let imports = Set(files.flatMap(\.imports).map { $0.replacing("_", with: "-") })
      guard !files.isEmpty else { continue }
      #expect(imports.intersection(names).subtracting([target]) == dependencies, "\(target)")
    }
  }

  @Test("Only the files that wrap a C module import it")
  func owners() throws {
    let files = try SourceTree.files().map { (path: $0.path, imports: $0.imports) }
    for module in ["CLibXML2", "CLibArchive", "CZLib", "CSQLite", "CFileSystem", "CMalloc"] {
      let owners = files.filter { $0.imports.contains(module) }
      #expect(owners.count == 1, "\(module): \(owners.map(\.path))")
    }
  }

  @Test("Imports are found with their modifiers, but not in comments and string literals")
  func reading() {
    let file = SourceTree.File(
      path: "A/B/c.swift",
      text: """
        public import TrackModel
        #if canImport(Glibc)
          @preconcurrency import Glibc
        #endif
        // import Nothing
        let text = "what to import GPX from"
        """)
    #expect(file.imports == ["TrackModel", "Glibc"])
    #expect(file.target == "A" && file.folder == "B")
  }
}
