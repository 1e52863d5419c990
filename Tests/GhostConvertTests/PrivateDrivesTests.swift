import DriveLibrary
import Foundation
import TestSupport
import Testing
import TrackModel

@testable import GhostModel

/// No drive leads through a privacy zone, although the points of a drive are evenly spread over the whole
/// route.
@Suite(.waiting) struct PrivateDrivesTests {
  private static let zone = (latitude: 47.01, longitude: 8.0, radius: 100.0)
  private static let option = "47.01,8.0,100m"

  /// Returns a track due north with points at the given seconds from 0 to 200, at 0.0001° (11.1 m) per
  /// second. It passes the middle of the zone at second 100.
  private func line(_ seconds: [Int]) -> String {
    let points = seconds.map { second in
      let time = String(format: "2024-05-17T06:%02d:%02dZ", second / 60, second % 60)
      let latitude = String(format: "%.6f", 47 + Double(second) / 10000)
      return "<trkpt lat=\"\(latitude)\" lon=\"8.0\"><time>\(time)</time></trkpt>"
    }
    return "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><name>Line</name><trkseg>"
      + points.joined() + "</trkseg></trk></gpx>"
  }

  private func latitudes(_ document: [String: Any]) throws -> [Double] {
    let base64 = try #require(document["coordinatesData"] as? String)
    let blob = try #require(Data(base64Encoded: base64))
    let array = try #require(try JSONSerialization.jsonObject(with: blob) as? [[String: Double]])
    return try array.map { try #require($0["lat"]) }
  }

  /// Returns the number of points in the zone, on the zone's meridian. A degree of latitude is 111.17 km
  /// there.
  private func hidden(_ latitudes: [Double]) -> Int {
    latitudes.count { abs($0 - Self.zone.latitude) * 111_170 < Self.zone.radius }
  }

  @Test(
    "If a zone leaves nothing of a folder, the command fails and names the reason",
    arguments: [
      ["import", "in", "--output-directory", "out"], ["import", "in", "--library", "l.gpkg"],
      ["convert", "in", "--to", "gpx", "--output-directory", "out"],
    ])
  func nothingLeft(arguments: [String]) throws {
    try withFixtures { (folder) throws in
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
      try folder.write(line(Array(0...200)), to: "in/a.gpx")
      try folder.write("read me", to: "in/README")
      let all = try GhostConvertProgram.run(arguments + ["--privacy", "47.01,8.0,5km"], in: folder.url)
      #expect(all.status == 65)
      let verb = arguments[0] == "import" ? "imported: no points left outside" : "converted: empty after"
      #expect(all.errors.contains("ghost-convert: nothing \(verb)"), "\(all.errors)")
      // One drive outside the zone is enough.
      try folder.write(line(Array(0...200)).replacing("8.0\"", with: "9.0\""), to: "in/b.gpx")
      let one = try GhostConvertProgram.run(arguments + ["--privacy", "47.01,8.0,5km"], in: folder.url)
      #expect(one.status == 0, "\(one.errors)")
    }
  }

  @Test(
    "Each part is a drive, whether points are in the zone or only the line between two points crosses it",
    arguments: [
      Array(0...200), Array(stride(from: 0, through: 200, by: 25)).filter { $0 != 100 },
      Array(0...90) + Array(110...200),
    ])
  func parts(seconds: [Int]) throws {
    try withFixtures { (folder) throws in
      try folder.write(line(seconds), to: "line.gpx")
      let outcome = try folder.run(
        "import", "line.gpx", "--privacy", Self.option, "--output-directory", "out")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect((outcome.errors + outcome.text).contains("tracks split at 1 place"), "\(outcome.errors)")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("out").path
      ).sorted()
      #expect(names.count == 2)
      for name in names {
        let places = try latitudes(folder.json("out/\(name)"))
        #expect(places.count > 1 && hidden(places) == 0, "\(name)")
      }
    }
  }

  @Test(
    "Options that join tracks or create points create no points in the zone",
    arguments: [
      ["--merge"], ["--resample", "1s"], ["--simplify", "50"], ["--reverse"], ["--keep-points"],
    ])
  func stages(arguments: [String]) throws {
    try withFixtures { (folder) throws in
      try folder.write(line(Array(0...200)), to: "line.gpx")
      let outcome = try GhostConvertProgram.run(
        ["import", "line.gpx", "--privacy", Self.option, "--output-directory", "out"] + arguments,
        in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("out").path)
      #expect(names.count == 2)
      for name in names { #expect(hidden(try latitudes(folder.json("out/\(name)"))) == 0, "\(name)") }
    }
  }

  @Test("One output for two parts is an error, and no file is written", arguments: ["import", "convert"])
  func oneOutput(command: String) throws {
    try withFixtures { (folder) throws in
      try folder.write(line(Array(0...200)), to: "line.gpx")
      let outcome = try folder.run(command, "line.gpx", "--privacy", Self.option, "-o", "o.drive.json")
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("several drives"), "\(outcome.errors)")
      #expect(try folder.names() == ["line.gpx"])
    }
  }

  @Test("A zone at the end of a track leaves one drive", arguments: ["import", "convert"])
  func end(command: String) throws {
    try withFixtures { (folder) throws in
      try folder.write(line(Array(0...100)), to: "line.gpx")
      let outcome = try folder.run(command, "line.gpx", "--privacy", Self.option, "-o", "o.drive.json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let places = try latitudes(folder.json("o.drive.json"))
      // The zone starts 8.995 steps before its middle.
      #expect(places.count == 92 && hidden(places) == 0)
    }
  }

  @Test("Merging inputs inside a zone names the zone as the cause")
  func nothingLeftOfMergedInputs() throws {
    try withFixtures { (folder) throws in
      try folder.write(line([95, 100]), to: "a.gpx")
      try folder.write(line([101, 105]), to: "b.gpx")
      let outcome = try folder.run(
        "import", "a.gpx", "b.gpx", "--merge", "--privacy", Self.option, "-o", "out.drive.json")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("no points left outside the privacy zones"), "\(outcome.errors)")
    }
  }

