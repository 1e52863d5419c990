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

  /// Returns a clock that observes times in seconds since the start, one for each payload of 1.001 s.
  private func clock(times: [Double], payload: Double = 1.001) -> CameraClock {
    var clock = CameraClock()
    for (index, time) in times.enumerated() {
      clock.observe(Self.start + Int64((time * 1e6).rounded()), at: Double(index) * payload)
    }
    return clock
  }

  /// Returns the seconds since the start of a payload, or of a position in it.
  private func seconds(_ clock: CameraClock, _ index: Double, payload: Double = 1.001) throws -> Double {
    Double(try #require(clock.time(at: index * payload)) - Self.start) / 1e6
  }

  @Test("A time lapse has the times of the receiver", arguments: [2.0, 5, 10, 30])
  func timeLapse(factor: Double) throws {
    for count in [4, 8, 9, 60] {
      let clock = clock(times: (0..<count).map { Double($0) * factor })
      for index in [0, 0.5, 1, Double(count) - 1, Double(count) - 0.5] {
        #expect(abs(try seconds(clock, index) - index * factor) < 1e-5)
      }
    }
  }

  @Test("The pace of a time lapse can change, and can be that of real time in between")
  func changingPace() throws {
    var times = [0.0]
    for index in 0..<60 { times.append(times[index] + (index % 30 < 10 ? 1 : Double(3 + index % 7))) }
    let clock = clock(times: times)
    for (index, time) in times.enumerated() {
      #expect(abs(try seconds(clock, Double(index)) - time) < 1e-5)
    }
  }

  @Test("A payload of a time lapse can be a picture")
  func pictures() throws {
    let clock = clock(times: (0..<120).map { Double($0) * 10 }, payload: 1001.0 / 30_000)
    for index in [0.0, 60, 119] {
      #expect(abs(try seconds(clock, index, payload: 1001.0 / 30_000) - index * 10) < 1e-4)
    }
  }

  @Test("Wrong times of a time lapse are ignored", arguments: [0, 1, 20, 38, 39])
  func wrongTimes(index: Int) throws {
    for error in [-1e9, -500, 5000, 1e8] {
      var times = (0..<40).map { Double($0) * 10 }
      times[index] += error
      let clock = clock(times: times)
      for other in [0.0, 1, 5, 20, 38, 39] {
        #expect(abs(try seconds(clock, other) - other * 10) < 1e-4)
      }
    }
  }

  @Test("Films in real time keep their line if times jump, repeat or vary by a second")
  func realTime() throws {
    var state: UInt64 = 1
    var times = (0..<600).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(index) * 1.001 + Double(state >> 40) / Double(1 << 24)
    }
    times[100] += 4e5
    times[200] = times[199]
    let clock = clock(times: times)
    let first = try seconds(clock, 0)
    // The line's slope varies with the times by less than 1 ms in a second.
    for index in [0.0, 100, 200, 599] {
      #expect(abs(try seconds(clock, index) - first - index * 1.001) < 0.5)
    }
  }
}
