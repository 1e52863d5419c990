import Foundation
import Testing
import TrackFormats
import TrackModel

@testable import TestSupport

@Suite("Output place")
struct OutputPlaceTests {
  @Test("The kind of a path is reported, following links, and nothing is created")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
    for (name, target) in [("to file", "file"), ("to folder", "folder"), ("to none", "none")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(name), withDestinationPath: folder.file(target))
    }
    let before = try folder.names()
    let places = try ["file", "folder", "none", "to file", "to folder", "to none"].map {
      try OutputKind(folder.file($0))
    }
    #expect(places == [.file, .folder, .nothing, .file, .folder, .nothing])
    #expect(try OutputKind("/dev/null") == .other)
    #expect(try folder.names() == before)
  }

  @Test("A path that cannot be resolved is an error")
  func faults() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("circle"), withDestinationPath: folder.file("circle"))
    expectError(.notCreatable) { try OutputKind(folder.file("circle")) }
    expectError(.notCreatable) { try OutputKind("") }
  }
}
