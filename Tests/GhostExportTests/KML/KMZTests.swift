import Foundation
import GhostExport
import Testing

@testable import GhostExport
@testable import TestSupport

struct KMZTests {
  @Test(
    "The document is the first entry, followed by its images", .enabled(if: OtherProgram.unzip.isInstalled)
  )
  func entries() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.kmz.bytes(try Race.document()), to: "race.kmz")
    let names = try OtherProgram.unzip.printed(["-Z1", file]).split(separator: "\n")
    #expect(names.prefix(4) == ["doc.kml", "files/ghost.png", "files/anchor.png", "files/stop.png"])
    #expect(names.dropFirst(4).allSatisfy { $0.hasPrefix("files/item-") && $0.hasSuffix(".gif") })
    let verdict = try OtherProgram.unzip.printed(["-tqq", file])
    #expect(verdict.isEmpty)
  }

  @Test(
    "The document is valid and refers to all files in the archive, and to no others",
    .enabled(if: OtherProgram.unzip.isInstalled && OtherProgram.schemas.isInstalled))
  func content() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      try ComparisonOutput.kmz.bytes(try Race.document(), options: ExportOptions(tour: true)), to: "race.kmz")
    _ = try OtherProgram.unzip.printed(["-qq", file, "doc.kml", "-d", folder.file("")])
    let verdict = try OtherProgram.schemas.printed([folder.file("doc.kml")])
    #expect(verdict == "\(folder.file("doc.kml")): valid\n")
    let text = try String(contentsOfFile: folder.file("doc.kml"), encoding: .utf8)
    let references = Set(
      text.split(separator: "<href>").dropFirst().compactMap { $0.split(separator: "</href>").first })
    let names = try OtherProgram.unzip.printed(["-Z1", file]).split(separator: "\n").dropFirst()
    #expect(references == Set(names))
  }

  @Test(
    "The folders are the legend: drives and steps of the gap have icons in their colours",
    .enabled(if: OtherProgram.unzip.isInstalled))
  func legend() throws {
    let folder = try TemporaryFolder()
    let document = try Race.document(colors: [ExportColor(0x123456), ExportColor(0xABCDEF)])
    let file = try folder.write(try ComparisonOutput.kmz.bytes(document), to: "race.kmz")
    let text = try OtherProgram.unzip.printed(["-p", file, "doc.kml"])
    #expect(text.contains("<name>Thursday</name><styleUrl>#folder-abcdef</styleUrl>"))
    #expect(
      text.contains(
        "<Style id=\"folder-123456\"><ListStyle><ItemIcon><state>open closed</state>"
          + "<href>files/item-123456.gif</href></ItemIcon></ListStyle></Style>"))
    // The full colour of a drive is that of the largest lead, and grey (`GapColors.level`) means level.
    #expect(text.contains(/<name>more than [^<]+<\/name><styleUrl>#folder-123456</))
    #expect(text.contains(/<name>within [^<]+<\/name><styleUrl>#folder-c8c8c8</))
    #expect(!text.contains("ScreenOverlay"))
    // GIF89a, sections 17 to 23: 16 × 16 pixels and two colours, that of the drive and a transparent one.
    _ = try OtherProgram.unzip.printed(["-qq", file, "files/item-123456.gif", "-d", folder.file("")])
    let gif = try Data(contentsOf: URL(filePath: folder.file("files/item-123456.gif")))
    let start = Array("GIF89a".utf8) + [16, 0, 16, 0, 0x80, 1, 0]
    #expect(gif.prefix(13) == Data(start))
    #expect(gif[13..<19] == Data([0x12, 0x34, 0x56, 0xFF, 0xFF, 0xFF]))
    #expect(gif[19..<27] == Data([0x21, 0xF9, 4, 1, 0, 0, 1, 0]))
    #expect(gif.last == 0x3B)
  }

  @Test("The same comparison gives the same file")
  func repeatable() throws {
    let document = try Race.document()
    #expect(try ComparisonOutput.kmz.bytes(document) == ComparisonOutput.kmz.bytes(document))
  }

  @Test("An archive with 100,000 points per drive is below 1 MiB")
  func size() throws {
    let bytes = try ComparisonOutput.kmz.bytes(try LongDrive.document(points: 100_000))
    #expect(bytes.count < 1 << 20)
  }
}
