import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("File names")
struct FileNameTests {
  @Test(
    "Any bytes are restored from their text",
    arguments: [
      Array("ride.gpx".utf8), Array("Zürich 🚗.gpx".utf8), [0x62, 0xFC, 0x72, 0x6F], [0xFF, 0xFE, 0x80, 0xC3],
      [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x9A], Array("\u{10FE80}\u{10FEFF}".utf8), [],
    ] as [[UInt8]])
  func thereAndBack(_ name: [UInt8]) {
    #expect(FileName.bytes(FileName.text(name)) == name)
  }

  @Test("Random bytes are restored from their text")
  func random() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let name = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        [UInt8.random(in: 1...255, using: &generator), 0xF4, 0x8F, 0xBA, 0x80, 0x61].randomElement(
          using: &generator)
          ?? 0x61
      }
      #expect(FileName.bytes(FileName.text(name)) == name)
    }
  }

  @Test("Valid names are unchanged, and others are displayed with a replacement character")
  func shown() {
    #expect(FileName.text(Array("é.gpx".utf8)) == "é.gpx" && FileName.shown("é.gpx") == "é.gpx")
    #expect(FileName.shown(FileName.text([0x62, 0xFC, 0x72])) == "b\u{FFFD}r")
  }

  @Test("A file whose name is not valid UTF-8 is read and written")
  func files() throws {
    let folder = try TemporaryFolder()
    let name = folder.path + "/" + FileName.text([0x62, 0xFC, 0x2E, 0x67, 0x70, 0x78])
    var sink = try ByteSink(path: name)
    try sink.write("<gpx/>")
    try sink.finish()
    var input = try ByteInput(path: name)
    try input.fill(atLeast: 6)
    #expect(input.available.count == 6)
    let found = unsafe opendir(folder.path).map { directory in
      var names: [[UInt8]] = []
      while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
        if name.first != UInt8(ascii: ".") { names.append(name) }
      }
      _ = unsafe closedir(directory)
      return names
    }
    #expect(found == [[0x62, 0xFC, 0x2E, 0x67, 0x70, 0x78]])
  }

  @Test("A dangling link is kept, and its target is created")
  func danglingLinks() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.file("far"), withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "far/next")
    try manager.createSymbolicLink(atPath: folder.file("far/next"), withDestinationPath: folder.file("file"))
    var sink = try ByteSink(path: folder.file("link"))
    try sink.write("text")
    try sink.finish()
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.file("link")) == "far/next")
    #expect(try manager.destinationOfSymbolicLink(atPath: folder.file("far/next")) == folder.file("file"))
    #expect(try folder.text("file") == "text")
    #expect(try folder.names() == ["far", "file", "link"])
  }

  @Test("Links that form a cycle are rejected and kept")
  func circles() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.file("a"), withDestinationPath: "b")
    try FileManager.default.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "a")
    let error = #expect(throws: TrackError.self) { _ = try ByteSink(path: folder.file("a")).offset }
    #expect(error?.code == .notCreatable && error?.suggestion?.description.contains("form a loop") == true)
    #expect(try folder.names() == ["a", "b"])
  }

  @Test("Failures have suggestions")
  func suggestions() throws {
    let folder = try TemporaryFolder()
    func suggestion(_ body: () throws -> Void) -> String {
      (#expect(throws: TrackError.self) { try body() })?.suggestion?.description ?? ""
    }
    #expect(suggestion { _ = try ByteInput(path: folder.file("no")).offset }.contains("check the name"))
    #expect(
      suggestion { _ = try ByteInput(path: folder.file("no/file")).offset }.contains("there is no folder"))
    #expect(suggestion { _ = try ByteInput(path: folder.path).offset }.contains("name the files in it"))
    #expect(
      suggestion { _ = try ByteSink(path: folder.file("no/file")).offset }.contains("create the folder"))
    #expect(suggestion { try ByteSink.makeFolder("/dev/null/folder") }.contains("another folder"))
    // Neither of these folders can be created.
    let file = try folder.write("", to: "file"), link = folder.file("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "no")
    #expect(
      suggestion { _ = try ByteSink(path: file + "/a/b").offset }
        == "\(file) is a file, not a folder; write elsewhere")
    #expect(
      suggestion { _ = try ByteSink(path: link + "/a").offset }
        == "\(link) is a link to no, which does not exist; write elsewhere")
    #expect(
      suggestion { _ = try ByteInput(path: link + "/a").offset }
        == "\(link) is a link to no, which does not exist")
    #expect(
      suggestion { _ = try ByteInput(path: file + "/a").offset }
        .hasPrefix("\(file) is a file, not a folder; if it is an archive"))
    #expect(suggestion { try ByteSink.makeFolder(link) } == "it is a link to no, which does not exist")
    if FileManager.default.fileExists(atPath: "/dev/full") {
      #expect(
        suggestion {
          var sink = try ByteSink(path: "/dev/full")
          try sink.write("text")
          try sink.finish()
        }.contains("make room"))
    }
  }
}
