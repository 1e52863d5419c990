import Foundation
import Testing

@testable import TestSupport

@Suite("Laps and segments on the command line", .waiting)
struct LapsCommandTests {
  /// The radius in metres of a circle that is driven anticlockwise from its easternmost point.
  private static let radius = 200.0
  private static let middle = (latitude: 46.5, longitude: 7.5)

  /// Returns the position at an angle from east, in radians.
  private static func place(
    _ angle: Double, radius: Double = radius
  ) -> (latitude: Double, longitude: Double) {
    // Metres per degree of latitude and longitude of WGS 84 at 46.5° N.
    let (north, east) = (111_152.0, 76_738.0)
    return (
      middle.latitude + radius * sin(angle) / north, middle.longitude + radius * cos(angle) / east
    )
  }

  /// Returns a recording at 1 Hz. `angle` returns the angle at each second, `radius` the radius at an angle.
  private static func recording(
    day: Int = 1, _ seconds: Int, radius: (Double) -> Double = { _ in radius }, _ angle: (Double) -> Double
  ) -> String {
    var text = #"<gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1">"#
    text += "<trk><trkseg>\n"
    for second in 0...seconds {
      let angle = angle(Double(second))
      let place = place(angle, radius: radius(angle))
      text += String(
        format: "<trkpt lat=\"%.8f\" lon=\"%.8f\"><time>2024-05-%02dT06:%02d:%02dZ</time></trkpt>\n",
        place.latitude, place.longitude, day, second / 60, second % 60)
    }
    return text + "</trkseg></trk></gpx>\n"
  }

  private static func text(_ place: (latitude: Double, longitude: Double)) -> String {
    String(format: "%.7f,%.7f", place.latitude, place.longitude)
  }

  /// The angular speed in radians per second: one round takes 70 s.
  private static let pace = 2 * Double.pi / 70

  private func withRecording<Result>(_ body: (TemporaryFolder) throws -> Result) throws -> Result {
    try withFixtures { folder throws in
      try folder.write(Self.recording(300) { Self.pace * $0 - 0.5 }, to: "a.gpx")
      return try body(folder)
    }
  }

  private func laps(_ object: [String: Any]) throws -> [[String: Any]] {
    try #require(object["laps"] as? [[String: Any]])
  }

  @Test("A session in two tracks of a file is timed like one in two files")
  func severalTracks() throws {
    try withRecording { folder throws in
      let second = Self.recording(day: 2, 300) { Self.pace * $0 * 1.1 - 0.5 }
      try folder.write(second, to: "b.gpx")
      let both =
        try folder.text("a.gpx").replacing("</gpx>", with: "")
        + (second.firstRange(of: "<trk>").map {
          String(second[$0.lowerBound...])
        } ?? "")
      try folder.write(both, to: "both.gpx")
      let gate = "--gate=" + Self.text(Self.place(0))
      let apart = try folder.run("laps", "a.gpx", "b.gpx", gate, "--json")
      let joined = try folder.run("laps", "both.gpx", gate, "--json")
      func durations(_ text: Data) throws -> [Double] {
        try laps(jsonObject(text)).compactMap { $0["duration_s"] as? Double }
      }
      let expected = try durations(apart.output)
      #expect(expected.count >= 8)
      #expect(try durations(joined.output) == expected)
      let chosen = try folder.run("laps", "both.gpx", gate, "--json", "--track", "1")
      #expect(try durations(chosen.output).count < expected.count)
    }
  }

