import Foundation
import Testing

@testable import TestSupport

@Suite(.waiting) struct CompareCommandTests {
  /// Waits 20 s, drives 6 km east at 10 m/s with a stop of 60 s after 3 km, and waits 15 s.
  private static let tuesday = DrivenRoad().standing(20).driving(toEast: 3000, seconds: 300).standing(60)
    .driving(toEast: 6000, seconds: 300).standing(15)
  /// The same road at 12.5 m/s, with a detour to the north from 2 km to 4 km (2.8 km in 224 s).
  private static let thursday = DrivenRoad().driving(toEast: 2000, seconds: 160)
    .driving(toEast: 2000, north: 400, seconds: 32).driving(toEast: 4000, north: 400, seconds: 160)
    .driving(toEast: 4000, seconds: 32).driving(toEast: 6000, seconds: 160)
  /// The same road as `tuesday` at 8 m/s without a stop, in 750 s.
  private static let friday = DrivenRoad().driving(toEast: 6000, seconds: 750)

  private func inFolder<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    try withFixtures { (folder) throws in
      try folder.write(Self.tuesday.gpx(), to: "tuesday.gpx")
      try folder.write(Self.thursday.gpx(), to: "thursday.gpx")
      try folder.write(Self.friday.gpx(), to: "friday.gpx")
      return try body(folder)
    }
  }

  private func number(_ value: Any?) throws -> Double { try #require(value as? Double) }

  private func rows(_ object: [String: Any], _ key: String) throws -> [[String: Any]] {
    try #require(object[key] as? [[String: Any]])
  }

  // The drives jump to 10 m/s, which no car does, so their start is found a little early; the place of a
  // divergence is accurate to some metres. Both errors are below four seconds.
  private func isNear(_ value: Any?, _ expected: Double, _ tolerance: Double = 4) throws -> Bool {
    abs(try number(value) - expected) <= tolerance
  }

  @Test("Two recordings of a commute: the result names the faster drive and where it gained time")
  func commute() throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "--json")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      #expect(outcome.text.split(separator: "\n").count == 1)
      let result = try jsonObject(outcome.output)
      // 200 + 260 + 200 s on Tuesday, 160 + 224 + 160 s on Thursday.
      #expect(result["winner"] as? String == "thursday")
      #expect(try isNear(result["margin_s"], 116))
      #expect(result["timing"] as? String == "timestamps" && result["engine"] as? String == "matched")
      #expect(result["fallback"] as? Bool == false)
      let drives = try rows(result, "drives")
      #expect(drives.map { $0["label"] as? String } == ["tuesday", "thursday"])
      #expect(drives.map { $0["source"] as? String } == ["tuesday.gpx", "thursday.gpx"])
      #expect(drives.map { $0["points"] as? Int } == [696, 545])
      let motion = try drives.map { try #require($0["motion"] as? [String: Double]) }
      #expect(try isNear(motion[0]["start_s"], 20) && isNear(motion[0]["end_s"], 680))
      #expect(try isNear(motion[1]["start_s"], 0) && isNear(motion[1]["end_s"], 544))
      #expect(try isNear(drives[0]["waiting_s"], 60, 6) && isNear(drives[1]["waiting_s"], 0, 0))
      let events = try rows(result, "events")
      #expect(events.map { $0["kind"] as? String } == ["divergence", "convergence"])
      for (event, expected) in zip(events, [(2000.0, 220.0, 160.0), (4000, 480, 384)]) {
        #expect(event["pair"] as? [Int] == [0, 1])
        let elapsed = try #require(event["elapsed_s"] as? [Double])
        #expect(try isNear(elapsed[0], expected.1) && isNear(elapsed[1], expected.2))
        // One degree along the equator is 111,319.49 m.
        #expect(try isNear(number(event["lon"]) * 111_319.49, expected.0, 25))
      }
      let legs = try rows(result, "legs")
      #expect(legs.map { $0["kind"] as? String } == ["shared", "detour", "shared"])
      for (leg, gap) in zip(legs, [-40.0, -36, -40]) { #expect(try isNear(leg["gap_change_s"], gap)) }
      let profile = try rows(result, "profile")
      #expect(profile.count > 100)
      #expect(try isNear(try #require(profile.last)["gap_s"], -116))
    }
  }

  @Test("The text has a headline, the share of the detour and a table of legs")
  func words() throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run("compare", "tuesday.gpx", "thursday.gpx")
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
      let headline = try #require(
        lines[0].wholeMatch(
          of: /Thursday was faster by 1:5(\d) over 6\.8 km, including 4\.0 km of shared road\./))
      #expect((3...9).contains(Int(headline.1) ?? 0))
      // Thursday gains 40 s before and 40 s after the detour, and 36 s on it.
      let split = try #require(
        lines[1].wholeMatch(
          of: /On the shared road thursday was faster by 1:(\d\d); thursday gained 0:(\d\d) on the detour\./))
      #expect((16...24).contains(Int(split.1) ?? 0) && (32...40).contains(Int(split.2) ?? 0))
      #expect(lines.contains { $0.hasPrefix("  leg ") && $0.hasSuffix("won by") })
      #expect(lines.contains { $0.hasPrefix("  2 detour ") && $0.contains(" km / 2.80 km ") })
      #expect(lines.allSatisfy { $0.count <= 110 && $0.last != " " })
    }
  }

  @Test("The gap is drawn with the characters of the locale, within the width of the terminal")
  func sparkline() throws {
    try inFolder { (folder) throws in
      for (locale, isPlain) in [("C", true), ("C.UTF-8", false)] {
        let line = "COLUMNS=70 LC_ALL=\(locale) \"$GHOST_CONVERT\" compare tuesday.gpx friday.gpx"
        let lines = try GhostConvertProgram.shell(line, in: folder.url).text.split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains("(up: tuesday, down: friday)") })
        // Tuesday leads by 75 s at its stop, by 15 s when it leaves the stop, and by 90 s at the end.
        #expect(lines[start + 1].hasPrefix("  tuesday  ") && lines[start + 1].hasSuffix(" ahead"))
        #expect(lines[start + 1].count <= 70 && lines[start + 2].count <= 70)
        #expect(lines[start + 1].contains(isPlain ? "###" : "▇"))
        let bars = lines[start + 1] + lines[start + 2]
        #expect(bars.allSatisfy(\.isASCII) == isPlain)
      }
    }
  }

  @Test(
    "A mode compares the drives starting at its anchor",
    arguments: [
      // From the divergence: 460 s and 384 s. From the convergence: 200 s and 160 s.
      ("first-divergence", 76.0), ("lastDivergence", 76), ("first-convergence", 40), ("last-convergence", 40),
      ("end-location", 116),
    ])
  func modes(mode: String, margin: Double) throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "--json", "--mode", mode)
      let result = try jsonObject(outcome.output)
      let name = mode == "lastDivergence" ? "last-divergence" : mode
      #expect(result["requested_mode"] as? String == name && result["mode"] as? String == name)
      #expect(try isNear(result["margin_s"], margin))
    }
  }

  @Test("A mode without its event falls back to the start and reports this")
  func fallback() throws {
    try inFolder { (folder) throws in
      let arguments = ["compare", "tuesday.gpx", "friday.gpx", "--mode", "last-convergence"]
      let result = try jsonObject(
        try GhostConvertProgram.run(arguments + ["--json"], in: folder.url).output)
      #expect(result["requested_mode"] as? String == "last-convergence")
      #expect(result["mode"] as? String == "start-location" && result["fallback"] as? Bool == true)
      let text = try GhostConvertProgram.run(arguments, in: folder.url).text
      #expect(text.contains("the last convergence, but there is none"))
    }
  }

  @Test("--list-modes prints the available modes, one per line")
  func listModes() throws {
    try inFolder { (folder) throws in
      let all = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "--list-modes").text
      #expect(
        all.split(separator: "\n") == [
          "start-location", "end-location", "first-divergence", "last-divergence", "first-convergence",
          "last-convergence",
        ])
      // The drives share no road, so only start and end are anchors.
      try folder.write(
        DrivenRoad(north: 50_000).driving(toEast: 6000, north: 50_000, seconds: 600).gpx(), to: "far.gpx")
      #expect(
        try folder.run("compare", "tuesday.gpx", "far.gpx", "--list-modes").text
          == "start-location\nend-location\n")
      let few = try folder.run("compare", "tuesday.gpx", "friday.gpx", "--list-modes", "--json")
      #expect(try jsonObject(few.output)["modes"] as? [String] == ["start-location", "end-location"])
    }
  }

  @Test("Drive documents are compared with evenly spaced times, which is reported")
  func documents() throws {
    try inFolder { (folder) throws in
      try folder.write(Self.friday.document(), to: "friday.drive.json")
      #expect(try folder.run("import", "tuesday.gpx").status == 0)
      let outcome = try folder.run("compare", "tuesday.drive.json", "friday.drive.json", "--json")
      let result = try jsonObject(outcome.output)
      #expect(result["timing"] as? String == "even")
      // 660 s and 750 s.
      #expect(result["winner"] as? String == "tuesday")
      #expect(try isNear(result["margin_s"], 90))
      let mixed = try folder.run("compare", "tuesday.gpx", "friday.drive.json")
      #expect(mixed.text.contains("Friday has no times per point"))
    }
  }

  @Test("Coordinates without a duration need --duration or --speed")
  func coordinatesAlone() throws {
    try inFolder { (folder) throws in
      #expect(try folder.run("import", "friday.gpx", "--blob", "-o", "friday.json").status == 0)
      let refused = try folder.run("compare", "tuesday.gpx", "friday.json")
      #expect(refused.status == 65)
      #expect(refused.errors.contains("no duration; add --duration 24:30 or --speed 50km/h"))
      for option in [["--duration", "12:30"], ["--speed", "8m/s"]] {
        let outcome = try GhostConvertProgram.run(
          ["compare", "tuesday.gpx", "friday.json", "--json"] + option, in: folder.url)
        #expect(try isNear(jsonObject(outcome.output)["margin_s"], 90))
      }
    }
  }

  @Test("The app's engine gives the results of the app")
  func appEngine() throws {
    try withFixtures { (folder) throws in
      // Waits 20 s, then drives 400 m east at 10 m/s.
      let first = DrivenRoad().standing(20).driving(toEast: 400, seconds: 40)
      // Turns north after 200 m; has 41 points, 2 s apart.
      let second = DrivenRoad().driving(toEast: 200, seconds: 20).driving(
        toEast: 200, north: 200, seconds: 20)
      try folder.write(first.document(), to: "a.drive.json")
      try folder.write(second.document(duration: 80), to: "b.drive.json")
      let arguments = ["compare", "a.drive.json", "b.drive.json", "--engine", "app"]
      let outcome = try GhostConvertProgram.run(
        arguments + ["--json", "--mode", "first-divergence"], in: folder.url)
      let result = try jsonObject(outcome.output)
      let drives = try rows(result, "drives")
      #expect(drives.map { $0["start_index"] as? Int } == [20, 0])
      #expect(drives.map { $0["end_index"] as? Int } == [60, 40])
      // The engine samples every fifth point: at point 25 the drives are 71 m apart. The first drive
      // reaches it after 25 s, the second after 50 s.
      #expect(drives.map { $0["time_offset_s"] as? Double } == [0, -25])
      #expect(result["winner"] as? String == "a" && result["margin_s"] as? Double == 25)
      #expect(result["engine"] as? String == "app" && result["timing"] as? String == "even")
      let events = try rows(result, "events")
      let positions = events.map { $0["position"] as? [Double] }
      #expect(positions == [[45, 25], [50, 30], [55, 35]])
      let modes = try GhostConvertProgram.run(arguments + ["--list-modes"], in: folder.url).text
        .split(separator: "\n")
      #expect(modes == ["start-location", "end-location", "first-divergence", "last-divergence"])
      let untrimmed = try GhostConvertProgram.run(
        arguments + ["--json", "--no-trim-start"], in: folder.url)
      #expect(
        try rows(jsonObject(untrimmed.output), "drives").map { $0["start_index"] as? Int } == [0, 0])
    }
  }

  @Test("The threshold, radius, angle and stride of the app's engine are options")
  func appEngineOptions() throws {
    try withFixtures { (folder) throws in
      // 2 m/s for 20 s, below the threshold of 5 mph (2.235 m/s), then 10 m/s.
      let slow = DrivenRoad().driving(toEast: 40, seconds: 20).driving(toEast: 440, seconds: 40)
      // The same road, but 50 m further north in its second half, reached at an angle of 45°.
      let beside = DrivenRoad().driving(toEast: 40, seconds: 20).driving(toEast: 240, seconds: 20)
        .driving(toEast: 290, north: 50, seconds: 5).driving(toEast: 440, north: 50, seconds: 15)
      try folder.write(slow.document(), to: "a.drive.json")
      try folder.write(beside.document(), to: "b.drive.json")
      func result(_ options: String...) throws -> [String: Any] {
        let outcome = try GhostConvertProgram.run(
          ["compare", "a.drive.json", "b.drive.json", "--engine", "app", "--json"] + options, in: folder.url)
        return try jsonObject(outcome.output)
      }
      func starts(_ options: String...) throws -> [Int?] {
        let outcome = try GhostConvertProgram.run(
          ["compare", "a.drive.json", "b.drive.json", "--engine", "app", "--json"] + options, in: folder.url)
        return try rows(jsonObject(outcome.output), "drives").map { $0["start_index"] as? Int }
      }
      #expect(try starts() == [20, 20])
      #expect(try starts("--idle-speed", "5 mph") == [20, 20])
      #expect(try starts("--idle-speed", "1,9m/s") == [0, 0])
      #expect(try starts("--idle-speed", "7 km/h") == [0, 0])
      #expect(try starts("--idle-speed", "5kn") == [20, 20])
      // The drives are more than 30 m apart with headings 45° apart only between the points 43 and 45, so
      // the event is found only with a stride of 1.
      #expect(try rows(result(), "events").isEmpty)
      #expect(try rows(result("--stride", "1"), "events").count == 1)
      #expect(try rows(result("--stride", "1", "--angle", "50"), "events").isEmpty)
      #expect(try rows(result("--stride", "1", "--radius", "100ft"), "events").count == 1)
      #expect(try rows(result("--stride", "1", "--radius", "60m"), "events").isEmpty)
      #expect(try rows(result("--stride", "1", "--radius", "5"), "events").count == 4)
    }
  }

  @Test(
    "A drive without a duration is named and does not win, and the command succeeds",
    arguments: ["app", "matched"])
  func withoutTime(engine: String) throws {
    try withFixtures { (folder) throws in
      try folder.write(DrivenRoad().driving(toEast: 400, seconds: 40).document(), to: "a.drive.json")
      try folder.write(DrivenRoad().document(), to: "point.drive.json")
      try folder.write(
        DrivenRoad().driving(toEast: 400, seconds: 40).document(duration: 0), to: "instant.drive.json")
      try folder.write(DrivenRoad().standing(40).document(), to: "parked.drive.json")
      // 11 points 40 m apart, all with the same time.
      let moment = DrivenRoad().driving(toEast: 400, seconds: 10).gpx().replacing(
        /<time>[^<]*/, with: "<time>2024-05-17T06:00:00Z")
      try folder.write(moment, to: "moment.drive.json")
      for (name, words) in [
        ("point", "Point has a single point"), ("instant", "Instant has no duration"),
        ("parked", "Parked does not move"), ("moment", "Moment has no duration"),
      ] where engine == "app" || name != "point" {
        let outcome = try folder.run("compare", "a.drive.json", "\(name).drive.json", "--engine", engine)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("\(words), so there is no time to compare."))
        #expect(!outcome.text.contains("faster"))
        // A drive keeps its distance without a duration.
        if name == "instant" || name == "moment" {
          #expect(outcome.text.contains(/(instant|moment) +0:00 +400 m/), "\(outcome.text)")
        }
        let outputs = ["a.html", "a.kml", "a.kmz", "a.gpx", "a.geojson", "a.csv", "a.svg", "map.svg"]
        let shown = try GhostConvertProgram.run(
          ["compare", "a.drive.json", "\(name).drive.json", "--engine", engine]
            + outputs.flatMap { ["-o", $0] },
          in: folder.url)
        #expect(shown.status == 0, "\(shown.errors)")
      }
    }
  }

  @Test("Two stationary drives are named in one sentence, and a single point is a stationary drive")
  func neitherMoves() throws {
    try withFixtures { (folder) throws in
      for name in ["here", "there"] {
        try folder.write(DrivenRoad().standing(40).document(), to: "\(name).drive.json")
      }
      let outcome = try folder.run("compare", "here.drive.json", "there.drive.json")
      #expect(outcome.text.contains("Neither here nor there moves, so there is no time to compare."))
      try folder.write(DrivenRoad().document(), to: "point.drive.json")
      let point = try folder.run("compare", "here.drive.json", "point.drive.json")
      #expect(point.status == 0)
      #expect(point.text.contains("point has a single point"), "\(point.text)")
      let json = try folder.run("compare", "here.drive.json", "point.drive.json", "--json")
      let compared = try rows(jsonObject(json.output), "drives")[1]
      let keys = ["points", "start_index", "end_index"]
      #expect(keys.map { compared[$0] as? Int } == [1, 0, 0], "\(compared)")
    }
  }

  @Test("The options set which ends are trimmed")
  func trimming() throws {
    try inFolder { (folder) throws in
      func drive(_ options: [String]) throws -> [String: Any] {
        let outcome = try GhostConvertProgram.run(
          ["compare", "tuesday.gpx", "friday.gpx", "--json"] + options, in: folder.url)
        return try rows(jsonObject(outcome.output), "drives")[0]
      }
      #expect(try isNear(drive([])["start_index"], 20) && isNear(drive([])["end_index"], 695, 0))
      #expect(try drive(["--no-trim-start"])["start_index"] as? Int == 0)
      #expect(try isNear(drive(["--trim-end"])["end_index"], 680))
    }
  }

  @Test("Three drives are each compared with the first")
  func three() throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "friday.gpx", "--json")
      let result = try jsonObject(outcome.output)
      #expect(try rows(result, "pairs").map { $0["pair"] as? [Int] } == [[0, 1], [0, 2]])
      #expect(result["winner"] as? String == "thursday")
      let profile = try rows(result, "profile")
      #expect(profile.allSatisfy { ($0["elapsed_s"] as? [Any])?.count == 3 })
      let text = try folder.run("compare", "tuesday.gpx", "thursday.gpx", "friday.gpx").text
      #expect(text.hasPrefix("Thursday was the fastest of 3 by "))
    }
  }

  @Test("Opposite directions and different roads are reported, without a winner")
  func nothingShared() throws {
    try inFolder { (folder) throws in
      try folder.write(Self.friday.reversed.gpx(), to: "back.gpx")
      try folder.write(
        DrivenRoad(north: 50_000).driving(toEast: 6000, north: 50_000, seconds: 600).gpx(), to: "far.gpx")
      let back = try folder.run("compare", "friday.gpx", "back.gpx", "--json")
      #expect(try rows(jsonObject(back.output), "pairs")[0]["relation"] as? String == "reversed")
      #expect(try folder.run("compare", "friday.gpx", "back.gpx").text.contains("opposite directions"))
      let far = try jsonObject(try folder.run("compare", "friday.gpx", "far.gpx", "--json").output)
      #expect(try rows(far, "pairs")[0]["relation"] as? String == "nothing-shared")
      #expect(far["winner"] is NSNull && far["margin_s"] is NSNull)
      #expect(try rows(far, "profile").isEmpty && rows(far, "events").isEmpty)
      #expect(
        try folder.run("compare", "friday.gpx", "far.gpx").text.contains(
          "Friday and far never drove the same road"))
    }
  }

  @Test("A drive compared with itself is a tie, and has two labels")
  func tie() throws {
    try inFolder { (folder) throws in
      let outcome = try folder.run("compare", "friday.gpx", "friday.gpx", "--json")
      let result = try jsonObject(outcome.output)
      #expect(result["winner"] is NSNull && result["margin_s"] is NSNull)
      #expect(try rows(result, "drives").map { $0["label"] as? String } == ["friday", "friday (2)"])
      let named = try folder.run(
        "compare", "friday.gpx", "friday.gpx", "--json", "--label", "x", "--label", "y")
      #expect(try rows(jsonObject(named.output), "drives").map { $0["label"] as? String } == ["x", "y"])
    }
  }

  @Test("Of several tracks the longest is compared, which is reported unless --track is given")
  func tracks() throws {
    try inFolder { (folder) throws in
      try folder.write(
        DrivenRoad.gpx([
          DrivenRoad().driving(toEast: 500, seconds: 50).track(name: "Short"),
          Self.friday.track(name: "Long"),
          Self.tuesday.track(name: "Last"),
        ]), to: "week.gpx")
      let longest = try folder.run("compare", "week.gpx", "tuesday.gpx", "--json")
      #expect(
        longest.errors
          == "ghost-convert: week.gpx contains 3 tracks; using the longest, track 2, Long; "
          + "select another with --track\n")
      #expect(try rows(jsonObject(longest.output), "drives")[0]["points"] as? Int == 751)
      let two = try folder.run("compare", "week.gpx", "week.gpx", "--track", "3", "--track", "2", "--json")
      #expect(two.errors.isEmpty)
      let drives = try rows(jsonObject(two.output), "drives")
      #expect(drives.map { $0["points"] as? Int } == [696, 751])
      #expect(drives.map { $0["label"] as? String } == ["week Last", "week Long"])
      for command in [
        ["compare", "friday.gpx", "week.gpx"], ["laps", "week.gpx"], ["ghost", "week.gpx", "--at", "1"],
      ] {
        let missing = try GhostConvertProgram.run(command + ["--track", "4"], in: folder.url)
        #expect(missing.status == 65)
        #expect(
          missing.errors.hasSuffix("ghost-convert: week.gpx: contains 3 tracks; track 4 was requested\n"),
          "\(missing.errors)")
      }
    }
  }

  @Test("Standard input can be an input, in any format")
  func standardInput() throws {
    try inFolder { (folder) throws in
      let kml = try folder.run("convert", "friday.gpx", "--to", "kml", "-o", "-").output
      let outcome = try folder.run("compare", "tuesday.gpx", "-", "--json", input: kml)
      #expect(outcome.status == 0)
      let drives = try rows(jsonObject(outcome.output), "drives")
      #expect(drives.map { $0["label"] as? String } == ["tuesday", "stdin"])
      #expect(try isNear(jsonObject(outcome.output)["margin_s"], 90))
    }
  }

  @Test("Every invalid input is named, and nothing is compared")
  func badInputs() throws {
    try inFolder { (folder) throws in
      try folder.write("<gpx>", to: "cut.gpx")
      try folder.write(Self.friday.gpx(isTimed: false), to: "line.gpx")
      try folder.write(Self.friday.gpx(isTimed: false), to: "untimed.gpx")
      let outcome = try folder.run("compare", "missing.gpx", "cut.gpx", "friday.gpx")
      #expect(outcome.status == 66 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("missing.gpx: no such file") && outcome.errors.contains("cut.gpx"))
      let others = try folder.run("compare", "friday.gpx", "line.gpx", "untimed.gpx")
      #expect(others.status == 65 && others.output.isEmpty)
      #expect(others.errors.contains("line.gpx: no times"))
      #expect(others.errors.contains("untimed.gpx: no times; add --duration 24:30 or --speed 50km/h"))
      let timed = try folder.run("compare", "friday.gpx", "untimed.gpx", "--duration", "11:40", "--json")
      // The drive with recorded times keeps them, without a message.
      #expect(timed.errors.isEmpty)
      // 750 s and 700 s.
      #expect(try isNear(jsonObject(timed.output)["margin_s"], 50))
    }
  }

  @Test(
    "Options that cannot be used together are usage errors",
    arguments: [
      (["a.gpx"], "at least 2 needed"), (["-", "-"], "standard input is given twice"),
      (["a", "b", "--mode", "middle"], "expected one of start-location"),
      (["a", "b", "--engine", "best"], "expected matched or app"),
      (["a", "b", "--label", "x", "--label", "x"], "two drives have the same label"),
      (["a", "b", "--label", " "], "a label is empty"),
      (["a", "b", "--label", "x", "--label", "y", "--label", "z"], "more labels than files"),
      (["a", "b", "c", "--track", "1", "--track", "2"], "2 tracks for 3 files"),
      (["a", "b", "--track", "0"], "counted from 1"),
      (["a", "b", "--duration", "1m", "--speed", "5m/s"], "cannot be used together"),
      (["a", "b", "--stride", "3"], "--stride requires --engine app"),
      (["a", "b", "--engine", "app", "--stride", "0"], "expected a number of points from 1"),
      (["a", "b", "--engine", "app", "--angle", "200"], "expected an angle of 0 to 180 degrees"),
      (["a", "b", "--engine", "app", "--radius", "0"], "expected a length above zero"),
    ])
  func usage(arguments: [String], message: String) throws {
    try withFixtures { (folder) throws in
      let outcome = try GhostConvertProgram.run(["compare"] + arguments, in: folder.url)
      #expect(outcome.status == 64 && outcome.output.isEmpty)
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains(message))
    }
  }

  @Test("The resolution of a low-resolution source is reported")
  func coarse() throws {
    try withFixtures { (folder) throws in
      // Times in this file are whole minutes since the start of an entry.
      let fixture = TemporaryFolder.packageRoot.appendingPathComponent("Fixtures/timeline/iphone.json").path
      let outcome = try folder.run("compare", fixture, fixture)
      #expect(outcome.status == 0)
      #expect(outcome.text.contains("The source of iphone has a low resolution: times to about 60 s."))
    }
  }

  @Test(
    "Skipped points are reported, and are an error with --strict", arguments: ["matched", "app"])
  func leftOut(engine: String) throws {
    try withFixtures("inaccurate.gpx") { (folder) throws in
      // Three points have an accuracy above 15 m.
      let arguments = ["compare", "inaccurate.gpx", "inaccurate.gpx", "--engine", engine]
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("warning: horizontal accuracy above 15 m, point skipped"))
      #expect(try GhostConvertProgram.run(arguments + ["--quiet"], in: folder.url).errors.isEmpty)
      let strict = try GhostConvertProgram.run(arguments + ["--strict"], in: folder.url)
      #expect(strict.status == 65 && strict.output.isEmpty)
      let all = try GhostConvertProgram.run(
        arguments + ["--max-accuracy", "none", "--strict", "--json"], in: folder.url)
      #expect(all.status == 0)
    }
  }

  @Test(
    "A drive of one point has no time to compare, and the command succeeds", arguments: ["matched", "app"])
  func onePoint(engine: String) throws {
    try inFolder { (folder) throws in
      try folder.write(DrivenRoad().gpx(), to: "point.gpx")
      for inputs in [["point.gpx", "friday.gpx"], ["friday.gpx", "point.gpx"], ["point.gpx", "point.gpx"]] {
        let outcome = try GhostConvertProgram.run(["compare", "--engine", engine] + inputs, in: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        if engine == "matched" { #expect(outcome.text.contains("no time to compare"), "\(outcome.text)") }
      }
    }
  }

  @Test("The app's engine names the option for drives below its speed threshold")
  func slowWalks() throws {
    try inFolder { (folder) throws in
      // 1.1 m per second.
      let walk = (0..<60).map { index in
        let latitude = 46.9 + Double(index) * 1e-5
        return "{\"lat\":\(latitude),\"lon\":7.4}"
      }.joined(separator: ",")
      try folder.write("[\(walk)]", to: "a.json")
      let arguments = ["compare", "--engine", "app", "a.json", "a.json", "--duration", "1:00"]
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("a: no step is faster than 8.0 km/h"), "\(outcome.errors)")
      #expect(outcome.errors.contains("use a lower --idle-speed"))
      let slower = try GhostConvertProgram.run(arguments + ["--idle-speed", "1mph"], in: folder.url)
      #expect(slower.errors.isEmpty, "\(slower.errors)")
    }
  }
}
