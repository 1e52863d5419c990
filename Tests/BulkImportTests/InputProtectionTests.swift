import Foundation
import TestSupport
import Testing
import TrackModel

@testable import BulkImport

@Suite("Outputs that are inputs")
struct InputProtectionTests {
  /// Calls `body` with a folder that contains `a.gpx`, `in/b.gpx`, and links to `a.gpx`.
  private func withInputs(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFolder { folder in
      let manager = FileManager.default
      try folder.write(gpx(), to: "a.gpx")
      try folder.write(gpx(), to: "in/b.gpx")
      try manager.createSymbolicLink(atPath: folder.file("soft.gpx"), withDestinationPath: "a.gpx")
      try manager.linkItem(atPath: folder.file("a.gpx"), toPath: folder.file("hard.gpx"))
      try body(folder)
    }
  }

  private func isRefused(_ check: () throws(TrackError) -> Void) -> Bool {
    do throws(TrackError) {
      try check()
      return false
    } catch {
      #expect(error.code == .usage)
      return true
    }
  }

  @Test(
    "An output that is an input is an error, for every path to it",
    arguments: ["a.gpx", "./a.gpx", "in/../a.gpx", "soft.gpx", "hard.gpx"])
  func spellings(output: String) throws {
    try withInputs { folder in
      let protection = InputProtection([folder.file("a.gpx")])
      #expect(isRefused { () throws(TrackError) in try protection.check(folder.file(output)) })
      #expect(
        isRefused { () throws(TrackError) in
          try InputProtection().check(folder.file(output), input: folder.file("a.gpx"))
        })
      let open = InputProtection([folder.file("a.gpx")], isOff: true)
      #expect(!isRefused { () throws(TrackError) in try open.check(folder.file(output)) })
    }
  }

  @Test("Other files and standard output can be written")
  func others() throws {
    try withInputs { folder in
      let protection = InputProtection([folder.file("a.gpx"), "-"])
      for output in [folder.file("in/b.gpx"), folder.file("new.gpx"), "-"] {
        #expect(!isRefused { () throws(TrackError) in try protection.check(output) }, "\(output)")
      }
    }
  }

  @Test("Existing files of an input folder are inputs, except in the output folder")
  func folders() throws {
    try withInputs { folder in
      let protection = InputProtection([folder.file("in")])
      #expect(isRefused { () throws(TrackError) in try protection.check(folder.file("in/b.gpx")) })
      #expect(!isRefused { () throws(TrackError) in try protection.check(folder.file("in/c.gpx")) })
      let below = InputProtection([folder.file(".")], outputFolder: folder.file("in"))
      #expect(!isRefused { () throws(TrackError) in try below.check(folder.file("in/b.gpx")) })
      let same = InputProtection([folder.file("in")], outputFolder: folder.file("in"))
      #expect(isRefused { () throws(TrackError) in try same.check(folder.file("in/b.gpx")) })
    }
  }

  @Test("No output replaces a library, even if inputs may be replaced")
  func libraries() throws {
    try withInputs { folder in
      // The first 16 bytes of every SQLite database.
      try folder.write("SQLite format 3\0", to: "drives.gpkg")
      let protection = InputProtection(isOff: true)
      #expect(isRefused { () throws(TrackError) in try protection.check(folder.file("drives.gpkg")) })
      #expect(
        !isRefused { () throws(TrackError) in try protection.check(library: folder.file("drives.gpkg")) })
    }
  }
}
