import GhostModel
import TestSupport
import Testing
import TrackModel

struct RecorderJournalTests {
  /// A drive with a pause: after each call, the recorder and the bytes of its journal so far.
  static let steps: [(recorder: DriveRecorder, journal: [UInt8])] = {
    var steps: [(DriveRecorder, [UInt8])] = []
    var recorder = DriveRecorder()
    var journal = RecorderJournal()
    var bytes: [UInt8] = []
    func keep() {
      if let line = journal.checkpoint(of: recorder) { bytes += line }
      steps.append((recorder, bytes))
    }
    recorder.start(at: Recording.origin)
    keep()
    for second in 1...200 {
      let seconds = Double(second)
      if second == 70 { recorder.pause(at: Recording.instant(seconds)) }
      if second == 90 { recorder.resume(at: Recording.instant(seconds)) }
      // A stop of 60 s, beginning at 110 s.
      let metres = 12 * (seconds < 110 ? seconds : max(110, seconds - 60))
      recorder.add(DriveRecorderTests.fix(seconds, metres), at: Recording.instant(seconds))
      keep()
    }
    recorder.stop(at: Recording.instant(201))
    keep()
    return steps
  }()

  @Test("After a crash at any time, at most ten coordinates and fifteen seconds are lost")
  func crash() throws {
    for (recorder, journal) in Self.steps {
      let recovered = try RecorderJournal.recover(from: journal).recorder
      #expect(recorder.route.count - recovered.route.count <= 10)
      #expect(recovered.duration <= recorder.duration)
      #expect(recorder.duration - recovered.duration <= 15)
      // A recovered point equals the recorded one, except for the time that the car stayed at the last point.
      #expect(
        recovered.route.map(\.coordinate) == recorder.route.prefix(recovered.route.count).map(\.coordinate))
      #expect(recovered.state != .recording)
    }
  }

  @Test("A stopped recording is recovered completely")
  func whole() throws {
    let last = try #require(Self.steps.last)
    let recovered = try RecorderJournal.recover(from: last.journal).recorder
    #expect(recovered.route == last.recorder.route)
    #expect(recovered.duration == last.recorder.duration)
    #expect(recovered.distance == last.recorder.distance)
    #expect(recovered.stretches == last.recorder.stretches)
    #expect(recovered.refusals == last.recorder.refusals)
    #expect(recovered.filteredCount == last.recorder.filteredCount)
    #expect(recovered.recording == last.recorder.recording)
  }

  @Test(
    "The times of positions in earlier checkpoints are those after a correction of the clock",
    arguments: [nil, 15] as [Double?])
  func correction(since first: Double?) throws {
    var recorder = DriveRecorder()
    var journal = RecorderJournal()
    var bytes: [UInt8] = []
    func record(_ seconds: ClosedRange<Int>, shifted shift: Double) {
      for second in seconds {
        let time = Double(second) + shift
        recorder.add(DriveRecorderTests.fix(time, 12 * Double(second)), at: Recording.instant(time))
        bytes += journal.checkpoint(of: recorder) ?? []
      }
    }
    recorder.start(at: Recording.origin)
    record(1...25, shifted: 0)
    recorder.correctClock(by: 3600, since: first.map(Recording.instant))
    record(26...40, shifted: 3600)
    recorder.stop(at: Recording.instant(3641))
    bytes += journal.checkpoint(of: recorder) ?? []
    let times = try RecorderJournal.recover(from: bytes).recorder.route.map(\.time)
    let expected = (1...40).map { second in
      Recording.instant(Double(second) + (Double(second) >= first ?? 0 ? 3600 : 0)).microseconds
    }
    #expect(times == expected)
  }

  @Test("A line that was truncated by the crash is skipped, wherever it was truncated")
  func cut() throws {
    let journal = try #require(Self.steps.last).journal
    let lines = journal.split(separator: UInt8(ascii: "\n"))
    let firstLine = try #require(journal.firstIndex(of: UInt8(ascii: "\n")))
    var complete: (lines: Int, recorder: DriveRecorder)?
    for length in stride(from: firstLine + 1, to: journal.count, by: 29) {
      let recovered = try RecorderJournal.recover(from: Array(journal.prefix(length))).recorder
      let whole = journal.prefix(length).count { $0 == UInt8(ascii: "\n") }
      if complete?.lines != whole {
        complete = (
          whole,
          try RecorderJournal.recover(from: Array(lines.prefix(whole).joined(separator: [10])) + [10])
            .recorder
        )
      }
      #expect(recovered == complete?.recorder)
    }
  }

  @Test("Only the positions of a damaged line are lost, and the line is counted", arguments: [0, 3, 7, 12])
  func damagedLine(_ line: Int) throws {
    let last = try #require(Self.steps.last)
    var lines = last.journal.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    lines[line][0] = UInt8(ascii: "x")
    let recovery = try RecorderJournal.recover(from: Array(lines.joined(separator: [10])) + [10])
    #expect(recovery.warnings.map(\.count) == [1])
    #expect(recovery.warnings.first?.place.line == line + 1)
    let route = recovery.recorder.route.map(\.coordinate)
    let whole = last.recorder.route.map(\.coordinate)
    // A checkpoint has at most ten coordinates, and the last one of the previous checkpoint.
    #expect(whole.count - route.count <= RecorderJournal.interval + 1)
    let first = zip(whole, route).prefix { $0 == $1 }.count
    #expect(route[first...].elementsEqual(whole.suffix(route.count - first)))
    #expect(recovery.recorder.duration == last.recorder.duration)
    #expect(recovery.recorder.stretches.count == last.recorder.stretches.count)
    #expect(recovery.recorder.stretches.allSatisfy { $0.firstRow <= route.count })
  }

  @Test("Overwritten bytes never crash", arguments: 1...50)
  func damaged(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var journal = try #require(Self.steps.last).journal
    for _ in 0..<3 {
      journal[Int.random(in: 0..<journal.count, using: &generator)] = .random(in: 0...255, using: &generator)
    }
    // A changed digit may not be detected, but the result is a valid recorder.
    if let recovered = try? RecorderJournal.recover(from: journal).recorder {
      #expect(recovered.duration >= 0)
      _ = try? recovered.drive(name: "")
    }
  }

  @Test("A recovered recording can be continued")
  func resumed() throws {
    let step = Self.steps[40]
    var recovered = try RecorderJournal.recover(from: step.journal).recorder
    let before = recovered.duration
    recovered.resume(at: Recording.instant(1000))
    recovered.add(DriveRecorderTests.fix(1001, 5000), at: Recording.instant(1001))
    recovered.stop(at: Recording.instant(1003))
    #expect(recovered.duration == before + 3)
    #expect(recovered.stretches.count == 2)
  }

  @Test("A file that is not a journal throws an error")
  func foreign() {
    expectError(.malformed) { try RecorderJournal.recover(from: Array("hello\n".utf8)) }
    expectError(.truncated) { try RecorderJournal.recover(from: []) }
    // A file of zeros is what some file systems leave after a power failure.
    expectError(.malformed) {
      try RecorderJournal.recover(from: Array(repeating: 0, count: 100))
    }
  }

  @Test(
    "A checkpoint with impossible values is not used",
    arguments: [
      #""filtered":9223372036854775807"#, #""refused":{"stale":9223372036854775807}"#, #""distance":1e300"#,
      #""maximumSpeed":-1"#, #""stretches":[{"start":-9000000000000000000,"firstRow":0}]"#,
      #""points":[{"latitude":46,"longitude":7,"time":9000000000000000000}]"#,
    ])
  func impossible(change: String) throws {
    let values = [
      #""checkpoint":1"#, #""state":"recording""#, #""duration":10"#, #""distance":0.1"#,
      #""maximumSpeed":10"#,
      #""filtered":0"#, #""refused":{}"#, #""stretches":[{"start":0,"firstRow":0}]"#, #""from":0"#,
      #""points":[{"latitude":46,"longitude":7,"time":0}]"#,
    ]
    func journal(_ values: [String]) -> [UInt8] { Array("{\(values.joined(separator: ","))}\n".utf8) }
    #expect(try RecorderJournal.recover(from: journal(values)).recorder.route.count == 1)
    let key = change.prefix { $0 != ":" }
    let changed = values.map { $0.hasPrefix(key + ":") ? change : $0 }
    expectError(.malformed) { try RecorderJournal.recover(from: journal(changed)) }
  }

  @Test("The size of a checkpoint does not depend on the length of the drive")
  func constantSize() throws {
    var recorder = DriveRecorder()
    var journal = RecorderJournal()
    recorder.start(at: Recording.origin)
    var sizes: [Int] = []
    for second in 1...3000 {
      recorder.add(
        DriveRecorderTests.fix(Double(second), 12 * Double(second)), at: Recording.instant(Double(second)))
      if let line = journal.checkpoint(of: recorder) { sizes.append(line.count) }
    }
    #expect(sizes.count >= 300)
    #expect(try #require(sizes.last) < 3 * sizes[2])
  }
}
