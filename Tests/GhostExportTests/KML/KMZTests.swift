import Foundation
import GhostExport
import Testing

@testable import GhostExport

struct KMZTests {
  @Test("The document comes first, its images beside it", .enabled(if: Program.unzip.isInstalled))
  func entries() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.kmz.bytes(try Race.document()), to: "race.kmz")
    let names = try Program.unzip.run(["-Z1", file]).split(separator: "\n")
    #expect(
      names == ["doc.kml", "files/ghost.png", "files/anchor.png", "files/stop.png", "files/legend.png"])
    let verdict = try Program.unzip.run(["-tqq", file])
    #expect(verdict.isEmpty)
  }

  @Test(
    "The document is valid, and refers to nothing that is not beside it",
    .enabled(if: Program.unzip.isInstalled && Program.schemas.isInstalled))
  func content() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      try ComparisonOutput.kmz.bytes(try Race.document(), options: ExportOptions(tour: true)), to: "race.kmz")
    _ = try Program.unzip.run(["-qq", file, "doc.kml", "-d", folder.file("")])
    let verdict = try Program.schemas.run([folder.file("doc.kml")])
    #expect(verdict == "\(folder.file("doc.kml")): valid\n")
    let text = try String(contentsOfFile: folder.file("doc.kml"), encoding: .utf8)
    let references = Set(
      text.split(separator: "<href>").dropFirst().compactMap { $0.split(separator: "</href>").first })
    #expect(references == ["files/ghost.png", "files/anchor.png", "files/stop.png", "files/legend.png"])
  }

  @Test("The same comparison gives the same file")
  func repeatable() throws {
    let document = try Race.document()
    #expect(try ComparisonOutput.kmz.bytes(document) == ComparisonOutput.kmz.bytes(document))
  }

  @Test("Of 100,000 points a drive an archive stays small")
  func size() throws {
    let bytes = try ComparisonOutput.kmz.bytes(try LongDrive.document(points: 100_000))
    #expect(bytes.count < 1 << 20)
  }
}