  @Test("The recorded laps of consecutive activities are counted once, under one heading per file")
  func activities() throws {
    try withFixtures { folder throws in
      // Two activities of two rounds of 70 s; the first ends 1 s after the beginning of the second.
      func time(_ second: Int) -> String {
        String(format: "2024-05-01T06:%02d:%02d.000Z", second / 60, second % 60)
      }
      var text =
        #"<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">"#
      text += "<Activities>"
      for activity in 0..<2 {
        text += "<Activity Sport=\"Other\"><Id>\(time(140 * activity))</Id>"
        for lap in [2 * activity, 2 * activity + 1] {
          text += "<Lap StartTime=\"\(time(70 * lap))\"><TotalTimeSeconds>70</TotalTimeSeconds>"
          text += "<DistanceMeters>1256</DistanceMeters><Track>"
          for second in (70 * lap)...(70 * lap + (lap == 1 ? 71 : 70)) {
            let place = Self.place(Self.pace * Double(second))
            text += "<Trackpoint><Time>\(time(second))</Time><Position>"
            text += String(
              format: "<LatitudeDegrees>%.8f</LatitudeDegrees><LongitudeDegrees>%.8f</LongitudeDegrees>",
              place.latitude, place.longitude)
            text += "</Position></Trackpoint>"
          }
          text += "</Track></Lap>"
        }
        text += "</Activity>"
      }
      try folder.write(text + "</Activities></TrainingCenterDatabase>\n", to: "a.tcx")
      let recorded = try folder.run("laps", "a.tcx", "--laps", "recorded", "--json")
      let laps = try laps(jsonObject(recorded.output))
      #expect(laps.map { $0["duration_s"] as? Double } == [70, 70, 70, 70])
      #expect(laps.allSatisfy { $0["complete"] as? Bool == true })
      let table = try folder.run("laps", "a.tcx", "--laps", "recorded").text
      #expect(table.components(separatedBy: "a.tcx").count == 2)
      let timed = try folder.run("laps", "a.tcx", "--gate=" + Self.text(Self.place(1)) + ",57")
      #expect(timed.errors.components(separatedBy: "contains 4 recorded laps").count == 2, "\(timed.errors)")
    }
  }

  @Test("Lap times at a given gate are interpolated between the fixes")
  func gate() throws {
    try withRecording { folder throws in
      let outcome = try folder.run(
        "laps", "a.gpx", "--json", "--gate=" + Self.text(Self.place(0)) + ",0",
        "--sector=" + Self.text(Self.place(.pi)))
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      let laps = try laps(object)
      #expect(laps.count == 4)
      for (index, lap) in laps.enumerated() {
        #expect(lap["number"] as? Int == index + 1)
        #expect(lap["complete"] as? Bool == true)
        #expect(abs((lap["duration_s"] as? Double ?? 0) - 70) < 0.02)
        #expect(abs((lap["start_s"] as? Double ?? 0) - (0.5 / Self.pace + 70 * Double(index))) < 0.02)
        #expect(abs((lap["distance_m"] as? Double ?? 0) - 2 * .pi * Self.radius) < 6)
        let sectors = try #require(lap["sectors_s"] as? [Double])
        #expect(sectors.count == 2 && sectors.allSatisfy { abs($0 - 35) < 0.05 })
      }
      #expect(abs((object["theoretical_best_s"] as? Double ?? 0) - 70) < 0.1)
      #expect((1...4).contains(object["best_lap"] as? Int ?? 0))
    }
  }

  @Test("The table of laps as CSV has the values of the JSON, and a column per sector")
  func tableAsCSV() throws {
    try withRecording { folder throws in
      let gates = [
        "--gate=" + Self.text(Self.place(0)), "--sector=" + Self.text(Self.place(2)),
        "--sector=" + Self.text(Self.place(4)),
      ]
      let expected = try laps(
        jsonObject(try GhostConvertProgram.run(["laps", "a.gpx", "--json"] + gates, in: folder.url).output))
      let outcome = try GhostConvertProgram.run(
        ["laps", "a.gpx", "-o", "laps.csv", "--quiet"] + gates, in: folder.url)
      #expect(outcome.status == 0 && outcome.text.isEmpty)
      let rows = try folder.text("laps.csv").split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      #expect(rows.count == expected.count + 1 && expected.count > 3)
      #expect(rows[0].suffix(3) == ["sector_1_s", "sector_2_s", "sector_3_s"])
      for (row, lap) in zip(rows.dropFirst(), expected) {
        let cells = Dictionary(uniqueKeysWithValues: zip(rows[0], row))
        for (name, value) in lap {
          guard let cell = cells[name] else { continue }
          switch value {
          case is NSNull: #expect(cell.isEmpty)
          case let text as String: #expect(cell == text)
          case let flag as Bool where name == "complete" || name == "pit_lane": #expect(cell == "\(flag)")
          case let number as Double: #expect(Double(cell) == number)
          default: Issue.record("\(name)")
          }
        }
        let sectors = try #require(lap["sectors_s"] as? [Double])
        #expect(row.suffix(3).compactMap { Double($0) } == sectors)
      }
      let refused = try GhostConvertProgram.run(["laps", "a.gpx", "-o", "laps.html"] + gates, in: folder.url)
      #expect(refused.status == 64 && refused.errors.contains("the table of laps is written as CSV"))
    }
  }

