import Foundation
import Testing

@testable import TestSupport

@Suite(.waiting) struct GhostCommandTests {
  /// A ghost that drives north at 10 m/s for 200 s, with one point per second.
  static let ghost: String = {
    var text =
      #"<gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"# + "\n"
    for second in 0...200 {
      let latitude = String(format: "%.9f", 46.5 + 10 * Double(second) / 111_194.9)
      let time = String(format: "2024-04-30T06:%02d:%02dZ", second / 60, second % 60)
      text += "<trkpt lat=\"\(latitude)\" lon=\"7.5\"><time>\(time)</time></trkpt>\n"
    }
    return text + "</trkseg></trk></gpx>\n"
  }()

  /// The seconds of a driver at 12.5 m/s. At 12.5·t metres, the ghost was after 1.25·t seconds.
  static let seconds = 0...100
  static let sentences = seconds.map { NMEAText.fix($0, metres: 12.5 * Double($0)) }.joined()
  static let reports = seconds.map { NMEAText.report($0, metres: 12.5 * Double($0)) }.joined()

  private func withGhost<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    try withFixtures { folder throws in
      try folder.write(Self.ghost, to: "ghost.gpx")
      try folder.write(Self.sentences, to: "me.nmea")
      try folder.write(NMEAText.greeting + Self.sentences, to: "me.gpspipe-r")
      try folder.write(NMEAText.greeting + Self.reports, to: "me.gpspipe-w")
      return try body(folder)
    }
  }

  static let ways = [
    "$GHOST_CONVERT ghost ghost.gpx --follow me.nmea --json",
    "$GHOST_CONVERT ghost ghost.gpx --follow - --json < me.nmea",
    "cat me.nmea | $GHOST_CONVERT ghost ghost.gpx --follow - --json",
    // Arrives late and in pieces that end within sentences.
    "(sleep 1; head -c 5000 me.nmea; sleep 1; tail -c +5001 me.nmea) | $GHOST_CONVERT ghost ghost.gpx --follow - --json",
    "cat me.gpspipe-r | $GHOST_CONVERT ghost ghost.gpx --follow - --json",
    "cat me.gpspipe-w | $GHOST_CONVERT ghost ghost.gpx --follow - --json",
    "$GHOST_CONVERT ghost ghost.gpx --follow me.gpspipe-r --json",
  ]

  @Test("Every fix prints a line, from files, pipes and gpsd", arguments: ways)
  func follow(way: String) throws {
    try withGhost { folder throws in
      let outcome = try folder.shell(way)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors == "")
      let lines = try outcome.text.split(separator: "\n").map { try jsonObject(Data($0.utf8)) }
      #expect(lines.count == 101)
      for (second, line) in lines.enumerated() {
        #expect(line["state"] as? String == "onRoute")
        let gap = try #require(line["gap_s"] as? Double)
        #expect(abs(gap + 0.25 * Double(second)) < 0.1, "at \(second) s: \(gap)")
        // At t seconds the ghost is at 10·t metres and the driver at 12.5·t metres.
        let distance = try #require(line["distance_m"] as? Double)
        #expect(abs(distance + 2.5 * Double(second)) < 1, "at \(second) s: \(distance)")
      }
    }
  }

  @Test("A drive that is followed with its own fixes is level, also at a stop")
  func followsItself() throws {
    try withFixtures { folder throws in
      // 60 s at 10 m/s, 60 s at a light, and 60 s at 10 m/s.
      func metres(_ second: Int) -> Double { 10 * Double(second < 60 ? second : max(60, second - 60)) }
      try folder.write((0...180).map { NMEAText.fix($0, metres: metres($0)) }.joined(), to: "light.nmea")
      let outcome = try folder.run("ghost", "light.nmea", "--follow", "light.nmea")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let lines = outcome.text.split(separator: "\n")
      #expect(lines.count == 181)
      for line in lines { #expect(line.hasPrefix("level, 0 m, ")) }
    }
  }

  @Test("A line is printed as soon as its fix is complete, without waiting for the next one")
  func immediate() throws {
    try withGhost { folder throws in
      // Ten seconds of fixes, then none while the receiver stays connected.
      let outcome = try folder.shell(
        """
        (head -n 20 me.nmea; sleep 4) | $GHOST_CONVERT ghost ghost.gpx --follow - > lines & \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do sleep 0.2; \
        test "$(wc -l < lines)" -ge 10 && break; done; wc -l < lines; wait
        """)
      #expect(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines) == "10")
      let last = try folder.text("lines").split(separator: "\n").last
      // After 9 s the driver is at 112.5 m, 22.5 m ahead of the ghost, which arrives there 2.25 s later.
      #expect(last.map(String.init) == "+0:02 ahead, 23 m, on route" || last == "+0:02 ahead, 22 m, on route")
    }
  }

  @Test("A log without fixes is an error for --follow, as for record")
  func noFix() throws {
    try withGhost { folder throws in
      try folder.write("<gpx xmlns=\"http://www.topografix.com/GPX/1/1\"/>", to: "none.gpx")
      let followed = try folder.run("ghost", "ghost.gpx", "--follow", "none.gpx")
      #expect(followed.status == 65)
      #expect(
        followed.errors.hasPrefix("ghost-convert: none.gpx: no fix received; check"), "\(followed.errors)")
      #expect(try folder.run("record", "--input", "none.gpx", "-o", "a.gpx").status == 65)
    }
  }

  @Test("Skipped points of the ghost are reported with the messages of import")
  func leftOut() throws {
    try withGhost { folder throws in
      try folder.write(
        "time,latitude,longitude,accuracy\n2024-05-01T07:30:00Z,46.5,7.5,40\n2024-05-01T07:30:10Z,46.501,7.5,5\n"
          + "2024-05-01T07:30:05Z,46.502,7.5,5\n2024-05-01T07:30:20Z,46.502,7.5,5\n", to: "a.csv")
      let outcome = try folder.run("ghost", "a.csv", "--at", "5", "--json")
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("a.csv: warning: horizontal accuracy above 15 m, point skipped"))
      #expect(outcome.errors.contains("a.csv: warning: time out of order, point skipped"))
      // Halfway from the second point to the last.
      let place = try jsonObject(outcome.output)
      #expect(abs((place["lat"] as? Double ?? 0) - 46.5015) < 1e-9)
      let cut = Self.ghost.prefix(Self.ghost.count - 60)
      try folder.write(String(cut), to: "cut.gpx")
      let other = try folder.run("ghost", "cut.gpx", "--at", "5")
      #expect(other.status == 0)
      #expect(other.errors.contains("cut.gpx"), "\(other.errors)")
      #expect(other.errors.contains("the file ends"))
      #expect(try folder.run("ghost", "cut.gpx", "--at", "5", "--strict").status == 65)
    }
  }

  @Test("--play prints the ghost's position every second of the clock")
  func play() throws {
    try withGhost { folder throws in
      let outcome = try folder.run("ghost", "ghost.gpx", "--play", "--speed", "100x", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let moments = try outcome.text.split(separator: "\n").map {
        try jsonObject(Data($0.utf8))["elapsed_s"] as? Double
      }
      #expect(moments == [0, 100, 200])
      #expect(try folder.run("ghost", "ghost.gpx", "--at", "1", "--speed", "4x").status == 64)
      #expect(try folder.run("ghost", "ghost.gpx", "--play", "--at", "1").status == 64)
    }
  }

  @Test("A line without times becomes a ghost with --duration or --speed")
  func untimed() throws {
    try withGhost { folder throws in
      let text = Self.ghost.replacing(/<time>[^<]*<\/time>/, with: "")
      try folder.write(text, to: "line.gpx")
      let bare = try folder.run("ghost", "line.gpx", "--at", "10")
      #expect(bare.status == 65)
      #expect(bare.errors.contains("--duration") && bare.errors.contains("--speed"))
      // 2000 m on the sphere of the test data: a quarter of the way after a quarter of the time.
      for rule in [["--duration", "400"], ["--speed", "18km/h"]] {
        let outcome = try GhostConvertProgram.run(
          ["ghost", "line.gpx", "--at", "100", "--json"] + rule, in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let latitude = try #require(try jsonObject(outcome.output)["lat"] as? Double)
        // 18 km/h is 5 m/s, on an ellipsoid with 111,170 m per degree at this latitude.
        #expect(abs(latitude - 46.5 - 500 / 111_194.9) < 2e-6)
      }
      let timed = try folder.run("ghost", "ghost.gpx", "--at", "10", "--duration", "400")
      #expect(timed.errors.contains("the given duration is ignored"))
      #expect(
        try folder.run("ghost", "line.gpx", "--at", "1", "--duration", "9", "--speed", "9m/s").status == 64)
    }
  }

  @Test("If the receiver sets its clock back, the timing continues and one note reports it")
  func setBack() throws {
    try withGhost { folder throws in
      let fixes = (0...100).map { second in
        let clock = second < 50 ? second + 300 : second
        return NMEAText.fix(clock, metres: 12.5 * Double(second))
      }
      try folder.write(fixes.joined(), to: "back.nmea")
      let outcome = try folder.run("ghost", "ghost.gpx", "--follow", "back.nmea", "--json")
      #expect(outcome.status == 0)
      #expect(outcome.errors == "ghost-convert: the receiver has set its clock back by 5:00\n")
      let gaps = try outcome.text.split(separator: "\n").map {
        try #require(try jsonObject(Data($0.utf8))["gap_s"] as? Double)
      }
      #expect(gaps.count == 101)
      for (second, gap) in gaps.enumerated() {
        #expect(abs(gap + 0.25 * Double(second)) < 0.1, "at \(second) s: \(gap)")
      }
    }
  }

  @Test("Positions are written in the order of time, and printed in the given order")
  func unordered() throws {
    try withGhost { folder throws in
      for name in ["a.fit", "a.gpx", "a.geojson"] {
        let outcome = try folder.run("ghost", "ghost.gpx", "--at", "2:00", "--at", "1:00", "-o", name)
        #expect(outcome.status == 0, "\(outcome.errors)")
      }
      let info = try jsonObject(try folder.run("info", "--json", "a.fit").output)
      #expect(info["first_time"] as? String == "2024-04-30T06:01:00.000Z")
      #expect(info["last_time"] as? String == "2024-04-30T06:02:00.000Z")
      for name in ["a.gpx", "a.geojson"] {
        let text = try folder.text(name)
        let first = try #require(text.range(of: "06:01:00")), last = try #require(text.range(of: "06:02:00"))
        #expect(first.lowerBound < last.lowerBound)
      }
      #expect(try folder.run("ghost", "ghost.gpx", "--at", "2:00", "--at", "1:00").text.hasPrefix("2:00"))
    }
  }

  @Test("A time beyond a hundred years is a usage error", arguments: ["99999999999999999999", "1e300s"])
  func endless(time: String) throws {
    try withGhost { folder throws in
      #expect(try folder.run("ghost", "ghost.gpx", "--at", time).status == 64)
    }
  }

  @Test("The output's extension names the format of the positions")
  func output() throws {
    try withGhost { folder throws in
      #expect(try folder.run("ghost", "ghost.gpx", "--every", "50", "-o", "a.fit").status == 0)
      let info = try jsonObject(try folder.run("info", "--json", "a.fit").output)
      // At 0, 50, 100, 150 and 200 s.
      #expect(info["trackpoints"] as? Int == 5)
      #expect(info["last_time"] as? String == "2024-04-30T06:03:20.000Z")
      #expect(try folder.run("ghost", "ghost.gpx", "--every", "50", "-o", "a.xyz").status == 64)
      #expect(try folder.run("ghost", "ghost.gpx", "--every", "50", "-o", "a.xyz", "--to", "csv").status == 0)
      #expect(try folder.run("ghost", "ghost.gpx", "--follow", "me.nmea", "-o", "a.gpx").status == 64)
      let wrong = try folder.run("ghost", "ghost.gpx", "--at", "abc")
      #expect(wrong.status == 64)
      #expect(wrong.errors.contains("12:30") && wrong.errors.contains("2024-05-01T07:30:00Z"))
    }
  }

  @Test(
    "The positions of a drive without a start time keep its duration",
    arguments: ["gpx", "kml", "fit", "tcx"])
  func startless(format: String) throws {
    try withFixtures { folder throws in
      let road = DrivenRoad().driving(toEast: 1500, seconds: 120)
      try folder.write(road.document(), to: "d.drive.json")
      #expect(try folder.run("ghost", "d.drive.json", "--every", "50s", "-o", "g.\(format)").status == 0)
      let info = try jsonObject(try folder.run("info", "--json", "g.\(format)").output)
      #expect(info["duration_s"] as? Double == 120)
      #expect(info["first_time"] is NSNull)
      #expect(try folder.run("import", "g.\(format)", "-o", "again.drive.json").status == 0)
      #expect(try folder.json("again.drive.json")["startTime"] == nil)
    }
  }
}
