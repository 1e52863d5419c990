import Testing
import TrackModel

@testable import TrackFormats

@Suite("Clock of a camera")
struct CameraClockTests {
  /// 2024-05-17T06:12:30Z in microseconds since 1970.
  private static let start: Int64 = 1_715_926_350_000_000

  private func clock(_ seconds: Range<Int>, _ delay: (Int) -> Double) -> CameraClock {
    var clock = CameraClock()
    for second in seconds {
      clock.observe(Self.start + Int64((Double(second) + delay(second)) * 1e6), at: Double(second))
    }
    return clock
  }

  /// Returns the seconds by which the time of a moment differs from the film's timing.
  private func delay(_ clock: CameraClock, _ media: Double) throws -> Double {
    Double(try #require(clock.time(at: media)) - Self.start) / 1e6 - media
  }

  @Test("The drift of the camera's clock follows from all times, and short films have none")
  func drift() throws {
    let long = clock(0..<601) { Double($0) * 1e-4 }
    for media in [0, 300, 600.0] { #expect(abs(try delay(long, media) - media * 1e-4) < 1e-5) }
    let short = clock(0..<31) { Double($0) * 1e-4 }
    #expect(try delay(short, 30) == 0)
    // A step of a second per second is not drift.
    let wrong = clock(0..<100) { Double($0) * 0.01 }
    #expect(try delay(wrong, 99) == 0)
  }

  @Test("Late times vary around the line instead of moving points")
  func jitter() throws {
    // Times that are late by 0, 0.1, …, 0.9 s in turn have no drift.
    let clock = clock(0..<600) { Double($0 % 10) / 10 }
    var last = try #require(clock.time(at: 0))
    for media in 1..<600 {
      let time = try #require(clock.time(at: Double(media)))
      #expect(abs(time - last - 1_000_000) < 300)
      last = time
    }
  }

  @Test("A lasting step of the clock starts another line, and a single one is ignored")
  func steps() throws {
    let step = clock(0..<20) { $0 < 10 ? 0 : 3600 }
    #expect(try delay(step, 9) == 0)
    #expect(try delay(step, 10) == 3600)
    let single = clock(0..<20) { $0 == 10 ? 3600 : 0 }
    #expect(try delay(single, 10) == 0)
    #expect(try delay(single, 19) == 0)
    // The first time was wrong.
    let first = clock(0..<20) { $0 == 0 ? -500 : 0 }
    #expect(try delay(first, 0) == 0)
  }

  @Test("Repeated times are old, and seconds out of range have no time")
  func limits() throws {
    var clock = CameraClock()
    #expect(clock.time(at: 0) == nil)
    for second in 0..<3 { clock.observe(Self.start, at: Double(second)) }
    #expect(try delay(clock, 2) == 0)
    #expect(clock.time(at: 1e300) == nil)
    #expect(clock.time(at: .infinity) == nil)
  }
}
