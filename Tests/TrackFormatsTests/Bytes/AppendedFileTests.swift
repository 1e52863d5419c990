import Testing
import TrackFormats
import TrackModel

@testable import TestSupport

@Suite("Appended file")
struct AppendedFileTests {
  @Test("Records stand one behind the other, and a second file of the name is refused")
  func records() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("journal")
    let file = try AppendedFile(new: path)
    try file.append(Array("one\n".utf8))
    try file.append(Array("two\n".utf8))
    #expect(try folder.text("journal") == "one\ntwo\n")
    #expect(throws: TrackError(.notCreatable, "")) { try AppendedFile(new: path) }
    #expect(AppendedFile.exists(path))
    file.remove()
    #expect(!AppendedFile.exists(path))
  }

  @Test("A file is in use as long as its writer lives")
  func use() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("journal")
    var file: AppendedFile? = try AppendedFile(new: path)
    try file?.append([0x0A])
    #expect(AppendedFile.isInUse(path))
    // Asking does not take it.
    #expect(AppendedFile.isInUse(path))
    file = nil
    #expect(!AppendedFile.isInUse(path))
    #expect(!AppendedFile.isInUse(folder.file("none")))
    AppendedFile.remove(path)
    #expect(try folder.names() == [])
  }
}
