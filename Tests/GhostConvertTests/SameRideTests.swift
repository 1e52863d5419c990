import Foundation
import Testing

@testable import TestSupport

/// Recordings of one ride by several devices.
@Suite(.waiting) struct SameRideTests {
  /// 3 km to the east in 250 s, including a stop.
  private static let ride = DrivenRoad().driving(toEast: 1500, seconds: 120).standing(20)
    .driving(toEast: 3000, seconds: 110)

  /// Returns a recording of the ride by another device between two seconds, with an error of some metres.
  private static func other(_ seconds: Range<Int>) -> String {
    let lines = ride.gpx(name: "watch").split(separator: "\n")
    var second = -1
    let kept = lines.compactMap { line -> String? in
      guard line.hasPrefix("<trkpt") else { return String(line) }
      second += 1
      guard seconds.contains(second) else { return nil }
      let north = String(format: "%.7f", (3 + 2 * sin(Double(second) / 7)) / 110_574.28)
      return String(line).replacing(/lat="[^"]*"/, with: "lat=\"\(north)\"")
        .replacing("</trkpt>", with: "<extensions><hr>\(100 + second)</hr></extensions></trkpt>")
    }
    return kept.joined(separator: "\n")
  }

  private func withRides(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures { (folder) throws in
      try folder.write(Self.ride.gpx(name: "phone"), to: "phone.gpx")
      try folder.write(Self.other(60..<230), to: "watch.gpx")
      // A copy with every fifth point, and the recording of a friend ten minutes earlier.
      let points = Self.ride.gpx(name: "copy").split(separator: "\n")
      try folder.write(
        points.enumerated().filter { !$0.element.hasPrefix("<trkpt") || $0.offset % 5 == 0 }.map(\.element)
          .joined(separator: "\n"), to: "copy.gpx")
      try folder.write(
        Self.ride.gpx(name: "friend").replacing("06:0", with: "05:5"), to: "other-time.gpx")
      try body(folder)
    }
  }

  @Test("A library keeps the recording of another device and reports it, and skips a copy")
  func library() throws {
    try withRides { folder throws in
      let outcome = try folder.run(
        "import", "phone.gpx", "watch.gpx", "copy.gpx", "--library", "l.gpkg", "--report", "r.ndjson")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(
        outcome.text.contains("watch.gpx: watch: the same ride as phone.gpx, recorded by another device"),
        "\(outcome.text)")
      let lines = try folder.text("r.ndjson").split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      let phone = try #require((lines[0]["drives"] as? [String])?.first)
      #expect(lines.map { $0["state"] as? String } == ["imported", "imported", "duplicate"])
      #expect(lines[1]["simultaneous_with"] as? [String] == [phone])
      #expect(lines[2]["duplicate_of"] as? String == phone)
      let shown = try jsonObject(
        try folder.run("library", "show", phone, "--json", "--library", "l.gpkg").output)
      let same = try #require(shown["same_time"] as? [[String: Any]])
      #expect(same.map { $0["relation"] as? String } == ["simultaneous"])
      #expect(same.map { $0["source"] as? String } == ["watch.gpx"])
    }
  }

  @Test("Fused rides without names have those of their files, and a damaged input is in the report")
  func joinedReport() throws {
    try withRides { folder throws in
      for name in ["phone.gpx", "watch.gpx", "other-time.gpx"] {
        let text = try folder.text(name)
        try folder.write(text.replacing(/<name>[^<]*<\/name>/, with: ""), to: name)
      }
      try folder.write("<gpx><trk", to: "bad.gpx")
      let outcome = try folder.run(
        "import", "--fuse", "phone.gpx", "watch.gpx", "other-time.gpx", "bad.gpx", "--output-directory", "o",
        "--report", "r.ndjson")
      #expect(outcome.status == 65)
      #expect(outcome.errors.components(separatedBy: "bad.gpx").count == 2, "\(outcome.errors)")
      let lines = try folder.text("r.ndjson").split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      #expect(lines.map { $0["state"] as? String } == ["imported", "failed"])
      #expect(lines[1]["source"] as? String == "bad.gpx")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "o").path)
      let drives = try names.map {
        try jsonObject(Data(folder.text("o/\($0)").utf8))["name"] as? String ?? ""
      }
      #expect(drives.sorted() == ["other-time", "phone"])
    }
  }

  @Test("library fuse replaces the recordings of a ride by one drive, until they are restored")
  func libraryFuse() throws {
    try withRides { folder throws in
      func run(_ words: String) throws -> OtherProgram.Outcome {
        try GhostConvertProgram.run(
          words.split(separator: " ").map(String.init) + ["--library", "l.gpkg"], in: folder.url)
      }
      func drives() throws -> [[String: Any]] {
        try run("library list --json").text.split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      }
      // The phone records the first 200 s, and the watch the rest.
      let points = Self.ride.gpx(name: "phone").split(separator: "\n").filter { $0.hasPrefix("<trkpt") }
      let phone = try points.dropFirst(200).reduce(folder.text("phone.gpx")) {
        $0.replacing($1 + "\n", with: "")
      }
      try folder.write(phone, to: "phone.gpx")
      try folder.write(Self.other(60..<251), to: "watch.gpx")
      let imported = try run("import watch.gpx phone.gpx other-time.gpx")
      // The advice is a command that works.
      let advice = try #require(
        imported.text.firstMatch(of: /use ghost-convert (library fuse .*) to combine/))
      let fused = try run(String(advice.1) + " --json")
      #expect(fused.status == 0, "\(fused.errors)")
      let drive = try jsonObject(fused.output)
      let id = try #require(drive["id"] as? String)
      #expect(drive["source"] as? String == "watch.gpx + phone.gpx")
      #expect(drive["name"] as? String == "watch")
      let shown = try jsonObject(try run("library show \(id) --json").output)
      #expect((shown["recording"] as? [String: Any])?["timed_points"] as? Int == 251)
      #expect(try drives().count == 2)
      #expect(try run("library check").status == 0)
      // The recordings stay removed, and --again restores them.
      #expect(try run("import phone.gpx watch.gpx").text.contains("0 imported, 0 already imported"))
      #expect(try drives().count == 2)
      #expect(try run("library remove \(id)").status == 0)
      #expect(try run("import phone.gpx watch.gpx --again").text.contains("2 imported"))
      #expect(try drives().count == 3)
      let ids = try drives().compactMap { $0["id"] as? String }.joined(separator: " ")
      let apart = try run("library fuse \(ids)")
      #expect(apart.status == 65 && apart.errors.contains("not recordings of one ride"), "\(apart.errors)")
      #expect(try drives().count == 3)
      #expect(try run("library fuse \(id) \(id)").status != 0)
      #expect(try run("library fuse \(ids.prefix(36))").status == 64)
      let refused = try run("import --fuse phone.gpx watch.gpx")
      #expect(refused.status == 64 && refused.errors.contains("library fuse ID ID"), "\(refused.errors)")
    }
  }

  @Test("After a fusion, the recording of the ride by another device is imported, and the parts are not")
  func otherDeviceAfterFusion() throws {
    try withRides { folder throws in
      func drives(after words: [String]) throws -> [[String: Any]] {
        let outcome = try GhostConvertProgram.run(words + ["--library", "l.gpkg"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try folder.run("library", "list", "--json", "--library", "l.gpkg").text.split(separator: "\n")
          .map { try jsonObject(Data($0.utf8)) }
      }
      try folder.write(Self.other(0..<251), to: "bar.gpx")
      let both = try drives(after: ["import", "phone.gpx", "watch.gpx"]).compactMap { $0["id"] as? String }
      #expect(try drives(after: ["library", "fuse"] + both).count == 1)
      #expect(try drives(after: ["import", "phone.gpx", "watch.gpx"]).count == 1)
      #expect(try drives(after: ["import", "bar.gpx"]).count == 2)
    }
  }

  @Test("library fuse keeps a recording to which the other one adds nothing")
  func libraryFuseOfWhole() throws {
    try withRides { folder throws in
      _ = try folder.run("import", "phone.gpx", "watch.gpx", "--library", "drives.gpkg")
      let ids = try folder.run("library", "list", "--json").text.split(separator: "\n").map {
        try #require(try jsonObject(Data($0.utf8))["id"] as? String)
      }
      let fused = try folder.run("library", "fuse", ids[0], ids[1])
      #expect(fused.text.contains("combined") && fused.text.contains("removed"), "\(fused.errors)")
      let left = try jsonObject(folder.run("library", "list", "--json").output)
      #expect(left["source"] as? String == "phone.gpx")
      #expect(try folder.run("library", "check").text == "1 drive, no problems\n")
    }
  }

  @Test("An import of a folder keeps both recordings, as info predicts")
  func folders() throws {
    try withRides { folder throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      // In the order of their names.
      for (name, moved) in [("phone.gpx", "1.gpx"), ("watch.gpx", "2.gpx"), ("copy.gpx", "3.gpx")] {
        try FileManager.default.moveItem(
          at: folder.url.appendingPathComponent(name), to: folder.url.appendingPathComponent("in/\(moved)"))
      }
      let info = try jsonObject(try folder.run("info", "--json", "in").output)
      #expect(info["duplicates"] as? Int == 1)
      #expect(info["simultaneous"] as? Int == 1)
      let outcome = try folder.run("import", "in", "--output-directory", "out")
      #expect(outcome.text.contains("2 imported (2 drives), 1 duplicate"), "\(outcome.text)")
      #expect(outcome.text.contains("recorded by another device; both are kept"), "\(outcome.text)")
    }
  }

  @Test("--fuse joins recordings of the same ride and leaves others unchanged")
  func fusing() throws {
    try withRides { folder throws in
      let outcome = try folder.run("convert", "--fuse", "watch.gpx", "phone.gpx", "-o", "both.gpx")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("fuse: 2 recordings made one"), "\(outcome.errors)")
      let info = try jsonObject(try folder.run("info", "--json", "both.gpx").output)
      #expect(info["tracks"] as? Int == 1)
      #expect(info["trackpoints"] as? Int == 251)
      let imported = try folder.run("import", "--fuse", "watch.gpx", "phone.gpx", "-o", "both.drive.json")
      #expect(imported.status == 0, "\(imported.errors)")
      let apart = try folder.run("convert", "--fuse", "phone.gpx", "other-time.gpx", "-o", "apart.gpx")
      #expect(apart.errors.contains("no two tracks are recordings of the same ride"), "\(apart.errors)")
    }
  }

  @Test("A recording that extends an earlier one is not reported as another device's")
  func halves() throws {
    try withRides { folder throws in
      let half = Self.ride.gpx(name: "half").split(separator: "\n").enumerated()
        .filter { !$0.element.hasPrefix("<trkpt") || $0.offset < 120 }.map(\.element)
      try folder.write(half.joined(separator: "\n"), to: "half.gpx")
      #expect(try folder.run("import", "half.gpx", "--library", "l.gpkg").status == 0)
      let outcome = try folder.run("import", "phone.gpx", "--library", "l.gpkg", "--report", "r.ndjson")
      #expect(
        outcome.text.contains(
          "the same recording as half.gpx, which contains only part of it; both are kept"),
        "\(outcome.text)")
      let record = try jsonObject(try folder.data("r.ndjson"))
      #expect((record["extension_of"] as? [String])?.count == 1 && record["simultaneous_with"] == nil)
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      for name in ["half.gpx", "phone.gpx"] {
        try FileManager.default.moveItem(
          at: folder.url.appendingPathComponent(name), to: folder.url.appendingPathComponent("in/\(name)"))
      }
      let drives = try folder.run("import", "in", "--output-directory", "out")
      #expect(drives.text.contains("which has only part of it"), "\(drives.text)")
      #expect(!drives.text.contains("another device"))
    }
  }
}
