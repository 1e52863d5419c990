import Foundation
import Testing

@testable import TestSupport

/// Local times in the hour that occurs twice because clocks are set back.
@Suite(.waiting) struct RepeatedHourTests {
  /// A drive from 2:55 in summer time to 2:04 in winter time, with a point per minute.
  private static let drive: String = {
    let rows = (0..<10).map { minute in
      let time = minute < 5 ? "00:5\(5 + minute)" : "01:0\(minute - 5)"
      return
        "<trkpt lat=\"\(46.5 + 0.01 * Double(minute))\" lon=\"7.5\"><time>2024-10-27T\(time):00Z</time></trkpt>"
    }
    return #"<gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
      + rows.joined() + "</trkseg></trk></gpx>"
  }()

  /// Runs the program in central Europe.
  private func run(_ words: String, in folder: TemporaryFolder) throws -> OtherProgram.Outcome {
    try folder.shell("TZ=CET-1CEST,M3.5.0,M10.5.0/3 $GHOST_CONVERT \(words)")
  }

  @Test("An earliest time is the first occurrence, and a latest time is the last")
  func bounds() throws {
    try withFixtures { folder throws in
      try folder.write(Self.drive, to: "a.gpx")
      #expect(try run("import a.gpx --library l.gpkg", in: folder).status == 0)
      let list = try run(
        "library list --library l.gpkg --since 2024-10-27T02:30 --until 2024-10-27T02:40 --json", in: folder)
      #expect(list.status == 0 && list.text.contains("2024-10-27T00:55:00"), "\(list.errors)")
      // Later than the start in summer time.
      let later = try run("library list --library l.gpkg --since 2024-10-27T02:56 --json", in: folder)
      #expect(!later.text.contains("2024-10-27T00:55:00"))
      // From 0:58 UTC to 1:59 UTC.
      #expect(
        try run("convert a.gpx --crop 2024-10-27T02:58..2024-10-27T02:59 -o b.gpx", in: folder).status == 0)
      let info = try jsonObject(try folder.run("info", "--json", "b.gpx").output)
      #expect(info["first_time"] as? String == "2024-10-27T00:58:00.000Z")
      #expect(info["trackpoints"] as? Int == 7)
    }
  }

  @Test(
    "The time of a ghost is the occurrence within the drive",
    arguments: [
      ("T02:57:00", 120.0), ("T02:03:00", 480), ("2024-10-27T02:57:00", 120), ("2024-10-27T02:03:00", 480),
    ])
  func ghost(time: String, seconds: Double) throws {
    try withFixtures { folder throws in
      try folder.write(Self.drive, to: "a.gpx")
      let outcome = try run("ghost a.gpx --at \(time) --json", in: folder)
      #expect(try jsonObject(outcome.output)["elapsed_s"] as? Double == seconds, "\(outcome.errors)")
    }
  }
}
