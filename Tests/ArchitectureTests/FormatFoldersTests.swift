import Testing

/// The allowed dependencies between the folders of `TrackFormats`: folders for bytes do not depend on
/// formats, and formats do not depend on each other unless one is contained in the other.
@Suite("Dependencies between the folders of TrackFormats")
struct FormatFoldersTests {
  private static let common: Set = ["Bytes", "Recognition", "Vocabulary"]

  /// The folders that each folder may use. The registry is in no folder and may use all of them.
  private static let edges: [String: Set<String>] = [
    "Bytes": [],
    "Concurrency": ["Bytes"],
    "JSON": ["Bytes"],
    "XML": ["Bytes"],
    "Logs": ["Bytes"],
    "Recognition": ["Bytes", "JSON"],
    "Vocabulary": ["Bytes", "JSON"],
    "CSV": common,
    "Dashcam": common.union(["Logs"]),
    "Drive": common.union(["JSON"]),
    "FIT": common,
    "GPSD": common.union(["JSON"]),
    "GPX": common.union(["XML"]),
    "Huawei": common.union(["JSON", "Logs"]),
    "KML": common.union(["XML"]),
    "IGC": common,
    "GeoJSON": common.union(["JSON"]),
    // Dashcams store sentences of NMEA 0183 and JSON objects in films.
    "MP4": common.union(["JSON", "NMEA"]),
    "NMEA": common,
    "OwnTracks": common.union(["JSON", "Logs"]),
    "OziExplorer": common.union(["Logs"]),
    "Polar": common.union(["JSON", "Logs"]),
    "Polyline": common,
    "SML": common.union(["JSON", "Logs", "XML"]),
    "Samsung": common.union(["JSON", "Logs"]),
    "TCX": common.union(["XML"]),
    "Timeline": common.union(["JSON"]),
    "VBO": common,
  ]

  @Test("Each file uses only types of the folders that its own folder may use")
  func folders() throws {
    let files = try SourceTree.files().filter { $0.target == "TrackFormats" && !$0.folder.isEmpty }
    #expect(Set(files.map(\.folder)) == Set(Self.edges.keys))
    var homes: [String: Set<String>] = [:]
    for file in files { for type in file.declaredTypes { homes[type, default: []].insert(file.folder) } }
    for file in files {
      let allowed = (Self.edges[file.folder] ?? []).union([file.folder])
      let words = Set(file.code.matches(of: #/[A-Z]\w+/#).map { String($0.output) })
      for word in words.sorted() {
        guard let folders = homes[word], folders.isDisjoint(with: allowed) else { continue }
        Issue.record("\(file.path) uses \(word) of \(folders.sorted())")
      }
    }
  }

  @Test("There are no direct or indirect cycles between folders")
  func cycles() {
    var open = Self.edges
    while let leaf = open.first(where: { $0.value.isEmpty })?.key {
      open[leaf] = nil
      for folder in open.keys { open[folder]?.remove(leaf) }
    }
    #expect(open.isEmpty)
  }
}
