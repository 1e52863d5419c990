import DriveMatching
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Imports into files")
struct FileImportTests {
  /// Imports files. Returns the sink and a keyword for each message.
  private func run(
    _ paths: [String], to kind: DriveDestination.Kind, report: String? = nil, comparing: Bool = false
  ) throws -> (sink: FileImport, messages: [String]) {
    var extraction = DriveExtraction()
    extraction.takesFingerprints = comparing
    var settings = FileImport.Settings()
    settings.looksForDuplicates = comparing
    var messages: [String] = []
    var sink = FileImport(
      extraction, to: DriveDestination(kind), settings, report: try InputReport(report), stop: WorkStop()
    ) { messages.append(word($0)) }
    InputRun<DriveStep>(paths).run(into: &sink)
    sink.finish()
    return (sink, messages)
  }

  private func word(_ message: FileImport.Message) -> String {
    switch message {
    case .imported(_, let output, _): "imported \(InputPath.stem(output))"
    case .duplicate(_, let known, _): "duplicate of \(InputPath.stem(known))"
    case .extending: "extending"
    case .simultaneous: "simultaneous"
    case .nameTaken(let name, let output): "\(InputPath.stem(name)) taken, \(InputPath.stem(output))"
    case .summaries: "summaries"
    case .warnings: "warnings"
    case .failure(let error, _, _, _): "\(error.code)"
    case .skipped(let reason, _): "skipped \(reason.code)"
    case .opened: "opened"
    }
  }

  @Test("The warnings of an input are reported even if an error ends it, because they may explain the error")
  func warningsBeforeError() throws {
    try withFolder { folder in
      try folder.write(gpx(latitude: 99), to: "a.gpx")
      let (_, messages) = try run([folder.file("a.gpx")], to: .folder(folder.file("out"), isFlat: false))
      #expect(messages == ["warnings", "no-tracks"])
      let broken = gpx().replacingOccurrences(of: "</gpx>", with: "<wpt lat='99' lon='8'/></oops>")
      try folder.write(broken, to: "b.gpx")
      let (_, others) = try run([folder.file("b.gpx")], to: .folder(folder.file("out"), isFlat: false))
      #expect(others == ["imported b", "warnings", "malformed"])
    }
  }

  @Test("Each input of a folder ends in one state, and the report has a line for each, in order")
  func folder() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "in/a.gpx")
      try folder.write(gpx(), to: "in/b.gpx")
      try folder.write(gpx(latitude: 48, points: 1, day: 2), to: "in/c.gpx")
      try folder.write("<gpx>", to: "in/d.gpx")
      try folder.write(gpx(latitude: 40, day: 3), to: "in/e.gpx")
      let (sink, messages) = try run(
        [folder.file("in")], to: .folder(folder.file("out"), isFlat: false), report: folder.file("report"),
        comparing: true)
      let others = messages.filter { $0 != "warnings" }
      #expect(
        others == [
          "opened", "imported a", "duplicate of a", "skipped too-few-points", "malformed", "imported e",
        ])
      let lines = try folder.lines("report")
      #expect(
        lines.map { $0["state"] as? String } == ["imported", "duplicate", "skipped", "failed", "imported"])
      #expect(lines[1]["duplicate_of_source"] as? String == folder.file("in/a.gpx"))
      #expect((lines[0]["outputs"] as? [String]) == [folder.file("out/a.drive.json")])
      #expect(sink.tally.inputs == 5 && sink.tally.imported == 2 && sink.tally.duplicates == 1)
      #expect(sink.firstFault?.code == .malformed)
      #expect(sink.written == 2)
    }
  }

  @Test("A track that is too short is a failure if the file was named explicitly")
  func tooShort() throws {
    try withFolder { folder in
      try folder.write(gpx(points: 1), to: "a.gpx")
      let (sink, messages) = try run([folder.file("a.gpx")], to: .besideInputs)
      #expect(messages == ["\(TrackError.Code.tooFewPoints)"])
      #expect(sink.tally.failed == 1)
    }
  }

  @Test("An import does not replace another file with the name of its output")
  func names() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "a.gpx")
      try folder.write("something else", to: "a.drive.json")
      let first = try run([folder.file("a.gpx")], to: .besideInputs)
      #expect(first.messages == ["a taken, a-2", "imported a-2"])
      #expect(try folder.text("a.drive.json") == "something else")
      let second = try run([folder.file("a.gpx")], to: .besideInputs)
      #expect(second.messages == ["a taken, a-2", "imported a-2"])
    }
  }

  @Test("An input with two drives for a single output is an error, and no file is written")
  func oneOutput() throws {
    try withFolder { folder in
      let track = gpx().replacingOccurrences(of: "</gpx>", with: "")
      let other = gpx(latitude: 48, day: 2)
      let second = other[(other.range(of: "<trk>")?.lowerBound ?? other.startIndex)...]
      try folder.write(track + second, to: "a.gpx")
      let (sink, messages) = try run([folder.file("a.gpx")], to: .file(folder.file("out.drive.json")))
      #expect(messages == ["\(TrackError.Code.usage)"])
      #expect(sink.written == 0)
      #expect(!FileManager.default.fileExists(atPath: folder.file("out.drive.json")))
    }
  }

  @Test("A folder without an output folder is an error for the folder as a whole")
  func lacksFolder() throws {
    try withFolder { folder in
      var sink = FileImport(
        DriveExtraction(), to: DriveDestination(.besideInputs), FileImport.Settings(),
        report: try InputReport(folder.file("report")), stop: WorkStop()
      ) { _ in }
      sink.refuseAll(in: "folder")
      sink.finish()
      #expect(sink.firstFault?.code == .usage)
      // The inputs in the folder are unknown.
      #expect(sink.tally.inputs == 0)
      #expect(try folder.lines("report").map { $0["state"] as? String } == ["failed"])
    }
  }

  @Test("An input whose drive cannot be saved is a failure, and the next one is imported")
  func refused() throws {
    try withFolder { folder in
      for (index, name) in ["first", "second"].enumerated() {
        try folder.write(gpx(latitude: 50 + Double(index)), to: "\(name).gpx")
      }
      var sink = FileImport(
        DriveExtraction(), to: DriveDestination(.besideInputs), FileImport.Settings(),
        report: try InputReport(folder.file("report")), stop: WorkStop()
      ) { _ in }
      InputRun<DriveStep>([folder.file("first.gpx"), folder.file("second.gpx")], jobs: 1).run(sink.work) {
        let isWanted = sink.take($0)
        // The drive is written but not yet renamed. A folder with its name is created.
        if case .result(.end) = $0 {
          try? FileManager.default.createDirectory(
            atPath: folder.file("first.drive.json/inside"), withIntermediateDirectories: true)
        }
        return isWanted
      }
      sink.finish()
      #expect(sink.firstFault != nil)
      let lines = try folder.lines("report")
      #expect(lines.map { $0["state"] as? String } == ["failed", "imported"])
      #expect(lines[0]["outputs"] == nil)
      #expect(lines[1]["outputs"] as? [String] == [folder.file("second.drive.json")])
    }
  }
}
