import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("Held outputs")
struct HeldOutputTests {
  private func held(_ path: String, _ text: String) throws -> StagedFile {
    let held = StagedFile()
    var sink = try ByteSink(path: path, held: held)
    try sink.write(text)
    try sink.finish()
    return held
  }

  private func names(_ folder: borrowing TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.file("")).sorted()
  }

  @Test(
    "Several outputs get their names together, and discarded ones leave no files", arguments: [0, 1, 2, 20])
  func together(count: Int) throws {
    let folder = try TemporaryFolder()
    var outputs = try (0..<count).map { try held(folder.file("\($0).txt"), "text \($0)") }
    var dropped: StagedFile? = try held(folder.file("dropped.txt"), "never")
    #expect(try names(folder).allSatisfy { $0.hasSuffix(".part") })
    #expect(StagedFile.keep(outputs).allSatisfy { $0 == nil })
    outputs = []
    #expect(dropped != nil)
    dropped = nil
    #expect(try names(folder) == (0..<count).map { "\($0).txt" }.sorted())
    for number in 0..<count {
      #expect(try String(contentsOfFile: folder.file("\(number).txt"), encoding: .utf8) == "text \(number)")
    }
  }

  @Test("An output that cannot be renamed is an error, and the others are renamed")
  func refused() throws {
    let folder = try TemporaryFolder()
    let outputs = try ["a", "b", "c"].map { try held(folder.file($0), $0) }
    // A folder with that name was created meanwhile.
    try FileManager.default.createDirectory(
      atPath: folder.file("b/inside"), withIntermediateDirectories: true)
    let faults = StagedFile.keep(outputs)
    #expect(faults.map { $0 == nil } == [true, false, true])
    #expect(try String(contentsOfFile: folder.file("c"), encoding: .utf8) == "c")
  }
}
