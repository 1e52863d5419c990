import Foundation
import TestSupport
import Testing
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Conversions into a folder")
struct FileConversionTests {
  /// Converts files to GeoJSON in `out`. Returns the sink and a keyword for each message line.
  private func run(
    _ folder: TemporaryFolder, _ paths: [String], isStrict: Bool = false, resumes: Bool? = nil,
    report: String? = nil
  ) throws -> (sink: FileConversion, messages: [String]) {
    var conversion = TrackConversion(to: .track(.geojson))
    conversion.opening.isStrict = isStrict
    let output = folder.file("out") + "/"
    try ByteSink.makeFolder(output)
    var messages: [String] = []
    let journal = try resumes.map { try ConversionJournal(folder: output, options: "", isResuming: $0) }
    var sink = FileConversion(
      conversion, into: output, FileConversion.Settings(),
      protection: InputProtection(paths, outputFolder: output), report: try InputReport(report),
      journal: journal, stop: WorkStop()
    ) { message in
      for line in message.messages.lines {
        switch line {
        case .note: messages.append("note")
        case .failure(let error): messages.append("\(error.code)\(message.isRepeated ? " again" : "")")
        }
      }
      if let fault = message.fault { messages.append("not in place: \(fault.code)") }
    }
    InputRun<FileConversion.Product>(paths).run(into: &sink)
    sink.finish()
    return (sink, messages)
  }

  @Test("Each input has an output with its name, in the subfolders of the input folder")
  func folder() throws {
    try withFolder { folder in
      for name in ["in/a.gpx", "in/b/a.gpx"] { try folder.write(gpx(), to: name) }
      try folder.write("nothing", to: "in/c.txt")
      try folder.write("<gpx>", to: "in/d.gpx")
      try folder.write("<gpx>", to: "in/e.gpx")
      let (sink, messages) = try run(folder, [folder.file("in")], report: folder.file("report"))
      #expect(sink.counts == [.converted: 2, .skipped: 1, .failed: 2])
      #expect(messages == ["malformed", "malformed again"] || messages.contains("truncated again"))
      #expect(sink.failures.hasRepetitions)
      for name in ["a.geojson", "b/a.geojson"] {
        #expect(try folder.text("out/" + name).contains("LineString"))
      }
      let states = try folder.lines("report").map { $0["state"] as? String ?? "" }
      #expect(states.sorted() == ["converted", "converted", "failed", "failed", "skipped"])
    }
  }

  @Test("A resumed conversion keeps outputs that are complete and up to date")
  func resume() throws {
    try withFolder { folder in
      for name in ["a.gpx", "b.gpx"] { try folder.write(gpx(), to: name) }
      let paths = ["a.gpx", "b.gpx"].map(folder.file)
      #expect(try run(folder, paths, resumes: true).sink.counts == [.converted: 2])
      #expect(try run(folder, paths, resumes: true).sink.counts == [.alreadyThere: 2])
      try folder.write(gpx(points: 20), to: "a.gpx")
      let (sink, _) = try run(folder, paths, resumes: true)
      #expect(sink.counts == [.alreadyThere: 1, .converted: 1])
      #expect(sink.replaced == 0)
    }
  }

  @Test(
    "A file that is not from an earlier run is replaced and counted, also without a journal",
    arguments: [false, nil] as [Bool?])
  func replaced(resumes: Bool?) throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "a.gpx")
      try folder.write("mine", to: "out/a.geojson")
      #expect(try run(folder, [folder.file("a.gpx")], resumes: resumes).sink.replaced == 1)
    }
  }

  @Test("A folder without tracks is an error, unless other inputs are converted")
  func emptiness() throws {
    try withFolder { folder in
      try folder.write("hello", to: "in/a.txt")
      #expect(try run(folder, [folder.file("in")]).sink.emptiness?.code == .noTracks)
      try folder.write(gpx(), to: "in/b.gpx")
      #expect(try run(folder, [folder.file("in")]).sink.emptiness == nil)
    }
  }

  @Test("An output that is an input fails, and the other inputs are converted")
  func protected() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "a.gpx")
      try folder.write(gpx(), to: "out/b.geojson")
      let (sink, messages) = try run(folder, [folder.file("a.gpx"), folder.file("out/b.geojson")])
      #expect(sink.counts == [.converted: 1, .failed: 1])
      #expect(sink.firstFault?.code == .usage)
      #expect(messages == ["usage"])
    }
  }
}
