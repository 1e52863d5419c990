import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Path lists")
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
    "Each line is a path with its spaces, even if it is empty; the last one needs no line feed",
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

  @Test("Paths separated by zero bytes may contain any other characters, including line feeds")
  func zeros() throws {
    #expect(
      try paths(Array("a\nb\0 c\r\0".utf8), .null).map { Array($0.utf8) }
        == ["a\nb", " c\r"].map { Array($0.utf8) })
  }

  @Test("A name that ends with a carriage return is found if the file exists")
  func oddNames() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(filePath: folder.file("a\r")))
    #expect(try paths(Array((folder.file("a") + "\r\n").utf8)) == [folder.file("a\r")])
    #expect(try paths(Array((folder.file("b") + "\r\n").utf8)) == [folder.file("b")])
  }

  @Test("Bytes that are not valid text are returned unchanged")
  func bytes() throws {
    let name: [UInt8] = [0x61, 0xFF, 0xC3, 0x2E, 0x67]
    let path = try #require(try paths(name + [10]).first)
    #expect(FileName.bytes(path) == name)
    #expect(!FileName.isText(path) && FileName.isText("ä.gpx"))
  }

  @Test(
    "A path that is too long is an error, and the list continues after it", arguments: [1 << 10, 1 << 20])
  func longPath(chunk: Int) throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: PathList.longestPath * 3)
    var list = PathList(
      ByteInput(bytes: Array("a\n".utf8) + long + Array("\nb\n".utf8), chunk: chunk), separator: .line)
    #expect(try list.next() == "a")
    // A path that is completely buffered is returned, although no such file can exist.
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
