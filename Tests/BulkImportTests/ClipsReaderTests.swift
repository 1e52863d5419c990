import GhostModel
import TestSupport
import Testing
import TrackArchives
import TrackFormats
import TrackModel

@testable import BulkImport

/// Reading the clips of a recording.
@Suite("Clips reader")
struct ClipsReaderTests {
  private func document(
    _ films: [[UInt8]], isStrict: Bool = false
  ) throws -> (document: TrackDocument, warnings: [TrackWarning]) {
    try withFolder { folder in
      let paths = try films.indices.map { try folder.write(films[$0], to: "\($0).mp4") }
      let options = ReadingOptions(isStrict: isStrict)
      var reader = ClipsReader(
        try TrackFormat.mp4.reader(try ByteInput(path: paths[0]), options: options),
        next: Array(paths.dropFirst()), options: options)
      let document = try TrackDocument(reading: &reader)
      return (document, reader.warnings)
    }
  }

  private static func seconds(_ document: TrackDocument) -> [[Int64]] {
    document.tracks.flatMap(\.segments).map { segment in
      segment.points.times.map { ($0 - 1_715_925_600_000_000) / 1_000_000 }
    }
  }

  @Test("Clips are one segment of one track, without the points that two of them have")
  func joined() throws {
    let (document, warnings) = try document([
      FilmBuilder.film(0...4), FilmBuilder.film(3...6), FilmBuilder.film(8...9),
    ])
    #expect(document.info.creator == "BlackVue DR900S-2CH")
    #expect(document.tracks.count == 1)
    #expect(Self.seconds(document) == [[0, 1, 2, 3, 4, 5, 6, 8, 9]])
    #expect(warnings.isEmpty)
  }

  @Test("A clip that cannot be read is a warning, and an error in strict reading")
  func damaged() throws {
    let films = [FilmBuilder.film(0...4), Array("no film".utf8), FilmBuilder.film(8...9)]
    let (document, warnings) = try document(films)
    #expect(Self.seconds(document) == [[0, 1, 2, 3, 4, 8, 9]])
    #expect(!warnings.isEmpty)
    #expect(throws: TrackError.self) { try self.document(films, isStrict: true) }
  }

  @Test("A warning about a later clip names it, and is counted once for all clips")
  func names() throws {
    let (_, warnings) = try document([
      FilmBuilder.film(0...4), Array("no film".utf8), FilmBuilder.film(8...9), Array("no film".utf8),
    ])
    #expect(warnings.allSatisfy { $0.message.hasSuffix(", in the clip 1.mp4") })
    #expect(warnings.contains { $0.count == 2 })
    let (_, own) = try document([Array("no film".utf8), FilmBuilder.film(8...9)])
    #expect(!own.isEmpty && own.allSatisfy { !$0.message.contains("in the clip") })
  }

  @Test("A folder of clips becomes one drive, and a report names the other clips")
  func drives() throws {
    try withFolder { folder in
      try folder.write(FilmBuilder.film(0...20), to: "card/1F.mp4")
      try folder.write(FilmBuilder.film(0...20), to: "card/1R.mp4")
      try folder.write(FilmBuilder.film(21...40), to: "card/2F.mp4")
      var walk = EnumerationOptions()
      walk.joinsClips = true
      var drives: [Drive] = []
      var sink = FileImport(
        DriveExtraction(), to: DriveDestination(.folder(folder.file("out"), isFlat: false)), .init(),
        report: try InputReport(folder.file("report")), stop: WorkStop()
      ) { if case .imported(let drive, _, _) = $0 { drives.append(drive.drive) } }
      var run = InputRun<DriveStep>([folder.file("card")])
      run.walk = walk
      run.run(into: &sink)
      sink.finish()
      #expect(drives.map(\.name) == ["1F"])
      #expect(drives.first?.duration == 40)
      let lines = try folder.lines("report")
      #expect(lines.map { $0["reason"] as? String } == [nil, "same-clip", "later-clip"])
    }
  }
}
