import Foundation
import GhostExport
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import TestSupport

struct KMLExportTests {
  static let documents: [(name: String, make: @Sendable () throws -> ComparisonDocument)] = [
    ("a race", { try Race.document() }),
    ("ten drives", { try LongDrive.document(points: 300, drives: 10) }),
    (
      "nothing shared",
      {
        var document = try Race.document()
        document.comparison.pairs = [PairComparison(first: 0, second: 1, relation: .nothingShared)]
        document.comparison.winner = nil
        return document
      }
    ),
    (
      "across the antimeridian, interrupted",
      {
        var document = try Race.document()
        let coordinates = [178.0, 179, -179, -178].map { Coordinate(latitude: 0, longitude: $0) }
        document.traces[0] = try TimedDrive(
          label: "a", coordinates: coordinates, elapsed: [0, 10, 20, 30], segmentStarts: [0, 2])
        document.comparison.drives[0].endIndex = 3
        return document
      }
    ),
  ]

  @Test(
    "A KML file is valid against the schemas", .enabled(if: OtherProgram.schemas.isInstalled),
    arguments: documents.indices)
  func isValid(index: Int) throws {
    let folder = try TemporaryFolder()
    let document = try Self.documents[index].make()
    let file = try folder.write(
      try ComparisonOutput.kml.bytes(document, options: ExportOptions(tour: true)), to: "race.kml")
    let verdict = try OtherProgram.schemas.printed([file])
    #expect(verdict == "\(file): valid\n", "\(Self.documents[index].name)")
  }

  @Test("The folders have a fixed order")
  func folders() throws {
    let text = try ComparisonOutput.kml.text(try Race.document())
    let places = ["Drives", "Gap", "Detours", "Anchors", "Stops"].map {
      text.firstRange(of: "<Folder><name>\($0)</name>")?.lowerBound
    }
    #expect(places.compactMap(\.self).count == 5)
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
  }

  @Test("Each gx:Track has all times before all positions, and the same number of both")
  func tracks() throws {
    let text = try ComparisonOutput.kml.text(try Race.document())
    let tracks = text.split(separator: "<gx:Track>").dropFirst().compactMap {
      $0.split(separator: "</gx:Track>").first
    }
    #expect(tracks.count == 2)
    for (track, count) in zip(tracks, [22, 21]) {
      #expect(track.split(separator: "<when>").count - 1 == count)
      #expect(track.split(separator: "<gx:coord>").count - 1 == count)
      let lastTime = try #require(track.ranges(of: "<when>").last)
      let firstPlace = try #require(track.firstRange(of: "<gx:coord>"))
      #expect(lastTime.upperBound < firstPlace.lowerBound)
      // Both drives leave the start at noon, so that they race.
      #expect(track.hasPrefix("\n<when>2000-01-01T12:00:00Z</when>"))
    }
    #expect(tracks[0].contains("<gx:coord>8.005 50 0</gx:coord>"))
  }

