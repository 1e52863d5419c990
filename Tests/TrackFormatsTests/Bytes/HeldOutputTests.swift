import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("Outputs that have yet to take their places")
struct HeldOutputTests {
  private func held(_ path: String, _ text: String) throws -> HeldOutput {
    let held = HeldOutput(waitsAlone: false)
    var sink = try ByteSink(path: path, held: held)
    try sink.write(text)
    try sink.finish()
    return held
  }

  private func names(_ folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file("")).sorted()
  }

  @Test(
    "Many take their places together, and those that are dropped leave nothing", arguments: [0, 1, 2, 20])
  func together(count: Int) throws {
    let folder = try TemporaryFolder()
    var outputs = try (0..<count).map { try held(folder.file("\($0).txt"), "text \($0)") }
    var dropped: HeldOutput? = try held(folder.file("dropped.txt"), "never")
    #expect(try names(folder).allSatisfy { $0.hasSuffix(".part") })
    #expect(HeldOutput.keep(outputs).allSatisfy { $0 == nil })
    outputs = []
    #expect(dropped != nil)
    dropped = nil
    #expect(try names(folder) == (0..<count).map { "\($0).txt" }.sorted())
    for number in 0..<count {
      #expect(try String(contentsOfFile: folder.file("\(number).txt"), encoding: .utf8) == "text \(number)")
    }
  }

  @Test("What cannot take its place says so, and the others do")
  func refused() throws {
    let folder = try TemporaryFolder()
    let outputs = try ["a", "b", "c"].map { try held(folder.file($0), $0) }
    // A folder has come in the way meanwhile.
    try FileManager.default.createDirectory(
      atPath: folder.file("b/inside"), withIntermediateDirectories: true)
    let faults = HeldOutput.keep(outputs)
    #expect(faults.map { $0 == nil } == [true, false, true])
    #expect(try String(contentsOfFile: folder.file("c"), encoding: .utf8) == "c")
  }
}
