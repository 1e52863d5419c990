import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Validates the writer's output with the schemas of GPX and Garmin's extensions. Requires `xmllint` and the
/// shared schemas next to the package; without them these tests are reported as skipped.
@Suite(
  "GPX writer: validity",
  .enabled(if: Schemas.canValidate, "xmllint or the shared schemas are missing"))
struct GPXSchemaTests {
  @Test("Random documents are valid GPX 1.1")
  func random() throws {
    let seed = SeededGenerator.printedSeed()
    let folder = try TemporaryFolder()
    for index in UInt64(0)..<25 {
      var random = RandomDocument(seed: seed &+ index, isWild: false)
      let bytes = try Conversion.gpx(random.document()).bytes
      try Data(bytes).write(to: URL(filePath: folder.file("\(seed &+ index).gpx")))
    }
    #expect(try Schemas.complaints(folder) == [])
  }

  @Test("Converted samples and fixtures are valid, even if the originals were not")
  func samples() throws {
    let folder = try TemporaryFolder()
    for sample in Sample.all {
      guard let bytes = try? Conversion.rewritten(sample.bytes) else { continue }
      try Data(bytes).write(to: URL(filePath: folder.file(sample.name.replacing(" ", with: "-") + ".gpx")))
    }
    for fixture in Fixture.all(of: "gpx") {
      let bytes = try Conversion.rewritten(fixture.bytes())
      try Data(bytes).write(to: URL(filePath: folder.file(fixture.sibling("out.gpx").lastPathComponent)))
    }
    #expect(try folder.names().count > 20)
    #expect(try Schemas.complaints(folder) == [])
  }

  @Test("The rest of a TrackPointExtension of either version remains valid")
  func leftOvers() throws {
    let folder = try TemporaryFolder()
    for version in 1...2 {
      let namespace = "http://www.garmin.com/xmlschemas/TrackPointExtension/v\(version)"
      for sensor in [
        "<g:hr>120</g:hr>", "", "</g:TrackPointExtension><power>5</power><g:TrackPointExtension>",
      ] {
        let text = """
          <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:g="\(namespace)"><trk><trkseg><trkpt lat="1" lon="2">
          <extensions><g:TrackPointExtension>\(sensor)<g:Extensions><x xmlns="urn:x"/></g:Extensions>
          </g:TrackPointExtension></extensions></trkpt></trkseg></trk></gpx>
          """.replacing("<g:TrackPointExtension></g:TrackPointExtension>", with: "")
        let output = try Conversion.rewritten(text)
        // Nothing is lost.
        #expect(Transcript(gpx: output).points.first?.contains("{urn:x}x") == true)
        try folder.write(output, to: "v\(version)-\(sensor.count).gpx")
      }
    }
    #expect(try Schemas.complaints(folder) == [])
  }

  @Test(
    "Converted real files that GPX can represent are valid",
    arguments: Fixture.files(in: Fixture.shared.appending(path: "corpus/gpx"), ending: ".gpx"))
  func corpus(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let bytes = try Conversion.rewritten(fixture.bytes())
    try Data(bytes).write(to: URL(filePath: folder.file("converted.gpx")))
    #expect(try Schemas.complaints(folder) == [])
  }
}
