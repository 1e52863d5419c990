import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport
@testable import TestSupport

@Suite("Batches of outputs")
struct OutputBatchTests {
  private func held(_ path: String) throws -> StagedFile {
    let held = StagedFile()
    var sink = try ByteSink(path: path, held: held)
    try sink.write(path)
    try sink.finish()
    return held
  }

  @Test("Steps are returned in order, each with the error of its output")
  func order() throws {
    try withFolder { folder in
      var batch = OutputBatch<String>()
      batch.add("said before")
      for name in ["a", "b", "c"] {
        batch.add(name, held: try held(folder.file(name)))
        batch.add("said after \(name)")
      }
      // A folder with the name of an output is created in the meantime.
      try FileManager.default.createDirectory(
        atPath: folder.file("b/inside"), withIntermediateDirectories: true)
      let kept = batch.keep()
      #expect(
        kept.map(\.step) == ["said before", "a", "said after a", "b", "said after b", "c", "said after c"])
      #expect(kept.filter { $0.fault != nil }.map(\.step) == ["b"])
      #expect(try String(contentsOfFile: folder.file("c"), encoding: .utf8) == folder.file("c"))
      #expect(batch.steps.isEmpty && !batch.isDue)
      #expect(batch.keep().isEmpty)
    }
  }

  @Test("A batch is due when it contains many outputs or many steps")
  func due() throws {
    try withFolder { folder in
      var outputs = OutputBatch<Int>()
      for number in 1..<OutputBatch<Int>.countLimit {
        outputs.add(number, held: try held(folder.file("\(number)")))
      }
      // The batch may already be due because of the elapsed time; with this output it is due in any case.
      outputs.add(0, held: try held(folder.file("0")))
      #expect(outputs.isDue)
      var steps = OutputBatch<Int>()
      #expect(!steps.isDue)
      for number in 0..<(16 * OutputBatch<Int>.countLimit) { steps.add(number) }
      #expect(steps.isDue)
      _ = steps.keep()
      #expect(!steps.isDue)
    }
  }
}
