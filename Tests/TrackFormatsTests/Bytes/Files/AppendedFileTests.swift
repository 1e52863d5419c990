import Testing
import TrackFormats
import TrackModel

@testable import TestSupport

@Suite("Appended file")
struct AppendedFileTests {
  @Test("Records are appended in order, and a second file with the same name is rejected")
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

  @Test("A file is in use while its writer exists")
  func use() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("journal")
    var file: AppendedFile? = try AppendedFile(new: path)
    try file?.append([0x0A])
    #expect(AppendedFile.isInUse(path))
    // Checking does not lock the file.
    #expect(AppendedFile.isInUse(path))
    file = nil
    #expect(!AppendedFile.isInUse(path))
    #expect(!AppendedFile.isInUse(folder.file("none")))
    AppendedFile.remove(path)
    #expect(try folder.names() == [])
  }
}