  @Test("Single points that zones leave of merged inputs become no drive")
  func singlePointsOfMergedInputs() throws {
    try withFixtures { (folder) throws in
      try folder.write(line([89, 95]), to: "a.gpx")
      try folder.write(line([90, 96]), to: "b.gpx")
      let run = ["import", "a.gpx", "b.gpx", "--privacy", Self.option, "-o", "out.drive.json", "--merge"]
      let refused = try GhostConvertProgram.run(run, in: folder.url)
      #expect(refused.status == 65)
      #expect(refused.errors.contains("no points left outside the privacy zones"), "\(refused.errors)")
      #expect(!refused.errors.contains("contains no points"), "\(refused.errors)")
      try folder.write(line([80, 81, 96]), to: "b.gpx")
      let outcome = try GhostConvertProgram.run(run, in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("part of fewer than two points skipped"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("contains no points"), "\(outcome.errors)")
    }
  }

  @Test("Files of a folder of which a zone leaves nothing are listed with the zone as the reason")
  func nothingLeftInFolder() throws {
    try withFixtures { (folder) throws in
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "in"), withIntermediateDirectories: true)
      try folder.write(line([95, 100]), to: "in/a.gpx")
      try folder.write(line([0, 10]), to: "in/b.gpx")
      let outcome = try folder.run("import", "in", "--privacy", Self.option, "--output-directory", "out")
      #expect(outcome.text.contains("no points left outside the privacy zones"), "\(outcome.text)")
      #expect(!outcome.text.contains("no track"), "\(outcome.text)")
    }
  }

  @Test("A single point between two zones is skipped")
  func shortPart() throws {
    try withFixtures { (folder) throws in
      try folder.write(line(Array(0...200)), to: "line.gpx")
      let outcome = try folder.run(
        "import", "line.gpx", "--privacy", Self.option, "--privacy", "47.00025,8,20m", "--output-directory",
        "out")
      // The second zone contains the seconds 1 to 4, so second 0 is a separate part.
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("part of fewer than two points skipped"), "\(outcome.errors)")
    }
  }

  @Test("The coordinates and recordings of a library have no points in the zone")
  func library() throws {
    try withFixtures { (folder) throws in
      try folder.write(line(Array(0...200)), to: "line.gpx")
      let outcome = try folder.run(
        "import", "line.gpx", "--privacy", Self.option, "--library", "drives.gpkg")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let library = try DriveLibrary(
        path: folder.url.appendingPathComponent("drives.gpkg").path, mode: .reading)
      let drives = try library.drives()
      #expect(drives.count == 2)
      for drive in drives {
        let stored = try #require(try library.drive(drive.id))
        #expect(hidden(stored.coordinates.map(\.latitude)) == 0)
        let recording = try #require(try library.recording(drive.id))
        #expect(recording.count == 92)
        #expect(hidden(recording.segments.flatMap(\.latitudes)) == 0)
      }
    }
  }

  @Test("Without times the duration is divided among the parts, which have no start time")
  func untimed() throws {
    try withFixtures { (folder) throws in
      let text = line(Array(0...200)).replacing(/<time>.*?<\/time>/, with: "")
      try folder.write(text, to: "line.gpx")
      let outcome = try folder.run(
        "import", "line.gpx", "--duration", "200s", "--privacy", Self.option, "--output-directory", "out")
      #expect(outcome.status == 0, "\(outcome.errors)")
      for name in try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appendingPathComponent("out").path)
      {
        let drive = try folder.json("out/\(name)")
        #expect(drive["startTime"] == nil || drive["startTime"] is NSNull)
        #expect(abs((drive["duration"] as? Double ?? 0) - 91) < 0.01)
        #expect(hidden(try latitudes(drive)) == 0)
      }
    }
  }

  @Test(
    "With --strict a zone without points is an error, and nothing is written",
    arguments: [["-o", "q.drive.json"], ["--output-directory", "."], ["--blob", "-o", "q"], []])
  func strict(arguments: [String]) throws {
    try withFixtures("commute.gpx") { (folder) throws in
      let outcome = try GhostConvertProgram.run(
        ["import", "commute.gpx", "--privacy", "40,8,5", "--strict"] + arguments, in: folder.url)
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("contains no point"), "\(outcome.errors)")
      #expect(try folder.names() == ["commute.gpx"])
    }
  }

  @Test(
    "A conversion that is imported does not cross a zone",
    arguments: ["gpx", "kml", "kmz", "geojson", "geojsonseq", "csv", "tcx", "fit"], [[], ["--merge"]])
  func twoSteps(format: String, options: [String]) throws {
    try withFixtures { (folder) throws in
      try folder.write(line(Array(0...200)), to: "line.gpx")
      let outcome = try GhostConvertProgram.run(
        ["convert", "line.gpx", "--privacy", Self.option, "-o", "cut.\(format)"] + options, in: folder.url)
      #expect(outcome.status == 0 && outcome.errors.contains("tracks split at 1 place"), "\(outcome.errors)")
      #expect(try folder.run("import", "cut.\(format)", "--output-directory", "out").status == 0)
      for number in 1...2 {
        let places = try latitudes(folder.json("out/cut-\(number).drive.json"))
        #expect(places.count > 1 && hidden(places) == 0)
      }
    }
  }
}