  @Test("In the initial view, the time slider spans the whole race")
  func view() throws {
    let text = try ComparisonOutput.kml.text(try Race.document())
    let view = try #require(text.firstRange(of: "<LookAt>"))
    let folder = try #require(text.firstRange(of: "<Folder>"))
    #expect(view.lowerBound < folder.lowerBound)
    #expect(
      text[view.lowerBound...].hasPrefix(
        "<LookAt><gx:TimeSpan><begin>2000-01-01T12:00:00Z</begin><end>2000-01-01T12:03:40Z</end></gx:TimeSpan>"
          + "<longitude>8.01</longitude><latitude>50.002</latitude>"))
  }

  @Test("The project's reader reads the lines, the tracks with their times, and the names")
  func reading() throws {
    let document = try Reading.kml(try ComparisonOutput.kml.bytes(try Race.document()))
    #expect(document.tracks.contains { $0.info.name == Race.labels[0] })
    let timed = document.tracks.filter { $0.segments.first?.points.time(at: 0) != nil }
    #expect(timed.map { $0.segments.map(\.points.count) } == [[22], [21]])
    #expect(timed[1].segments[0].points.time(at: 20)?.description == "2000-01-01T12:03:30Z")
    // A line and a track per drive, the trimmed part of one drive, five parts of the gap and two sides of
    // the detour.
    #expect(document.tracks.count == 2 + 2 + 1 + 5 + 2)
    #expect(document.waypoints.map(\.coordinate.longitude) == [8, 8.005, 8.01, 8.02, 8.015])
  }

  @Test("Balloons are tables, and names in them are escaped")
  func balloons() throws {
    let text = try ComparisonOutput.kml.text(try Race.document())
    #expect(
      text.contains("&lt;th align=\"right\"&gt;Tuesday &amp;lt;&amp;amp;&amp;gt;&amp;quot; 🚗&lt;/th&gt;"))
    var document = try Race.document()
    document.comparison.drives[1].label = "$[name] ]]>"
    let other = try ComparisonOutput.kml.text(document)
    // Only the style of balloons uses variables.
    #expect(!other.contains("&gt;$[name] "))
    // Google Earth would insert the name between the tags unescaped.
    document.comparison.drives[1].label = "<img src=x onerror=alert(1)>"
    let markup = try ComparisonOutput.kml.text(document)
    let heading = "&lt;h3&gt;&amp;lt;img src=x onerror=alert(1)&amp;gt;&lt;/h3&gt;$[description]"
    #expect(markup.contains("<Style><BalloonStyle><text>\(heading)</text></BalloonStyle></Style>"))
    #expect(!other.contains("]]>"))
  }

  @Test("Of several overlapping pairs, only the first is visible")
  func visibility() throws {
    let text = try ComparisonOutput.kml.text(try LongDrive.document(points: 300, drives: 3))
    let gap = try #require(text.firstRange(of: "<Folder><name>Gap</name>"))
    let detours = try #require(text.firstRange(of: "<Folder><name>Detours</name>"))
    let pairs = text[gap.upperBound..<detours.lowerBound].split(separator: "<Folder>").dropFirst()
    #expect(pairs.map { $0.contains("<visibility>0</visibility>") } == [false, true])
  }

  @Test("The selected colours are also used for the drives")
  func colors() throws {
    let text = try ComparisonOutput.kml.text(try Race.document(colors: [ExportColor(0x123456)]))
    #expect(text.contains("<color>ff563412</color>"))
    #expect(!text.contains("b27200"))
  }

  @Test(
    "Drives without a selected colour have another one",
    arguments: [
      ([0x123456], [0x123456, 0xD55E00, 0x009E73]), ([0xD55E00], [0xD55E00, 0x009E73, 0xCC79A7]),
      ([0x009E73, 0x0072B2], [0x009E73, 0x0072B2, 0xCC79A7]),
    ])
  func fewColors(selected: [UInt32], expected: [UInt32]) throws {
    let document = try LongDrive.document(points: 300, drives: 3)
    let colored = ComparisonDocument(
      document.comparison, traces: document.traces, colors: selected.map { ExportColor($0) })
    #expect(colored.colors == expected.map { ExportColor($0) })
  }

  @Test("A tour follows the leader, and is written only if requested")
  func tour() throws {
    let document = try Race.document()
    #expect(!(try ComparisonOutput.kml.text(document).contains("gx:Tour")))
    let text = try ComparisonOutput.kml.text(document, ExportOptions(tour: true))
    let views = text.split(separator: "<gx:FlyTo>").dropFirst()
    // One view per second of a tour of one minute, so every 220 / 60 s of the race.
    #expect(views.count == 61)
    #expect(views.first?.contains("<longitude>8</longitude>") == true)
    // After 110 s, the middle of the race, Tuesday leads at step 11.
    let middle = views[views.startIndex + 30]
    #expect(middle.contains("<end>2000-01-01T12:01:50Z</end>"))
    #expect(middle.contains("<longitude>8.011</longitude><latitude>50</latitude>"))
  }

  @Test("GDAL finds the layers", .enabled(if: OtherProgram.ogrinfo.isInstalled))
  func gdal() throws {
    let folder = try TemporaryFolder()
    let bytes = try ComparisonOutput.kmz.bytes(try Race.document())
    let counts = GDAL.counts(
      try OtherProgram.ogrinfo.printed(["-ro", "-al", "-so", try folder.write(bytes, to: "race.kmz")]))
    #expect(counts["Gap"] == 5)
    #expect(counts["Detours"] == 2)
    #expect(counts["Anchors"] == 4)
    #expect(counts["Stops"] == 1)
    #expect(counts[Race.labels[0]] == 2)
    #expect(counts["Thursday"] == 3)
  }

  @Test("GPSBabel reads the same points and times", .enabled(if: OtherProgram.gpsbabel.isInstalled))
  func gpsbabel() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(try ComparisonOutput.kml.bytes(try Race.document()), to: "race.kml")
    let points = try GPSBabel.rows(file, format: "kml", points: .trackpoints)
    let timed = points.filter { $0.hasSuffix(":00") || $0.contains("2000/01/01") }
    #expect(timed.count == 22 + 21)
    #expect(timed.filter { $0 == "50.000000 8.000000 2000/01/01 12:00:00" }.count == 2)
    #expect(timed.contains("50.000000 8.020000 2000/01/01 12:03:30"))
    #expect(timed.contains("50.000000 8.020000 2000/01/01 12:03:40"))
  }
}
