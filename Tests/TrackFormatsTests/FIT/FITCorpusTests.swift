import Foundation
import Testing
import TrackModel

@testable import TrackFormats

@Suite("FIT files of real devices", .enabled(if: Fixture.hasShared, "the shared corpus is missing"))
struct FITCorpusTests {
  @Test("The reader finds the same content as independent readers", arguments: CorpusFigures.all(in: "fit"))
  func figures(_ expected: CorpusFigures) throws {
    var reader = FITReader(ByteInput(bytes: try expected.bytes()))
    let document = try TrackDocument(reading: &reader)
    #expect(expected.differences(from: document, shared: reader.sharedPoints) == [])
  }

  @Test("The chunk size does not affect the result", arguments: CorpusFigures.all(in: "fit"))
  func chunks(_ expected: CorpusFigures) throws {
    let bytes = try expected.bytes()
    let whole = Transcript(fit: bytes)
    #expect(whole.violations == [])
    #expect(Transcript(fit: bytes, chunk: 61, capacity: 4096).text == whole.text)
  }

  @Test(
    "A file that is read, written and read again keeps its content", arguments: CorpusFigures.all(in: "fit"))
  func rewritten(_ expected: CorpusFigures) throws {
    let document = try FITReading.document(try expected.bytes()).document
    let bytes: [UInt8]
    do { bytes = try FITWriting.fit(document).bytes } catch {
      // Writing fails if no point can be written, which is the case for many corpus files.
      #expect(error.code == .noTracks)
      let points = document.tracks.flatMap(\.segments).map(\.points)
      return #expect(points.allSatisfy { $0.times.allSatisfy { $0 == Instant.absent } })
    }
    let (again, warnings) = try FITReading.document(bytes)
    #expect(warnings.isEmpty)
    let before = document.tracks.flatMap { $0.segments.map(\.points) }
    let after = again.tracks.flatMap { $0.segments.map(\.points) }
    // An activity in FIT cannot have points without a time. Missing times of courses are estimated.
    guard before.allSatisfy({ !$0.times.contains(Instant.absent) }) else { return }
    #expect(before.flatMap(\.latitudes) == after.flatMap(\.latitudes))
    #expect(before.flatMap(\.longitudes) == after.flatMap(\.longitudes))
    // Half of 1/128 s.
    let differences = zip(before.flatMap(\.times), after.flatMap(\.times)).map { abs($0 - $1) }
    #expect(differences.allSatisfy { $0 <= 3907 })
  }
}