  @Test("A lap that begins in one file and ends in the next is one lap")
  func parts() throws {
    try withRecording { folder throws in
      let whole = try folder.text("a.gpx")
      let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
      // The files have 100 s, 80 s and 121 s. Laps of 70 s begin 5.6 s after the start.
      let (head, tail) = (String(lines[0]), "</trkseg></trk></gpx>\n")
      for (name, range) in [("1.gpx", 1...100), ("2.gpx", 101...180), ("3.gpx", 181...301)] {
        try folder.write(
          head + "\n" + lines[range].joined(separator: "\n") + "\n" + tail, to: name)
      }
      let gate = "--gate=" + Self.text(Self.place(0)) + ",0"
      // The order of the files does not matter, and a file that is given twice is used once.
      let outcome = try folder.run("laps", "2.gpx", "1.gpx", "2.gpx", "3.gpx", "--json", gate)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("2.gpx is a recording of the same ride as 2.gpx"))
      let laps = try laps(jsonObject(outcome.output))
      #expect(laps.count == 4)
      #expect(laps.allSatisfy { $0["complete"] as? Bool == true })
      #expect(laps.allSatisfy { abs(($0["duration_s"] as? Double ?? 0) - 70) < 0.05 })
      // Starts at 5.6 s and 75.6 s of the first file, 45.6 s of the second, and 35.6 s of the third.
      let expected = [("1.gpx", 5.6), ("1.gpx", 75.6), ("2.gpx", 45.6), ("3.gpx", 35.6)]
      for (lap, (source, start)) in zip(laps, expected) {
        #expect((lap["source"] as? String)?.hasSuffix(source) == true)
        #expect(abs((lap["start_s"] as? Double ?? 0) - start) < 0.05)
      }
      #expect(try folder.run("laps", "1.gpx", "2.gpx", gate, "--split", "-o", "laps").status == 0)
      #expect(try folder.text("laps/1-lap-02.gpx").contains("<trkpt"))
    }
  }

  @Test("The lap column of a table contains recorded laps", arguments: [true, false])
  func recordedColumn(hasDates: Bool) throws {
    try withFixtures { folder throws in
      var table = hasDates ? "time,lat,lon,lap_number\n" : "Time (s),lat,lon,Lap\n"
      for second in 0...30 {
        let place = Self.place(Self.pace * Double(second))
        let time = hasDates ? String(format: "2024-05-01T06:00:%02dZ", second) : "\(second)"
        table += String(format: "%@,%.7f,%.7f,%d\n", time, place.latitude, place.longitude, second / 10)
      }
      try folder.write(table, to: "a.csv")
      let outcome = try folder.run("laps", "a.csv", "--laps", "recorded", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      // Lap 0 is the out-lap, lap 3 the in-lap.
      let laps = try laps(jsonObject(outcome.output))
      #expect(laps.map { $0["start_s"] as? Double } == [10, 20])
      #expect(laps.map { $0["duration_s"] as? Double } == [10, 10])
    }
  }

  @Test("Recorded laps of a circuit are compared with times from positions")
  func recordedDifference() throws {
    try withFixtures { folder throws in
      // Rounds of 70 s, whose third was started a second late.
      let starts = [70, 141, 210]
      var table = "time,lat,lon,lap_number\n"
      for second in 0...250 {
        let place = Self.place(Self.pace * Double(second))
        let lap = starts.count { $0 <= second }
        table += String(
          format: "2024-05-01T06:%02d:%02dZ,%.7f,%.7f,%d\n", second / 60, second % 60, place.latitude,
          place.longitude, lap)
      }
      try folder.write(table, to: "a.csv")
      let outcome = try folder.run("laps", "a.csv", "--laps", "recorded", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let laps = try laps(jsonObject(outcome.output))
      #expect(laps.map { $0["duration_s"] as? Double } == [71, 69])
      for lap in laps { #expect(abs((lap["timed_s"] as? Double ?? 0) - 70) < 0.05) }
      let text = try folder.run("laps", "a.csv", "--laps", "recorded").text
      #expect(text.contains("2 laps differ by 1.0"))
      #expect(text.contains("The recorded laps begin at --gate "))
    }
  }

  @Test("Without a gate the circuit is detected, and the table marks the best lap")
  func table() throws {
    try withRecording { folder throws in
      let outcome = try folder.run("laps", "a.gpx")
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.text.contains("Found a circuit, timed at --gate "))
      #expect(outcome.text.contains("1:10.0"))
      #expect(outcome.text.contains("Best lap: "))
      #expect(outcome.text.contains("\n  out  "))
      // 20 s and four laps of 70 s: the recording ends at the gate.
      #expect(!outcome.text.contains("\n  in  "))
      let gate = "--gate=" + Self.text(Self.place(0))
      #expect(try folder.run("laps", "a.gpx", gate).text.contains("\n  in  "))
    }
  }

  @Test("Laps can be compared like drives and written to separate files")
  func outputs() throws {
    try withRecording { folder throws in
      let gate = "--gate=" + Self.text(Self.place(0)) + ",0"
      let compared = try folder.run("laps", "a.gpx", gate, "--compare", "2,3", "-o", "race.html", "--json")
      #expect(compared.status == 0, "\(compared.errors)")
      let drives = try #require(try jsonObject(compared.output)["drives"] as? [[String: Any]])
      #expect(drives.map { $0["label"] as? String } == ["lap 2", "lap 3"])
      #expect(try folder.text("race.html").contains("lap 3"))
      let split = try folder.run("laps", "a.gpx", gate, "--split", "--to", "drive", "-o", "out/")
      #expect(split.status == 0, "\(split.errors)")
      let drive = try jsonObject(Data(try folder.text("out/a-lap-02.drive.json").utf8))
      #expect(abs((drive["duration"] as? Double ?? 0) - 70) < 0.05)
    }
  }

  @Test("Laps in files have the values of the recording, and lost values are reported")
  func values() throws {
    try withFixtures { folder throws in
      var table = "time,lat,lon,elevation,heart_rate,RPM\n"
      for second in 0...220 {
        let place = Self.place(Self.pace * Double(second) - 0.5)
        table += String(
          format: "2024-05-01T06:%02d:%02dZ,%.7f,%.7f,%d,%d,%d\n", second / 60, second % 60, place.latitude,
          place.longitude, 500 + second, 100 + second / 4, 3000 + 10 * second)
      }
      try folder.write(table, to: "a.csv")
      let laps = ["laps", "a.csv", "--gate=" + Self.text(Self.place(0)) + ",0", "--split", "-o", "out"]
      let split = try GhostConvertProgram.run(laps, in: folder.url)
      #expect(split.status == 0, "\(split.errors)")
      let text = try folder.text("out/a-lap-02.gpx")
      // The lap begins at 75.57 s and ends at 145.57 s: 70 points and two between points.
      for part in ["<trkpt", "<ele>", "hr>", "name=\"RPM\""] {
        let count = text.components(separatedBy: part).count - 1
        #expect(count == (part == "hr>" ? 144 : 72), "\(part)")
      }
      let first = try #require(text.firstMatch(of: /<ele>([0-9.]+)</))
      let elevation = try #require(Double(first.1))
      #expect(abs(elevation - 575.57) < 0.05)
      let other = try GhostConvertProgram.run(laps + ["--to", "igc"], in: folder.url)
      #expect(other.status == 0)
      #expect(other.errors.contains("3 files: not representable in IGC: "), "\(other.errors)")
      #expect(other.errors.contains("values of heart rate"))
      #expect(try GhostConvertProgram.run(laps + ["--to", "drive"], in: folder.url).errors == "")
    }
  }

  @Test("A hill climb with the ways back is not presented as a circuit without a note")
  func thereAndBack() throws {
    try withFixtures { folder throws in
      // Up and down an arc of 400 m every 80 s.
      let climb = Self.recording(400) { second in
        let phase = second.truncatingRemainder(dividingBy: 80) / 40
        return phase < 1 ? 2 * phase - 1 : 3 - 2 * phase
      }
      try folder.write(climb, to: "a.gpx")
      let outcome = try folder.run("laps", "a.gpx")
      #expect(outcome.errors.contains("--gate and --finish"), "\(outcome.errors) \(outcome.text)")
      try folder.write(Self.recording(300) { Self.pace * $0 }, to: "b.gpx")
      #expect(try folder.run("laps", "b.gpx").errors == "")
    }
  }

  @Test("Errors about laps and sectors have a next step")
  func nextSteps() throws {
    try withRecording { folder throws in
      let gate = "--gate=" + Self.text(Self.place(0)) + ",0"
      let lap = try folder.run("laps", "a.gpx", gate, "--compare", "1,99")
      #expect(lap.status == 65)
      #expect(lap.errors.contains("no lap 99; choose from 1 to 4"), "\(lap.errors)")
      let sector = try folder.run("laps", "a.gpx", gate, "--sector", "46.6,7.5")
      #expect(sector.errors.contains("no lap passes the sector at 46.6, 7.5; "), "\(sector.errors)")
      let finish = try folder.run("laps", "a.gpx", gate, "--finish=" + Self.text(Self.place(0)))
      #expect(finish.errors.contains("the gate and the finish are the same; omit"), "\(finish.errors)")
    }
  }

  @Test("The gap of compared laps is the difference of their times", arguments: [[1, 2], [1, 2, 3, 4]])
  func gapOfLaps(numbers: [Int]) throws {
    try withFixtures { folder throws in
      // The pace and the radius change from lap to lap, and the third lap has a stop of 20 s.
      func angle(_ second: Double) -> Double {
        let moving = second - min(max(second - 170, 0), 20)
        return Self.pace * moving - 0.5 + 0.1 * sin(moving / 23)
      }
      try folder.write(Self.recording(320, angle), to: "a.gpx")
      let gate = "--gate=" + Self.text(Self.place(0)) + ",0"
      let all = try laps(jsonObject(try folder.run("laps", "a.gpx", gate, "--json").output))
      func lap(_ number: Int, _ key: String) -> Double { all[number - 1][key] as? Double ?? .nan }
      let choice = numbers.map(String.init).joined(separator: ",")
      let outcome = try folder.run(
        "laps", "a.gpx", gate, "--compare", choice, "--json", "-o", "gap.csv")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      let pairs = try #require(object["pairs"] as? [[String: Any]])
      for (pair, number) in zip(pairs, numbers.dropFirst()) {
        let gap = try #require(pair["gap_s"] as? Double)
        #expect(abs(gap - (lap(number, "duration_s") - lap(1, "duration_s"))) < 0.0021)
      }
      let drives = try #require(object["drives"] as? [[String: Any]])
      for (drive, number) in zip(drives, numbers) {
        #expect(abs((drive["distance_m"] as? Double ?? 0) - lap(number, "distance_m")) < 0.1)
      }
      for row in try folder.text("gap.csv").split(separator: "\n").dropFirst() {
        let fields = row.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? 0 }
        #expect(abs(fields[8] - fields[7] - fields[9]) < 0.0021)
      }
    }
  }

  @Test("Compared laps have their sectors as legs")
  func sectorLegs() throws {
    try withFixtures { folder throws in
      // The second round takes 63 s: its second half is 7 s faster.
      func angle(_ second: Double) -> Double {
        let angle = Self.pace * second - 0.5
        let seconds = second - 0.5 / Self.pace - 105
        return seconds > 0 ? angle + min(seconds, 28) * (.pi / 28 - .pi / 35) : angle
      }
      try folder.write(Self.recording(170, angle), to: "a.gpx")
      let arguments = [
        "laps", "a.gpx", "--gate=" + Self.text(Self.place(0)) + ",0",
        "--sector=" + Self.text(Self.place(.pi)), "--compare", "1,2",
      ]
      let outcome = try GhostConvertProgram.run(arguments + ["--json"], in: folder.url)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let legs = try #require(try jsonObject(outcome.output)["legs"] as? [[String: Any]])
      #expect(legs.map { $0["kind"] as? String } == ["shared", "shared"])
      // Laps are shown in hundredths of a second.
      let text = try GhostConvertProgram.run(arguments, in: folder.url).text
      #expect(text.contains(#/1 together .* 0:35\.0\d +0:(35\.0|34\.9)\d/#))
      for (leg, expected) in zip(legs, [(first: 35.0, second: 35.0), (first: 35, second: 28)]) {
        let sides = try #require(leg["sides"] as? [[String: Any]])
        let durations = sides.compactMap { $0["duration_s"] as? Double }
        #expect(abs(durations[0] - expected.first) < 0.05 && abs(durations[1] - expected.second) < 0.3)
      }
    }
  }

  @Test("Laps of a VBO file are timed at its gates")
  func recordedGates() throws {
    try withRecording { folder throws in
      #expect(try folder.run("convert", "a.gpx", "-o", "a.vbo").status == 0)
      // Minutes of arc, with the longitude positive to the west.
      func line(_ kind: String, _ angle: Double) -> String {
        let place = Self.place(angle)
        let (north, west) = (place.latitude * 60, -place.longitude * 60)
        return String(
          format: "%@ %+.5f %+.5f %+.5f %+.5f \u{AC} %@\n", kind, west - 0.01, north, west + 0.01, north, kind
        )
      }
      let gates = "[laptiming]\n" + line("Start", .pi) + line("Split", 0) + "\n[column names]"
      let log = try folder.text("a.vbo").replacingOccurrences(of: "[column names]", with: gates)
      try folder.write(log, to: "a.vbo")
      let object = try jsonObject(try folder.run("laps", "a.vbo", "--json").output)
      let laps = try laps(object)
      // The first crossing of the gate opposite to the start is after half a round.
      #expect(abs((laps.first?["start_s"] as? Double ?? 0) - (0.5 / Self.pace + 35)) < 0.05)
      #expect(laps.count == 3)
      #expect((laps.first?["sectors_s"] as? [Double])?.count == 2)
      let gate = try jsonObject(
        try folder.run("laps", "a.vbo", "--json", "--gate=" + Self.text(Self.place(0))).output)
      #expect(abs((try self.laps(gate).first?["start_s"] as? Double ?? 0) - 0.5 / Self.pace) < 0.05)
    }
  }

  @Test(
    "Options that cannot be used together are usage errors",
    arguments: [
      ["--finish", "1,1"], ["--laps", "recorded", "--gate", "1,1"], ["--split"], ["-o", "a.html"],
      ["--compare", "3"], ["--gate", "1"], ["--gate", "1,1,400"], ["--best", "--split", "-o", "out"],
      ["--best", "--quote-formulas"], ["--best", "-o", "race.html", "--quote-formulas"],
      ["--split", "-o", "out", "--quote-formulas"], ["--best", "--compare", "1,2"],
      ["--compare", "1,2", "-o", "-"],
    ])
  func usage(arguments: [String]) throws {
    try withRecording { folder throws in
      #expect(try GhostConvertProgram.run(["laps", "a.gpx"] + arguments, in: folder.url).status == 64)
    }
  }

  @Test("A recording without a circuit or without recorded laps is a data error")
  func none() throws {
    try withRecording { folder throws in
      try folder.write(Self.recording(30) { Self.pace * $0 }, to: "half.gpx")
      let outcome = try folder.run("laps", "half.gpx")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("no circuit found"))
      #expect(outcome.errors.contains("--gate"))
      #expect(try folder.run("laps", "a.gpx", "--laps", "recorded").status == 65)
    }
  }

  @Test("Live laps are timed at a gate and show the gap to the best lap")
  func live() throws {
    try withRecording { folder throws in
      let gate = Self.text(Self.place(0)) + ",0"
      let faster = { (second: Double) in second < 150 ? second : 150 + (second - 150) * 1.1 }
      try folder.write(Self.recording(300) { Self.pace * faster($0) - 0.5 }, to: "b.gpx")
      let outcome = try folder.run("ghost", "a.gpx", "--follow", "b.gpx", "--gate=\(gate)", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let finished = try outcome.text.split(separator: "\n").compactMap {
        let lap = try #require(try jsonObject(Data($0.utf8))["lap"] as? [String: Any])
        return (lap["finished"] as? [String: Any])?["duration_s"] as? Double
      }
      #expect(finished.count == 4)
      #expect(abs(finished[0] - 70) < 0.05)
      #expect(abs(finished[3] - 70 / 1.1) < 0.05)
      #expect(try folder.run("ghost", "a.gpx", "--at", "5", "--gate=\(gate)").status == 64)
      #expect(!outcome.errors.contains("the gate was"))
      let follow = ["ghost", "a.gpx", "--follow", "b.gpx"]
      let opposite = try GhostConvertProgram.run(
        follow + ["--gate=" + Self.text(Self.place(0)) + ",180"], in: folder.url)
      #expect(
        opposite.status == 0 && opposite.errors.contains("only in the direction opposite to its bearing"))
      let far = try GhostConvertProgram.run(follow + ["--gate=46.6,7.5,0"], in: folder.url)
      #expect(far.status == 0 && far.errors.contains("the gate was not passed"))
    }
  }

  @Test("The segment of a route is the road of most of its drives")
  func routeSegment() throws {
    try withFixtures { folder throws in
      for day in 1...3 {
        // The first drive takes a parallel road, 30 m away, between 300 and 700 m of 1,000 m.
        try folder.write(
          Self.recording(day: day, 56, radius: { day == 1 && $0 > 1.5 && $0 < 3.5 ? 230 : 200 }) {
            0.09 * $0
          },
          to: "\(day).gpx")
      }
      let library = ["--library", "drives.gpkg"]
      #expect(
        try GhostConvertProgram.run(["import", "1.gpx", "2.gpx", "3.gpx"] + library, in: folder.url).status
          == 0)
      let routes = try GhostConvertProgram.run(
        ["library", "routes", "--as-segments"] + library, in: folder.url)
      #expect(routes.errors.contains("2 passages"), "\(routes.errors) \(routes.text)")
    }
  }

  @Test("Passages of a segment are found when it is added and when drives are imported")
  func library() throws {
    try withRecording { folder throws in
      // A quarter of the circle, at a different pace on each day.
      try folder.write(Self.recording(day: 2, 150) { Self.pace * $0 * 0.9 - 0.5 }, to: "b.gpx")
      try folder.write(Self.recording(day: 3, 100) { Self.pace * $0 * 1.25 - 0.5 }, to: "c.gpx")
      #expect(try folder.run("import", "a.gpx", "b.gpx", "--library", "drives.gpkg").status == 0)
      let ends = ["--from=" + Self.text(Self.place(0)), "--to=" + Self.text(Self.place(.pi / 2))]
      let add = ["segment", "add", "bend"] + ends
      let added = try GhostConvertProgram.run(add, in: folder.url)
      #expect(added.status == 0, "\(added.errors)")
      #expect(try GhostConvertProgram.run(add, in: folder.url).status == 64)
      for name in [" ", "a\nb", String(repeating: "x", count: 101)] {
        #expect(try GhostConvertProgram.run(["segment", "add", name] + ends, in: folder.url).status == 64)
      }
      #expect(try folder.run("import", "c.gpx", "--library", "drives.gpkg").status == 0)
      let shown = try folder.run("segment", "show", "bend", "--json")
      let object = try jsonObject(shown.output)
      let passages = try #require(object["passages"] as? [[String: Any]])
      // Four passages in the 4.3 rounds of a.gpx, two in the 1.9 rounds of b.gpx, two in the 1.7 rounds of
      // c.gpx.
      #expect(passages.count == 8)
      #expect(abs((object["best_s"] as? Double ?? 0) - 17.5 / 1.25) < 0.2)
      #expect(try folder.run("segment", "show", "bend", "--since", "2024-05-03").text.contains("2 passages"))
      // A part is not the personal best.
      #expect(try folder.run("segment", "show", "bend", "--until", "2024-05-02").text.contains("  best"))
      #expect(try folder.run("segment", "list").text.contains("bend"))
      #expect(try folder.run("segment", "show", "bend", "-o", "bend.html", "-o", "bend.csv").status == 0)
      #expect(
        try folder.run("segment", "show", "bend", "-o", "quoted.csv", "--quote-formulas").status == 0)
      #expect(
        try folder.run("segment", "show", "bend", "-o", "bend.html", "--quote-formulas").status == 64)
      let csv = try folder.text("bend.csv").split(separator: "\n")
      #expect(csv.count == 9)
      let columns =
        "time,drive,name,kind,duration_s,uncertainty_s,gap_s,average_speed_mps,waiting_s,same_ride_as,"
        + "enter_s,same_ride_enter_s"
      #expect(csv[0] == columns)
      #expect(csv.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 12 })
      let page = try folder.text("bend.html")
      #expect(page.contains("best"))
      // A dot per passage from the first date to the last, and the personal best.
      #expect(page.contains("Times of 8 passages by date"))
      #expect(page.contains(#/Personal best: 0:1[34]\.\d\d on 2024-05-03/#))
      let dots = try #require(page.firstMatch(of: #/class="passage" d="([^"]*)"/#)).1
      #expect(dots.hasPrefix("M0") && dots.split(separator: "M").count == 8)
      #expect(dots.split(separator: "M").last?.hasPrefix("1000") == true)
      #expect(try folder.run("segment", "export", "bend", "-o", "bend.geojson").status == 0)
      // A segment has no times, and none are invented.
      let refused = try folder.run("segment", "export", "bend", "-o", "bend.fit")
      #expect(refused.status == 64)
      #expect(refused.errors.contains("a fit file requires times"))
      #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "bend.fit").path))
      let compared = try folder.run("compare", "a.gpx", "c.gpx", "--segment", "bend", "--json")
      #expect(compared.status == 0, "\(compared.errors)")
      #expect(abs((try jsonObject(compared.output)["margin_s"] as? Double ?? 0) - 3.5) < 0.3)
      // Without fixes from 6 s before the end of the segment to 12 s after it.
      let rows = Self.recording(day: 4, 60) { Self.pace * $0 - 0.5 }.split(separator: "\n")
      let sparse = rows.enumerated().filter { !(18...35).contains($0.offset) }.map(\.element)
      try folder.write(sparse.joined(separator: "\n") + "\n", to: "d.gpx")
      let search = try folder.run("segment", "find", "a.gpx", "d.gpx", "--line", "bend.geojson", "--json")
      let passed = try #require(try jsonObject(search.output)["passages"] as? [[String: Any]])
      let uncertain = try #require(passed.last?["uncertainty_s"] as? Double)
      #expect(passed.count == 5 && uncertain > 1)
      let table = try folder.run("segment", "find", "a.gpx", "d.gpx", "--line", "bend.geojson")
      #expect(table.text.split(separator: "\n").count { $0.contains("± ") } == 1)
      let gap = try folder.run("compare", "a.gpx", "d.gpx", "--segment", "bend", "--json")
      #expect(try jsonObject(gap.output)["uncertainty_s"] as? Double ?? 0 >= uncertain)
      let found = try folder.run("segment", "find", "a.gpx", "--line", "bend.geojson", "--json")
      #expect((try jsonObject(found.output)["passages"] as? [Any])?.count == 4, "\(found.errors)")
      // Both tracks of a file are searched.
      #expect(try folder.run("convert", "a.gpx", "c.gpx", "-o", "both.gpx").status == 0)
      let both = try folder.run("segment", "find", "both.gpx", "--line", "bend.geojson", "--json")
      let tracks = try #require(try jsonObject(both.output)["passages"] as? [[String: Any]])
      #expect(tracks.compactMap { $0["track"] as? Int } == [1, 1, 1, 1, 2, 2])
      // The line from its end to its start.
      let line = stride(from: Double.pi / 2, through: 0, by: -0.05).map { Self.text(Self.place($0)) }
      try folder.write("lat,lon\n" + line.joined(separator: "\n") + "\n", to: "back.csv")
      let back = try folder.run("segment", "find", "a.gpx", "--line", "back.csv")
      #expect(back.text.contains("0 passages"))
      #expect(back.errors.contains("4 passages in the other direction"))
      #expect(try folder.run("library", "check").status == 0)
      let drive = try #require(passages.last?["drive"] as? String)
      #expect(try folder.run("library", "remove", drive).status == 0)
      #expect(try folder.run("segment", "show", "bend").text.contains("6 passages"))
      #expect(try folder.run("segment", "remove", "bend").status == 0)
      #expect(try folder.run("segment", "show", "bend").status == 66)
    }
  }

  @Test("A race of many passages starts with the fastest, and names passages by rank")
  func raceOfPassages() throws {
    try withRecording { folder throws in
      // 8 passages of 17.5 s, then about 100 at the double pace, the last of which is the fastest and latest.
      try folder.write(Self.recording(day: 2, 300) { Self.pace * $0 - 0.5 }, to: "b.gpx")
      try folder.write(Self.recording(day: 3, 3590) { Self.pace * $0 * 1.9 - 0.5 }, to: "c.gpx")
      try folder.write(Self.recording(day: 4, 40) { Self.pace * $0 * 2 - 0.5 }, to: "d.gpx")
      let files = ["a.gpx", "b.gpx", "c.gpx", "d.gpx"]
      #expect(
        try GhostConvertProgram.run(["import"] + files + ["--library", "drives.gpkg"], in: folder.url)
          .status == 0)
      let ends = ["--from=" + Self.text(Self.place(0)), "--to=" + Self.text(Self.place(.pi / 2))]
      #expect(try GhostConvertProgram.run(["segment", "add", "bend"] + ends, in: folder.url).status == 0)
      #expect(try folder.run("segment", "show", "bend", "--utc", "-o", "bend.html").status == 0)
      let page = try folder.text("bend.html")
      #expect(page.contains("(best, latest)"))
      #expect(page.contains(/2024-05-04 [0-9:]+Z, d \(best, latest\)/))
      // All passages are ranked, not only those that are drawn.
      let object = try jsonObject(folder.run("segment", "show", "bend", "--json").output)
      let count = try #require(object["passages"] as? [Any]).count
      #expect(count > 101)
      #expect(page.contains("was the fastest of \(count) in"))
      #expect(page.contains("11 of the \(count) drives are drawn."))
      // A name that is given twice is not removed twice.
      let remove = ["segment", "remove", "bend", "bend"]
      #expect(try GhostConvertProgram.run(remove, in: folder.url).status == 64)
      #expect(try folder.run("segment", "show", "bend").status == 0)
    }
  }
}
