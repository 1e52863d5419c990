import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Imports into a library")
struct LibraryImportSinkTests {
  private func run(_ folder: TemporaryFolder, report: String) throws -> LibraryImport {
    let library = try DriveLibrary(path: folder.file("drives.gpkg"), mode: .creating)
    defer { library.close() }
    let number = try library.beginRun(version: "1", command: "test", folder: folder.file(""))
    var extraction = DriveExtraction()
    extraction.rules.keepsRecording = true
    var sink = try LibraryImport(
      extraction, to: library, run: number, LibraryImport.Settings(), report: try InputReport(report),
      stop: WorkStop()
    ) { _ in }
    InputRun<ExtractedInput>([folder.file("in")]).run(into: &sink)
    sink.finish(isStopped: false) { "\($0.imported) imported" }
    return sink
  }

  @Test("An imported input is already known in a second run, even if other inputs fail")
  func twice() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "in/a.gpx")
      try folder.write(gpx(), to: "in/b.gpx")
      try folder.write("<gpx>", to: "in/c.gpx")
      let first = try run(folder, report: folder.file("first"))
      #expect(
        try folder.lines("first").map { $0["state"] as? String } == ["imported", "duplicate", "failed"])
      #expect(first.fault == nil && first.firstFault?.code == .malformed)
      #expect(first.tally.drives == 1)
      let second = try run(folder, report: folder.file("second"))
      #expect(second.tally.imported == 0 && second.tally.alreadyThere >= 1)
      #expect(try folder.lines("second").first?["state"] as? String == "already there")
    }
  }
}
