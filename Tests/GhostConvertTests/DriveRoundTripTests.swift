import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

/// Conversions of drive documents to every format and back, and of coordinates without times.
@Suite(.waiting) struct DriveRoundTripTests {
  static let id = "11111111-2222-4333-8444-555555555555"
  static let formats = [
    "gpx", "gpx1.0", "kml", "kmz", "geojson", "geojsonseq", "tcx", "fit", "csv", "tsv", "drive",
  ]
  /// Formats without the identifier: GPX 1.0 allows foreign elements only if a schema declares them.
  static let withoutIdentifier: Set<String> = ["gpx1.0"]

  /// 21 points. The first ten steps are 1 m long, the others 40 m.
  static let coordinates: [Coordinate] = (0...20).map { index in
    let metres = index < 10 ? index : 10 + (index - 10) * 40
    return Coordinate(latitude: 0, longitude: Double(metres) / 111_319.49)
  }

  /// Returns the document of a drive of 100.5 s, with or without a start time.
  private func document(start: Bool) -> String {
    let begin = Instant(microseconds: 1_715_926_350_000_000)
    var drive = Drive(
      name: "To work", startTime: start ? begin : nil,
      endTime: start ? begin.advanced(bySeconds: 100.5) : nil,
      duration: 100.5, distance: 0.25, coordinates: Self.coordinates)
    drive.id = UUID(uuidString: Self.id) ?? drive.id
    return String(decoding: DriveDocument.encode(drive), as: UTF8.self)
  }

  @Test("A drive is unchanged after a conversion to any format and back", arguments: formats, [true, false])
  func roundTrip(format: String, start: Bool) throws {
    try withFixtures { (folder) throws in
      try folder.write(document(start: start), to: "a.drive.json")
      #expect(try folder.run("convert", "a.drive.json", "--to", format, "-o", "b").status == 0)
      for command in [
        ["convert", "b", "-o", "c.drive.json"], ["import", "b", "-o", "c.drive.json", "--quiet"],
      ] {
        #expect(try GhostConvertProgram.run(command, in: folder.url).status == 0)
        let drive = try folder.json("c.drive.json")
        #expect(drive["name"] as? String == "To work")
        #expect(drive["startTime"] as? String == (start ? "2024-05-17T06:12:30Z" : nil))
        #expect(drive["endTime"] as? String == (start ? "2024-05-17T06:14:10.500Z" : nil))
        #expect(drive["duration"] as? Double == 100.5)
        #expect(format != "fit" || drive["kind"] == nil)
        #expect((drive["id"] as? String == Self.id) == !Self.withoutIdentifier.contains(format))
        let base64 = try #require(drive["coordinatesData"] as? String)
        let blob = try #require(Data(base64Encoded: base64))
        let coordinates = try CoordinateBlob.decode(blob)
        #expect(coordinates.count == 21)
        // FIT stores coordinates in steps of 9 mm, and times in 1/128 s.
        for (found, expected) in zip(coordinates, Self.coordinates) {
          #expect(abs(found.longitude - expected.longitude) < (format == "fit" ? 2e-6 : 1e-12))
        }
      }
    }
  }

  @Test("An empty name survives a conversion, except where an empty text is a missing value")
  func emptyName() throws {
    try withFixtures { (folder) throws in
      var drive = Drive(
        name: "", startTime: nil, endTime: nil, duration: 100.5, distance: 0.25, coordinates: Self.coordinates
      )
      drive.kind = "driving"
      try folder.write(String(decoding: DriveDocument.encode(drive), as: UTF8.self), to: "a.drive.json")
      for format in Self.formats where !Self.withoutIdentifier.contains(format) {
        #expect(try folder.run("convert", "a.drive.json", "--to", format, "-o", "b").status == 0)
        #expect(try folder.run("convert", "b", "-o", "c.drive.json").status == 0)
        let expected = ["csv", "tsv", "fit"].contains(format) ? "c" : ""
        #expect(try folder.json("c.drive.json")["name"] as? String == expected, "\(format)")
      }
    }
  }

  @Test("A drive with a duration of zero is not given another duration", arguments: formats)
  func withoutDuration(format: String) throws {
    try withFixtures { (folder) throws in
      let drive = Drive(
        name: "Instant", startTime: nil, endTime: nil, duration: 0, distance: 0.25,
        coordinates: Self.coordinates)
      try folder.write(String(decoding: DriveDocument.encode(drive), as: UTF8.self), to: "a.drive.json")
      if format != "drive" {
        let conversion = try folder.run("convert", "a.drive.json", "--to", format, "-o", "b")
        #expect(conversion.status == 0 && !conversion.errors.contains("km/h"), "\(conversion.errors)")
        #expect(try jsonObject(folder.run("info", "b", "--json").output)["duration_s"] is NSNull)
      }
      let source = format == "drive" ? "a.drive.json" : "b"
      let back = try folder.run("convert", source, "-o", "c.drive.json")
      #expect(back.status == 65, "\(back.errors)")
      let other = try folder.run("convert", source, "-o", "c.drive.json", "--duration", "1:40")
      #expect(format != "drive" || other.status == 0)
    }
  }

