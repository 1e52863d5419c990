import Testing
import TrackModel

@testable import TrackFormats

@Suite("The timer of a device")
struct FITTimerTests {
  /// Rows at which segments begin.
  private func cuts(_ timer: inout FITTimer, _ times: [Int64], ran: Double? = nil) -> [Int] {
    timer.order(ran: ran)
    return times.indices.filter { timer.begins(at: $0, times, isCamera: false) }
  }

  private func seconds(_ seconds: ClosedRange<Int64>) -> [Int64] { seconds.map { $0 * 1_000_000 } }

  @Test("It goes on where the points before were delivered", arguments: [5, 10, 12, 15, 20, 25])
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

  @Test("Without times the order of the file tells")
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
    "Before its first start and behind its last stop it stood where the sessions say so too",
    arguments: [
      (nil, [2]), (3, [0, 1, 2, 7, 8, 9]), (4.5, [0, 1, 2, 7, 8, 9]), (9, [2]),
    ] as [(Double?, [Int])])
  func ends(ran: Double?, expected: [Int]) {
    var timer = FITTimer()
    timer.start(2_000_000, row: 0, cameraRow: 0)
    timer.stop(5_000_000)
    #expect(cuts(&timer, seconds(0...9), ran: ran) == expected)
  }

  @Test("Stops are not believed where the sessions say that it ran longer")
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
