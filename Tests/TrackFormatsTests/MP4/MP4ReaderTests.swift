import Testing
import TrackModel

@testable import TrackFormats

@Suite("MP4 reader")
struct MP4ReaderTests {
  @Test("Corpus files have the content that other readers find", arguments: CorpusFigures.all(in: "mp4"))
  func corpus(_ figures: CorpusFigures) throws {
    var input = ByteInput(bytes: try figures.bytes())
    let format = try FormatRegistry.standard.detect(&input)
    #expect(format == (figures.file.hasSuffix(".mp4") ? .mp4 : .gpmf))
    var reader =
      format == .mp4 ? MP4Reader(film: input) : MP4Reader(telemetry: input)
    #expect(figures.differences(from: try TrackDocument(reading: &reader)) == [])
  }
}
