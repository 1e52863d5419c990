import Foundation
import Testing

@Suite struct RecordCommandTests {
  /// Ten metres a second northwards from 46.5° N, standing from 20 s to 50 s; RMC and GGA each second.
  static let log: String = {
    var lines: [String] = []
    var latitude = 46.5
    for second in 0..<80 {
      if !(20..<50).contains(second) { latitude += 10.5 / 111_194.9 }
      let minutes = (latitude - 46) * 60
      let place = "46\(minutes < 10 ? "0" : "")\(String(format: "%.5f", minutes)),N,00730.00000,E"
      let time = String(format: "%02d%02d%02d", 12, second / 60, second % 60)
      let speed = (20..<50).contains(second) ? "0.0" : "20.4"
      lines.append(sentence("GPRMC,\(time),A,\(place),\(speed),0.0,010524,,,A"))
      lines.append(sentence("GPGGA,\(time),\(place),1,09,0.9,500.0,M,48.0,M,,"))
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }()

  private static func sentence(_ text: String) -> String {
    "$\(text)*" + String(format: "%02X", text.utf8.reduce(0, ^))
  }

  private func withLog(_ body: (TemporaryFolder) throws -> Void) throws {
    try withFixtures { folder throws in
      try folder.write(Self.log, to: "log.nmea")
      try body(folder)
    }
  }

  @Test("A log becomes a drive as long as the log, the stop among it")
  func log() throws {
    try withLog { folder throws in
      let outcome = try folder.run("record", "--nmea", "log.nmea", "-o", "a.drive.json", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      #expect(object["duration_s"] as? Double == 79)
      #expect(object["start_time"] as? String == "2024-05-01T12:00:00.000Z")
      // 49 steps of 10.5 m, all longer than the filter, from the first of 50 places.
      #expect(object["coordinates"] as? Int == 50)
      #expect(abs((object["distance_m"] as? Double ?? 0) - 49 * 10.5) < 1)
      #expect(object["filtered"] as? Int == 30)
      let ghost = try folder.run("ghost", "a.drive.json", "--at", "48", "--json")
      // At the light since 19 s: twenty steps on.
      let place = try jsonObject(ghost.output)
      #expect(abs((place["lat"] as? Double ?? 0) - (46.5 + 20 * 10.5 / 111_194.9)) < 2e-6)
      #expect(try folder.names() == ["a.drive.json", "log.nmea"])
    }
  }

  @Test("GPX keeps the times of the fixes")
  func gpx() throws {
    try withLog { folder throws in
      let outcome = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let info = try jsonObject(try folder.run("info", "--json", "a.gpx").output)
      #expect(info["first_time"] as? String == "2024-05-01T12:00:00.000Z")
      #expect(info["last_time"] as? String == "2024-05-01T12:01:19.000Z")
      #expect(info["trackpoints"] as? Int == 51)
    }
  }

  @Test("A recording that was killed is recovered, and nothing is overwritten before")
  func recovery() throws {
    try withLog { folder throws in
      // The pipe stays open, so that the recording goes on until it is killed.
      let line = """
        (cat log.nmea; sleep 20) | $GHOST_CONVERT record --nmea - --clock fixes -o a.gpx 2>/dev/null & \
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \
        sleep 0.2; test "$(wc -l < a.gpx.checkpoint 2>/dev/null || echo 0)" -ge 5 && break; done; \
        kill -9 $!; wait $! 2>/dev/null; true
        """
      _ = try folder.shell(line)
      let again = try folder.run("record", "--nmea", "log.nmea", "-o", "a.gpx")
      #expect(again.status == 73)
      #expect(again.errors.contains("--recover"))
      let outcome = try folder.run("record", "--recover", "a.gpx.checkpoint", "--json")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let object = try jsonObject(outcome.output)
      #expect((object["coordinates"] as? Int ?? 0) >= 40)
      #expect((object["duration_s"] as? Double ?? 0) >= 64)
      // A second time it would overwrite the drive.
      #expect(try folder.run("record", "--recover", "a.gpx.checkpoint").status == 73)
    }
  }

  @Test(
    "What cannot be recorded is said before anything is made",
    arguments: [
      ([], 64), (["--nmea", "log.nmea"], 64), (["--nmea", "log.nmea", "-o", "a.what"], 64),
      (["--nmea", "log.nmea", "-o", "-"], 64), (["--gpsd", "localhost:x", "-o", "a.gpx"], 64),
      (["--nmea", "log.nmea", "--gpsd", "localhost", "-o", "a.gpx"], 64),
      (["--nmea", "missing.nmea", "-o", "a.gpx"], 66), (["--gpsd", "localhost:1", "-o", "a.gpx"], 66),
      (["--nmea", "log.nmea", "-o", "no/such/a.gpx"], 73), (["--recover", "missing.checkpoint"], 66),
    ] as [([String], Int32)])
  func refused(arguments: [String], status: Int32) throws {
    try withLog { folder throws in
      let before = try folder.names()
      let outcome = try GhostConvertProgram.run(["record"] + arguments, in: folder.url)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.errorLines.count >= 1)
      #expect(try folder.names() == before)
    }
  }

  @Test("A log without a fix says so")
  func noFix() throws {
    try withLog { folder throws in
      let text = Self.sentence("GPRMC,120000,V,,,,,,,010524,,,N") + "\r\n"
      try folder.write(text, to: "none.nmea")
      let outcome = try folder.run("record", "--nmea", "none.nmea", "-o", "a.gpx")
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("no fix came in"))
    }
  }
}
