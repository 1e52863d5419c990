import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    expectError(.notCreatable) { try AppendedFile(new: path) }
    #expect(AppendedFile.exists(path))
    file.remove()
    #expect(!AppendedFile.exists(path))
  }

  @Test("A record that cannot be written whole leaves the earlier ones, and later ones follow them")
  func failures() async {
    // Faults affect the whole process, so it is a separate one.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = try AppendedFile(new: folder.file("journal"))
      try file.append(Array("one\n".utf8))
      for failing in [SystemFaults.Call.write, .synchronize] {
        SystemFaults.install { call, count in
          guard call == failing else { return .success }
          // The first part of the record is written.
          return count > 2 ? .partial(2) : .failure(ENOSPC)
        }
        #expect(throws: TrackError.self) { try file.append(Array("lost\n".utf8)) }
        SystemFaults.install(nil)
      }
      try file.append(Array("two\n".utf8))
      #expect(try folder.text("journal") == "one\ntwo\n")
    }
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
