import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport
@testable import TestSupport

@Suite("Outputs that wait for the disk together")
struct OutputBatchTests {
  private func held(_ path: String) throws -> HeldOutput {
    let held = HeldOutput(waitsAlone: false)
    var sink = try ByteSink(path: path, held: held)
    try sink.write(path)
    try sink.finish()
    return held
  }

  @Test("Steps come out in their order, each with the fault of its own output")
  func order() throws {
    try withFolder { folder in
      var batch = OutputBatch<String>()
      batch.add("said before")
      for name in ["a", "b", "c"] {
        batch.add(name, held: try held(folder.file(name)))
        batch.add("said after \(name)")
      }
      // A folder has come in the way meanwhile.
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

  @Test("A batch is due when many outputs wait, or many steps, and not before")
  func due() throws {
    try withFolder { folder in
      var outputs = OutputBatch<Int>()
      for number in 1..<OutputBatch<Int>.countLimit {
        outputs.add(number, held: try held(folder.file("\(number)")))
      }
      // Time may have passed; the next one makes it due in any case.
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
