import Testing
import TrackModel

@testable import TrackFormats

@Suite("FIT timer")
struct FITTimerTests {
  /// The rows at which segments begin.
  private func cuts(_ timer: inout FITTimer, _ times: [Int64], ran: Double? = nil) -> [Int] {
    timer.order(ran: ran)
    return times.indices.filter { timer.step(to: $0, times, isCamera: false) != .ran }
  }

  /// The timer's steps by row, without the rows during which it ran.
  private func steps(_ timer: inout FITTimer, _ times: [Int64]) -> [Int: FITTimer.Step] {
    timer.order(ran: nil)
    var steps: [Int: FITTimer.Step] = [:]
    for row in times.indices {
      let step = timer.step(to: row, times, isCamera: false)
      if step != .ran { steps[row] = step }
    }
    return steps
  }

  private func seconds(_ seconds: ClosedRange<Int64>) -> [Int64] { seconds.map { $0 * 1_000_000 } }

  @Test(
    "The timer continues after the first part of the points was delivered",
    arguments: [5, 10, 12, 15, 20, 25])
  func continued(split: Int64) {
    var whole = FITTimer()
    for second in [0, 20] as [Int64] { whole.start(second * 1_000_000, row: 0, cameraRow: 0) }
    whole.stop(10_000_000)
    var first = whole
    let expected = [0] + Array(12...20)
    #expect(cuts(&whole, seconds(0...30)) == expected)
    let before = cuts(&first, seconds(0...split))
    var second = first.continued()
    let after = cuts(&second, seconds(split + 1...30))
    #expect(before + after.map { $0 + Int(split) + 1 } == expected)
  }

  @Test(
    "A stop and a restart in the second of a single point are not a pause",
    arguments: [
      ([10], .restarted), ([9], .stood), ([], .started), ([8, 10], .stood), ([11], .started),
    ] as [([Int64], FITTimer.Step)])
  func restart(stops: [Int64], expected: FITTimer.Step) {
    var timer = FITTimer()
    timer.start(0, row: 0, cameraRow: 0)
    for second in stops { timer.stop(second * 1_000_000) }
    timer.start(10_000_000, row: 0, cameraRow: 0)
    // A point every 5 s: no point is recorded between stop and start.
    let times = [0, 5, 10, 15].map { $0 * 1_000_000 } as [Int64]
    #expect(steps(&timer, times) == [0: .started, 2: expected])
  }

  @Test("A stop after a start in the same second ends only the part since that start")
  func stopBehindStart() {
    var timer = FITTimer()
    timer.start(0, row: 0, cameraRow: 0)
    timer.stop(5_000_000)
    // The timer ran twice, each time for the moment of one point.
    for second in [10, 15] as [Int64] {
      timer.start(second * 1_000_000, row: 0, cameraRow: 0)
      timer.stop(second * 1_000_000)
    }
    #expect(
      steps(&timer, [0, 5, 10, 15].map { $0 * 1_000_000 }) == [0: .started, 2: .stood, 3: .stood])
  }

  @Test("Stop and restart do not share a point unless exactly one point is in their second")
  func restartWithoutSharing() {
    func timer(row: Int) -> FITTimer {
      var timer = FITTimer()
      timer.start(0, row: 0, cameraRow: 0)
      timer.stop(10_000_000)
      timer.start(10_000_000, row: row, cameraRow: 0)
      return timer
    }
    var none = timer(row: 2)
    #expect(steps(&none, [0, 8, 12].map { $0 * 1_000_000 }) == [0: .started, 2: .started])
    var two = timer(row: 3)
    #expect(steps(&two, [0, 5, 10, 10, 15].map { $0 * 1_000_000 }) == [0: .started, 3: .started])
    // Half a second later is still the same second.
    var late = timer(row: 2)
    #expect(steps(&late, [0, 5_000_000, 10_500_000, 15_000_000]) == [0: .started, 2: .restarted])
  }

  @Test("The file's order decides between points in the second of a start", arguments: 1...4)
  func orderInSecond(row: Int) {
    var timer = FITTimer()
    timer.start(0, row: 0, cameraRow: 0)
    timer.start(10_000_000, row: row, cameraRow: 0)
    let times = [9_750_000, 10_000_000, 10_250_000, 10_500_000, 10_750_000, 11_000_000] as [Int64]
    // Before the first of them and after the last, the times decide.
    #expect(cuts(&timer, times) == [0, row])
  }

  @Test("Without times, the file's order decides")
  func withoutTimes() {
    var timer = FITTimer()
    timer.start(nil, row: 0, cameraRow: 0)
    timer.stop(nil)
    timer.start(nil, row: 3, cameraRow: 0)
    #expect(cuts(&timer, seconds(0...5)) == [0, 3])
    var untimed = FITTimer()
    untimed.start(7_000_000, row: 2, cameraRow: 0)
    #expect(cuts(&untimed, Array(repeating: Instant.absent, count: 4)) == [2])
  }

  @Test(
    "Before its first start and after its last stop, the timer is stopped if the session's timer time agrees",
    arguments: [
      (nil, [2]), (3, [0, 1, 2, 7, 8, 9]), (4.5, [0, 1, 2, 7, 8, 9]), (9, [2]),
    ] as [(Double?, [Int])])
  func ends(ran: Double?, expected: [Int]) {
    var timer = FITTimer()
    timer.start(2_000_000, row: 0, cameraRow: 0)
    timer.stop(5_000_000)
    #expect(cuts(&timer, seconds(0...9), ran: ran) == expected)
  }

  @Test("Stops are ignored if the sessions report a longer timer time")
  func unbelieved() {
    func timer() -> FITTimer {
      var timer = FITTimer()
      timer.start(0, row: 0, cameraRow: 0)
      timer.stop(1_000_000)
      timer.start(20_000_000, row: 0, cameraRow: 0)
      timer.stop(30_000_000)
      return timer
    }
    var believed = timer()
    #expect(cuts(&believed, seconds(0...30), ran: 11) == [0] + Array(3...20))
    var unbelieved = timer()
    #expect(cuts(&unbelieved, seconds(0...30), ran: 30) == [0, 20])
  }
}