  @Test("A converted drive without a start time shows its duration to other programs")
  func figures() throws {
    try withFixtures { (folder) throws in
      try folder.write(document(start: false), to: "a.drive.json")
      #expect(try folder.run("convert", "a.drive.json", "-o", "b.geojson").status == 0)
      let collection = try folder.json("b.geojson")
      let features = try #require(collection["features"] as? [[String: Any]])
      let properties = try #require(features.first?["properties"] as? [String: Any])
      #expect(properties["ghost_duration"] as? Double == 100.5)
      #expect(properties["coordTimes"] == nil)
      #expect(try folder.run("convert", "a.drive.json", "-o", "b.csv").status == 0)
      #expect(try folder.text("b.csv").contains("ghost_duration"))
      let gpx = try folder.run("convert", "a.drive.json", "-o", "b.gpx")
      #expect(gpx.errors.contains("1 without a start time, counted from 1999-09-09T09:09:09Z"))
      let text = try folder.text("b.gpx")
      #expect(text.contains("1999-09-09T09:09:09Z") && text.contains("1999-09-09T09:10:49.500Z"))
      #expect(try folder.run("info", "b.gpx").text.contains("no start time"))
      // Through a format without times to a format that needs times.
      #expect(try folder.run("convert", "b.geojson", "-o", "b.fit").status == 0)
      #expect(try folder.run("convert", "b.fit", "-o", "c.drive.json").status == 0)
      #expect(try folder.json("c.drive.json")["duration"] as? Double == 100.5)
    }
  }

  @Test("Coordinates without times are evenly spaced in time in every command")
  func blob() throws {
    try withFixtures { (folder) throws in
      try folder.write(String(decoding: CoordinateBlob.encode(Self.coordinates), as: UTF8.self), to: "b.json")
      let imported = try folder.run("import", "b.json", "--duration", "1:40", "--blob", "-o", "-", "-q")
      #expect(imported.output == CoordinateBlob.encode(Self.coordinates))
      // The sixth of 21 points, after a quarter of the time, at 5 m. At a constant speed it would be 102 m.
      let ghost = try folder.run("ghost", "b.json", "--duration", "1:40", "--at", "25", "--json")
      let place = try jsonObject(ghost.output)
      let longitude = try #require(place["lon"] as? Double)
      #expect(abs(longitude * 111_319.49 - 5) < 0.001)
      let converted = try folder.run(
        "convert", "b.json", "--duration", "1:40", "--start", "2024-05-17T06:12:30Z", "-o", "b.gpx")
      #expect(converted.status == 0)
      let times = try folder.text("b.gpx").matches(of: /<time>([^<]*)<\/time>/).map { String($0.1) }
      #expect(times.count == 21 && times[1] == "2024-05-17T06:12:35Z" && times[20] == "2024-05-17T06:14:10Z")
      let drive = try folder.run("convert", "b.json", "--duration", "100", "-o", "b.drive.json")
      #expect(drive.status == 0)
      #expect(try folder.json("b.drive.json")["duration"] as? Double == 100)
      #expect(try folder.json("b.drive.json")["startTime"] == nil)
    }
  }

  @Test("A drive that is changed during a conversion keeps its duration and gets another identifier")
  func changed() throws {
    try withFixtures { (folder) throws in
      try folder.write(document(start: false), to: "a.drive.json")
      #expect(try folder.run("convert", "a.drive.json", "--reverse", "-o", "b.gpx").status == 0)
      #expect(try folder.run("convert", "b.gpx", "-o", "c.drive.json").status == 0)
      let drive = try folder.json("c.drive.json")
      #expect(drive["duration"] as? Double == 100.5 && drive["startTime"] == nil)
      #expect(drive["id"] as? String != Self.id)
    }
  }

  @Test(
    "A drive that is exported from a library without times per point keeps its duration", arguments: formats)
  func exported(format: String) throws {
    try withFixtures { (folder) throws in
      try folder.write(document(start: false), to: "a.drive.json")
      #expect(try folder.run("import", "a.drive.json", "--library", "a.gpkg").status == 0)
      let export = try folder.run(
        "library", "export", "--all", "--library", "a.gpkg", "--to", format, "-o", "b")
      #expect(!export.errors.contains("start time"), "\(export.errors)")
      #expect(try folder.run("convert", "b", "-o", "c.drive.json").status == 0)
      let drive = try folder.json("c.drive.json")
      #expect(drive["duration"] as? Double == 100.5)
      #expect(drive["startTime"] == nil)
    }
  }

  @Test(
    "A drive without a start time still has none after points were removed",
    arguments: formats, [["--privacy", "0,0,5"], ["--simplify", "1"]])
  func changed(format: String, change: [String]) throws {
    try withFixtures { (folder) throws in
      try folder.write(document(start: false), to: "a.drive.json")
      let conversion = ["convert", "a.drive.json", "--to", format, "-o", "b"] + change
      #expect(try GhostConvertProgram.run(conversion, in: folder.url).status == 0)
      #expect(try folder.run("convert", "b", "-o", "c.drive.json").status == 0)
      #expect(try folder.json("c.drive.json")["startTime"] == nil)
      #expect(!(try folder.run("info", "b").text.contains("1999-09-09")))
    }
  }

  @Test("--duration does not replace the duration of a drive", arguments: ["import", "convert", "ghost"])
  func otherDuration(command: String) throws {
    try withFixtures { (folder) throws in
      try folder.write(document(start: false), to: "a.drive.json")
      let end = command == "ghost" ? ["--at", "99", "--json"] : ["-o", "b.drive.json"]
      let outcome = try GhostConvertProgram.run(
        [command, "a.drive.json", "--duration", "400"] + end, in: folder.url)
      #expect(outcome.status == 0)
      #expect(
        outcome.errors.contains("a.drive.json: warning: ")
          && outcome.errors.contains("; the given duration is ignored"),
        "\(outcome.errors)")
      guard command != "ghost" else { return }
      #expect(try folder.json("b.drive.json")["duration"] as? Double == 100.5)
    }
  }
}
