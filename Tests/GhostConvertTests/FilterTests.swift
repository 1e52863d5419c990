import Foundation
import Testing

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

/// `import --stdin-paths --json`, which reads paths and writes records.
@Suite("Import as a filter", .waiting)
struct FilterTests {
  private func filtered(_ folder: TemporaryFolder, _ paths: String, _ arguments: String...) throws
    -> [[String: Any]]
  {
    let outcome = try GhostConvertProgram.run(
      ["import", "--stdin-paths", "--json"] + arguments, in: folder.url, input: Data(paths.utf8))
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    return try outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      try jsonObject(Data($0.utf8))
    }
  }

  private func drives(_ record: [String: Any]) throws -> [[String: Any]] {
    try #require(record["drives"] as? [[String: Any]])
  }

  /// Returns the longitude and latitude of each point of a little-endian WKB line.
  private func line(_ hexadecimal: String) throws -> [[Double]] {
    var bytes: [UInt8] = []
    var rest = Substring(hexadecimal)
    while !rest.isEmpty {
      bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
      rest = rest.dropFirst(2)
    }
    func number<Integer: FixedWidthInteger>(_ type: Integer.Type, _ offset: Int) -> Integer {
      bytes[offset..<(offset + Integer.bitWidth / 8)].reversed().reduce(0) { $0 << 8 | Integer($1) }
    }
    try #require(bytes.count >= 9 && bytes[0] == 1 && number(UInt32.self, 1) == 2)
    let count = Int(number(UInt32.self, 5))
    try #require(bytes.count == 9 + 16 * count)
    return (0..<count).map { row in
      (0..<2).map { Double(bitPattern: number(UInt64.self, 9 + 16 * row + 8 * $0)) }
    }
  }

  @Test("Every path has a record, in the order of the paths, and no file is written", arguments: [1, 2, 8])
  func order(jobs: Int) throws {
    try withFixtures("even.gpx", "commute.gpx", "two-tracks.gpx", "no-times.gpx") { (folder) throws in
      let paths = (0..<20).flatMap {
        ["two-tracks.gpx", "missing\($0)", "even.gpx", "", "no-times.gpx", "commute.gpx"]
      }
      let records = try filtered(folder, paths.joined(separator: "\n") + "\n", "--jobs", "\(jobs)")
      #expect(records.map { $0["source"] as? String } == paths)
      #expect(
        records.prefix(6).map { $0["state"] as? String } == [
          "imported", "failed", "imported", "failed", "failed", "imported",
        ])
      #expect(try records.prefix(6).map { try drives($0).count } == [2, 0, 1, 0, 0, 1])
      #expect((records[1]["error"] as? [String: Any])?["code"] as? String == "not-found")
      #expect((records[4]["error"] as? [String: Any])?["code"] as? String == "no-times")
      #expect(try folder.names() == ["commute.gpx", "even.gpx", "no-times.gpx", "two-tracks.gpx"])
    }
  }

  @Test("A drive equals the document written by import, plus the line as well-known binary")
  func drive() throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let record = try #require(try filtered(folder, "commute.gpx\n").first)
      let drive = try #require(try drives(record).first)
      let report = try jsonObject(try folder.run("import", "--json", "commute.gpx").output)
      for (key, value) in report where !["source", "output", "state"].contains(key) {
        #expect(value as? NSObject == drive[key] as? NSObject, "\(key)")
      }
      let document = try folder.json("commute.drive.json")
      #expect(drive["coordinatesData"] as? String == document["coordinatesData"] as? String)
      let base64 = try #require(drive["coordinatesData"] as? String)
      let blob = try #require(Data(base64Encoded: base64))
      let places = try #require(try JSONSerialization.jsonObject(with: blob) as? [[String: Double]])
      let digits = try #require(drive["wkb"] as? String)
      let line = try self.line(digits)
      let positions = places.map { [$0["lon"] ?? .nan, $0["lat"] ?? .nan] }
      #expect(line == positions)
      let (west, south) = (line.map { $0[0] }.min(), line.map { $0[1] }.min())
      let (east, north) = (line.map { $0[0] }.max(), line.map { $0[1] }.max())
      #expect(drive["bbox"] as? [Double] == [west, south, east, north].compactMap { $0 })
    }
  }

  @Test("A record is written before the next path is read", arguments: ["1", "2", "7"])
  func lockstep(jobs: String) throws {
    try withFixtures("even.gpx") { (folder) throws in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try GhostConvertProgram.path())
      process.arguments = ["import", "--stdin-paths", "--json", "--jobs", jobs]
      process.currentDirectoryURL = folder.url
      let (input, output) = (Pipe(), Pipe())
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      for number in 0..<30 {
        let path = number % 3 == 0 ? "missing\(number)" : "even.gpx"
        try input.fileHandleForWriting.write(contentsOf: Data((path + "\n").utf8))
        var line = Data()
        while line.last != 10 {
          let more = output.fileHandleForReading.availableData
          try #require(!more.isEmpty, "the filter ended before its input did")
          line.append(more)
        }
        #expect(try jsonObject(line)["source"] as? String == path)
      }
      try input.fileHandleForWriting.close()
      #expect(output.fileHandleForReading.availableData.isEmpty)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }

  @Test("An archive is one record, with its drives and all its errors")
  func archive() throws {
    try withFixtures("even.gpx", "commute.gpx") { (folder) throws in
      let writer = try ArchiveWriter(ByteSink(path: folder.url.appendingPathComponent("a.zip").path))
      let entries = try [
        ("1.gpx", folder.data("even.gpx")), ("copy.gpx", folder.data("even.gpx")),
        ("2.gpx", folder.data("commute.gpx")), ("3.gpx", Data("<gpx><trk>".utf8)), ("4.gpx", Data()),
        ("photo.jpg", Data([0xFF, 0xD8, 0xFF])),
      ]
      for (name, content) in entries {
        try writer.beginEntry(name)
        try writer.write(Array(content).span)
      }
      try writer.finish()
      let records = try filtered(folder, "a.zip\neven.gpx\n")
      #expect(records.map { $0["state"] as? String } == ["failed", "imported"])
      #expect(try drives(records[0]).map { $0["entry"] as? String } == ["a.zip/1.gpx", "a.zip/2.gpx"])
      #expect(records[0]["duplicates"] as? Int == 1)
      let error = try #require(records[0]["error"] as? [String: Any])
      let others = try #require(records[0]["more_errors"] as? [[String: Any]])
      #expect(([error] + others).map { $0["source"] as? String } == ["a.zip/3.gpx", "a.zip/4.gpx"])
      #expect(try drives(records[1]).map { $0["entry"] is NSNull } == [true])
    }
  }

  @Test("A damaged file is a failure, with the drives before the damage")
  func damaged() throws {
    try withFixtures("two-tracks.gpx") { (folder) throws in
      let text = try folder.text("two-tracks.gpx")
      let second = try #require(
        text.range(of: "<trkpt", range: (text.range(of: "Back")?.upperBound ?? text.endIndex)..<text.endIndex)
      )
      try folder.write(text[..<second.lowerBound] + "<trkpt lat=\"nonsense", to: "damaged.gpx")
      let record = try #require(try filtered(folder, "damaged.gpx\n", "--strict").first)
      #expect(record["state"] as? String == "failed")
      #expect(try drives(record).map { $0["name"] as? String } == ["Out"])
    }
  }

  @Test("A path that is not UTF-8 is also given as bytes, and unusual names stay on one line")
  func oddNames() throws {
    try withFixtures("even.gpx") { (folder) throws in
      let name = "line\u{2028}separator\u{85}\".gpx"
      try folder.write(folder.text("even.gpx"), to: name)
      let outcome = try folder.run(
        "import", "--stdin-paths", "--json", input: Data(name.utf8) + [10, 0x61, 0xFF, 10])
      #expect(outcome.status == 0)
      let lines = outcome.text.split(whereSeparator: \.isNewline)
      try #require(lines.count == 2)
      #expect(try jsonObject(Data(lines[0].utf8))["source"] as? String == name)
      let other = try jsonObject(Data(lines[1].utf8))
      #expect(other["source"] as? String == "a\u{FFFD}")
      #expect(other["source_base64"] as? String == Data([0x61, 0xFF]).base64EncodedString())
    }
  }

  @Test("Options that write files or merge inputs are usage errors", arguments: ["--merge", "--blob"])
  func excluded(option: String) throws {
    try withFixtures("even.gpx") { (folder) throws in
      #expect(
        try folder.run("import", "--stdin-paths", "--json", option, input: Data("even.gpx".utf8)).status == 64
      )
    }
  }

  @Test("A failed write to standard output ends the run with an error")
  func noReader() throws {
    try withFixtures("even.gpx") { (folder) throws in
      let outcome = try folder.run(
        "import", "--stdin-paths", "--json", input: Data("even.gpx\n".utf8), output: "/dev/full")
      #expect(outcome.status == 74)
      #expect(outcome.errorLines.count == 1)
    }
  }
}
