import Foundation
import Testing

@testable import FuzzTargets

/// Inputs that once broke a promise, each with the target that it broke: `Fuzz/Regressions/TARGET/NAME`.
@Suite("Fuzz regressions")
struct RegressionTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzz")

  /// The files below a folder of targets, as `TARGET/NAME`.
  static func files(_ name: String) -> [String] {
    let path = folder.appending(path: name).path(percentEncoded: false)
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.split(separator: "/").count == 2 && !$0.hasSuffix(".md") }.sorted()
  }

  /// The seeds and regressions of a target.
  static func inputs(of name: String) throws -> [[UInt8]] {
    try ["Seeds", "Regressions"].flatMap { place in
      try files(place).filter { $0.hasPrefix(name + "/") }.map {
        Array(try Data(contentsOf: folder.appending(path: "\(place)/\($0)")))
      }
    }
  }

  @Test("An input that failed before keeps its target's promises", arguments: files("Regressions"))
  func regression(file: String) throws {
    let target = try #require(FuzzTarget.named(String(file.prefix { $0 != "/" })))
    let input = try Data(contentsOf: Self.folder.appending(path: "Regressions/\(file)"))
    try target.run(Array(input))
  }

  @Test("A few seeds of each target keep its promises", arguments: FuzzTarget.all.map(\.name))
  func seeds(target name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    for input in [[], [0], Array("<".utf8), Array("{\"type\":".utf8)] as [[UInt8]] { try target.run(input) }
    let seeds = Self.files("Seeds").filter { $0.hasPrefix(name + "/") }
    #expect(!seeds.isEmpty, "no seeds in Fuzz/Seeds/\(name)")
    for seed in seeds.prefix(6) {
      try target.run(Array(try Data(contentsOf: Self.folder.appending(path: "Seeds/\(seed)"))))
    }
  }

  @Test("Every folder of seeds and regressions belongs to a target")
  func folders() {
    let names = Set((Self.files("Regressions") + Self.files("Seeds")).map { String($0.prefix { $0 != "/" }) })
    #expect(names.subtracting(FuzzTarget.all.map(\.name)) == [])
  }
}
