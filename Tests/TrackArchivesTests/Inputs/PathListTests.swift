import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Lists of paths")
struct PathListTests {
  private func paths(_ bytes: [UInt8], _ separator: PathList.Separator = .line, chunk: Int = 1 << 16) throws
    -> [String]
  {
    var list = PathList(ByteInput(bytes: bytes, chunk: chunk), separator: separator)
    var paths: [String] = []
    while let path = try list.next() { paths.append(path) }
    return paths
  }

  @Test(
    "Paths stand one a line, with blanks as they are; an empty line is an empty path, the last line may be open",
    arguments: [
      ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]),
      ("  a b \n\tc\n", ["  a b ", "\tc"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\n", ["a\rb"]),
      ("\u{FEFF}a\n\u{FEFF}b\n", ["a", "\u{FEFF}b"]),
    ] as [(String, [String])])
  func lines(list: String, expected: [String]) throws {
    for chunk in [1, 2, 5, 1 << 16] {
      #expect(
        try paths(Array(list.utf8), chunk: chunk).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }
  }

  @Test("Between zero bytes a path may be anything, line feeds too")
  func zeros() throws {
    #expect(
      try paths(Array("a\nb\0 c\r\0".utf8), .null).map { Array($0.utf8) }
        == ["a\nb", " c\r"].map { Array($0.utf8) })
  }

  @Test("A name that ends with a carriage return or begins with a byte order mark is found where it exists")
  func oddNames() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.file("a\r")))
    #expect(try paths(Array((folder.file("a") + "\r\n").utf8)) == [folder.file("a\r")])
    #expect(try paths(Array((folder.file("b") + "\r\n").utf8)) == [folder.file("b")])
  }

  @Test("Bytes that are no text come back as they were")
  func bytes() throws {
    let name: [UInt8] = [0x61, 0xFF, 0xC3, 0x2E, 0x67]
    let path = try #require(try paths(name + [10]).first)
    #expect(FileName.bytes(path) == name)
    #expect(!FileName.isText(path) && FileName.isText("ä.gpx"))
  }

  @Test(
    "What is too long for a path is an error, and the list goes on behind it", arguments: [1 << 10, 1 << 20])
  func longPath(chunk: Int) throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: PathList.longestPath * 3)
    var list = PathList(
      ByteInput(bytes: Array("a\n".utf8) + long + Array("\nb\n".utf8), chunk: chunk), separator: .line)
    #expect(try list.next() == "a")
    // A path of which all is at hand is taken as it is, and leads nowhere.
    do throws(TrackError) {
      #expect(try list.next()?.utf8.count == long.count)
      #expect(chunk == 1 << 20)
    } catch {
      #expect(error.code == .limitExceeded)
      #expect(chunk == 1 << 10)
    }
    #expect(try list.next() == "b")
    #expect(try list.next() == nil)
  }
}
