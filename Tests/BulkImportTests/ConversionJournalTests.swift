import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("The journal of a conversion")
struct ConversionJournalTests {
  private func journal(_ folder: TemporaryFolder, options: String = "o", isResuming: Bool = true) throws
    -> ConversionJournal
  {
    try ConversionJournal(folder: folder.file("") + "/", options: options, isResuming: isResuming)
  }

  /// Writes an output of `a.gpx` and records it in the journal.
  private func convert(_ journal: ConversionJournal, in folder: TemporaryFolder) throws {
    let held = StagedFile()
    var sink = try ByteSink(path: folder.file("a.csv"), held: held)
    try sink.write("output")
    try sink.finish()
    journal.note(held, at: folder.file("") + "/a.csv", source: "a.gpx", fingerprint: "f")
    #expect(StagedFile.keep([held]).compactMap(\.self).isEmpty)
  }

  @Test("A complete output is found again if input, options and file are unchanged")
  func whole() throws {
    try withFolder { folder in
      let place = folder.file("") + "/"
      let first = try journal(folder)
      #expect(first.outputs.isEmpty && !first.wasCutOff)
      try convert(first, in: folder)
      // The first run is not completed, so it counts as interrupted.
      let second = try journal(folder)
      #expect(second.wasCutOff)
      let output = try #require(second.claim("a.gpx", in: place, ending: "csv"))
      #expect(second.claim("a.gpx", in: place, ending: "csv") == nil)
      #expect(second.isWhole(output, fingerprint: "f"))
      #expect(!second.isWhole(output, fingerprint: "another"))
      second.complete()
      let other = try journal(folder, options: "other")
      #expect(!other.wasCutOff)
      let known = try #require(other.claim("a.gpx", in: place, ending: "csv"))
      #expect(!other.isWhole(known, fingerprint: "f"))
    }
  }

  @Test("Outputs of inputs that no longer exist are orphans")
  func orphans() throws {
    try withFolder { folder in
      try convert(try journal(folder), in: folder)
      #expect(try journal(folder).orphans(ending: "csv") == [folder.file("") + "/a.csv"])
      #expect(try journal(folder).orphans(ending: "gpx").isEmpty)
    }
  }

  @Test("The journal of a run without resuming is removed when the run completes")
  func removed() throws {
    try withFolder { folder in
      let journal = try journal(folder, isResuming: false)
      try convert(journal, in: folder)
      #expect(ConversionJournal.exists(inFolder: folder.file("") + "/"))
      journal.complete()
      #expect(!ConversionJournal.exists(inFolder: folder.file("") + "/"))
    }
  }
}
