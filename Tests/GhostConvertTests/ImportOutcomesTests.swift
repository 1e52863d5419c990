import BulkImport
@testable import TestSupport
import Foundation
import GhostModel
import Testing
import TrackFormats
import TrackModel

@testable import ghost_convert

@Suite("What becomes of the inputs of an import")
struct ImportOutcomesTests {
  private func path(in folder: TemporaryFolder, _ name: String) -> String {
    folder.url.appendingPathComponent(name).path
  }

  private func drive() throws -> ImportedDrive {
    var segment = Recording.Segment()
    for index in 0..<10 {
      segment.append(
        Coordinate(latitude: 52 + Double(index) * 0.001, longitude: 13),
        time: Instant(microseconds: 1_700_000_000_000_000 + Int64(index) * 1_000_000))
    }
    let drives = try DriveImporter.drives(
      from: Recording(segments: [segment]), options: ImportOptions(), name: "drive")
    return try #require(drives.first)
  }

  @Test("An input whose drive cannot take its place has failed, and the next one has not")
  func refused() throws {
    try withFixtures { folder in
      let report = path(in: folder, "report.ndjson")
      var outcomes = ImportOutcomes(
        ImportReporting(isJSON: false, isQuiet: true, isStandardOutputTaken: false), try InputReport(report),
        isLong: false)
      for name in ["first", "second"] {
        let held = HeldOutput(waitsAlone: false)
        var sink = try ByteSink(path: path(in: folder, name), held: held)
        try sink.write(name)
        try sink.finish()
        outcomes.wrote(try drive(), to: path(in: folder, name), held, source: "\(name).gpx")
        outcomes.end(InputRecord("\(name).gpx", .imported), .imported(drives: 1), source: "\(name).gpx")
      }
      try FileManager.default.createDirectory(
        atPath: path(in: folder, "first/inside"), withIntermediateDirectories: true)
      #expect(outcomes.finish() == ExitStatus.of(TrackError(.unwritable, "")))
      let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines[0].contains(#""state": "failed""#) && !lines[0].contains("outputs"))
      #expect(lines[1].contains(#""state": "imported""#) && lines[1].contains(path(in: folder, "second")))
    }
  }
}
