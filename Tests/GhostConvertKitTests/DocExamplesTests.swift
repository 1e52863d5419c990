import Foundation
import GhostConvertKit
import TestSupport
import Testing

/// Contains every example of the doc comments, of README.md and of the article about the libraries word for
/// word, and runs it.
@Suite("Examples in doc comments")
struct DocExamplesTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func fixture(_ name: String) -> URL { root.appending(path: "Fixtures/gpx/\(name)") }

  private static func lines(_ text: some StringProtocol) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// The blocks of Swift code in a text, with the comment mark of each line removed.
  private static func examples(in text: String) -> [String] {
    let text = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.trimmingCharacters(in: .whitespaces)
      return line.hasPrefix("///") ? line.dropFirst(3).trimmingCharacters(in: .whitespaces) : line
    }.joined(separator: "\n")
    return text.components(separatedBy: "```swift\n").dropFirst().map {
      lines($0.components(separatedBy: "\n```")[0])
    }
  }

  @Test("Each example is compiled in this file")
  func compiled() throws {
    let here = Self.lines(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8))
    let folder = Self.root.appending(path: "Sources/GhostConvertKit")
    var examples: [String] = []
    for path in ["README.md", "Documentation/GhostConvert.docc/UsingTheLibraries.md"] {
      let found = Self.examples(in: try String(contentsOf: Self.root.appending(path: path), encoding: .utf8))
      #expect(!found.isEmpty)
      examples += found
    }
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".swift") || name.hasSuffix(".md") {
      examples += Self.examples(in: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }
    #expect(examples.count > 12)
    for example in examples { #expect(here.contains(example)) }
  }

  // MARK: README

  @Test("README")
  func readme() async throws {
    let work = try TemporaryFolder()
    let folder = work.url
    for name in ["tuesday.gpx", "thursday.gpx"] {
      try FileManager.default.copyItem(at: Self.fixture(name), to: folder.appending(path: name))
    }
    try await race(in: folder)
    #expect(try work.text("race.html").contains("<!DOCTYPE html>"))
    #expect(try work.text("thursday.tcx").contains("<TrainingCenterDatabase"))
  }

  private func race(in folder: URL) async throws {
    let tuesday = try await Drive.read(contentsOf: folder.appending(path: "tuesday.gpx"))
    let thursday = try await Drive.read(contentsOf: folder.appending(path: "thursday.gpx"))
    let comparison = try await DriveComparison(tuesday[0], thursday[0])
    print(comparison.margin ?? 0, "s")
    try await comparison.write(to: folder.appending(path: "race.html"))
    try thursday[0].data(as: .tcx).write(to: folder.appending(path: "thursday.tcx"))
  }

  // MARK: Reading

  @Test("Recordings in a loop")
  func recordings() async throws {
    let url = Self.fixture("two-tracks.gpx")
    for try await recording in TrackFile(url).recordings {
      print(recording.name ?? "unnamed", recording.count)
    }
    var points = 0
    for try await recording in TrackFile(url).recordings { points += recording.count }
    // 10 and 12 points are in the file.
    #expect(points == 22)
  }

  @Test("Drives with warnings")
  func imported() throws {
    let url = Self.fixture("two-tracks.gpx")
    let result = try TrackFile(url).importDrives()
    for warning in result.warnings { print(warning) }
    for imported in result.imported {
      print(imported.drive.name, imported.report.largestTimeError)
    }
    #expect(result.drives.map(\.name) == ["Out", "Back"])
  }

  @Test("Drives with warnings, in a task")
  func importedInTask() async throws {
    let url = Self.fixture("two-tracks.gpx")
    let result = try await TrackFile(url).importDrives()
    print(result.drives.count)
    #expect(result.drives.count == 2)
  }

  @Test("Drives of a file")
  func file() throws {
    let url = Self.fixture("two-tracks.gpx")
    let drives = try Drive.read(contentsOf: url)
    print(drives[0].name, drives[0].durationInSeconds, drives[0].distanceInMiles)
    // The file has a point a second.
    #expect(drives.map(\.durationInSeconds) == [9, 11])
  }

  @Test("Drives of a file, in a task")
  func fileInTask() async throws {
    let url = Self.fixture("two-tracks.gpx")
    let drives = try await Drive.read(contentsOf: url)
    #expect(drives.count == 2)
  }

  @Test("Drives of data")
  func data() throws {
    let data = try Data(contentsOf: Self.fixture("two-tracks.gpx"))
    let drives = try Drive.read(data, as: .gpx)
    #expect(drives.count == 2)
  }

  @Test("Drives of data, in a task")
  func dataInTask() async throws {
    let data = try Data(contentsOf: Self.fixture("two-tracks.gpx"))
    let drives = try await Drive.read(data, as: .gpx)
    #expect(drives.count == 2)
  }

  // MARK: Writing

  @Test("A drive and drives in other formats")
  func written() throws {
    let work = try TemporaryFolder()
    let folder = work.url
    let drives = try Drive.read(contentsOf: Self.fixture("two-tracks.gpx"))
    let drive = drives[0]
    let gpx = try drive.data(as: .gpx)
    try drive.write(to: folder.appending(path: "ride.gpx"))
    #expect(try Data(contentsOf: folder.appending(path: "ride.gpx")) == gpx)
    let kml = try drives.data(as: .kml)
    try drives.write(to: folder.appending(path: "week.kml"))
    #expect(try Data(contentsOf: folder.appending(path: "week.kml")) == kml)
    #expect(try work.names() == ["ride.gpx", "week.kml"])
  }

  @Test("A drive, in a task")
  func writtenInTask() async throws {
    let work = try TemporaryFolder()
    let folder = work.url
    let drives = try await Drive.read(contentsOf: Self.fixture("two-tracks.gpx"))
    let drive = drives[0]
    try await drive.write(to: folder.appending(path: "ride.tcx"))
    try await drives.write(to: folder.appending(path: "week.fit"))
    #expect(try work.names() == ["ride.tcx", "week.fit"])
  }

  // MARK: Comparing

  @Test("A comparison of two drives")
  func compared() throws {
    let work = try TemporaryFolder()
    let folder = work.url
    let reference = try Drive.read(contentsOf: Self.fixture("tuesday.gpx"))[0]
    let other = try Drive.read(contentsOf: Self.fixture("thursday.gpx"))[0]
    let comparison = try DriveComparison(reference, other)
    if let winner = comparison.winner, let margin = comparison.margin {
      print("\(comparison.drives[winner].label) was faster by \(margin) s")
    }
    #expect(comparison.winner == 1)
    let page = try comparison.data(as: .html)
    #expect(String(decoding: page.prefix(15), as: UTF8.self) == "<!DOCTYPE html>")
    try comparison.write(to: folder.appending(path: "race.kml"))
    #expect(try work.text("race.kml").contains("<kml"))
  }

  @Test("A comparison of several drives, aligned at another place")
  func several() throws {
    let drives =
      try Drive.read(contentsOf: Self.fixture("tuesday.gpx"))
      + Drive.read(contentsOf: Self.fixture("thursday.gpx"))
    let comparison = try DriveComparison(drives, settings: ComparisonSettings(mode: .endLocation))
    #expect(comparison.mode == .endLocation && comparison.pairs.count == 1)
  }

  @Test("A comparison, in a task")
  func comparedInTask() async throws {
    let work = try TemporaryFolder()
    let folder = work.url
    let reference = try await Drive.read(contentsOf: Self.fixture("tuesday.gpx"))[0]
    let other = try await Drive.read(contentsOf: Self.fixture("thursday.gpx"))[0]
    do {
      let comparison = try await DriveComparison(reference, other)
      try await comparison.write(to: folder.appending(path: "race.svg"))
      #expect(comparison.winner == 1)
    }
    let drives = [reference, other, reference]
    let comparison = try await DriveComparison(drives)
    #expect(comparison.pairs.count == 2)
    #expect(try work.names() == ["race.svg"])
  }
}
