import CMath
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Recordings that begin or end between a stop and a place nearby")
struct RollingEndsTests {
  private typealias Fix = (seconds: Double, metres: Double, east: Double)

  private static func numbers(_ range: ClosedRange<Int>) -> [Double] { range.map { Double($0) } }

  /// A drive of 2 km to the north whose recording begins at 3 m/s, 20 m before a light at which it waits.
  private static let rolling: [Fix] =
    numbers(0...6).map { ($0, 3 * $0 - 20, 0) } + numbers(7...44).map { ($0, 0, 0) }
    + numbers(1...160).map { (44 + $0, 12.5 * $0, 0) }
  /// A drive on the same road that passes the light at 10 m/s.
  private static let passing: [Fix] = numbers(-30...200).map { ($0 + 30, 10 * $0, 0) }

  private static func trace(_ fixes: [Fix], isReversed: Bool) throws -> TimedDrive {
    let last = fixes[fixes.count - 1].seconds
    let ordered = isReversed ? fixes.reversed().map { (last - $0.seconds, $0.metres, $0.east) } : fixes
    return try TimedDrive(
      label: "a",
      coordinates: ordered.map {
        Coordinate(latitude: 47 + $0.1 / 111_195, longitude: 8 + $0.2 / 75_835)
      }, elapsed: ordered.map(\.0))
  }

  private static func gap(_ first: [Fix], _ second: [Fix], isReversed: Bool) throws -> Double {
    let traces = [try trace(first, isReversed: isReversed), try trace(second, isReversed: isReversed)]
    let result = try DriveComparison.compare(traces)
    return try #require(result.pairs[0].finalGap)
  }

  @Test(
    "A drive that rolls to a light, or away from it, is timed from its outer fix", arguments: [false, true])
  func rollsToLight(isReversed: Bool) throws {
    // From 20 m before the light to 2 km after it: 204 s and 202 s.
    let gap = try Self.gap(Self.rolling, Self.passing, isReversed: isReversed)
    #expect(abs(gap + 2) < 1.5)
  }

  /// A walk of 700 m to the north at 1.4 m/s, which begins 32 m before a place at which it waits for 60 s. It
  /// reaches that place in a bend, or its position settles there: the more slowly the nearer.
  private static func walk(settles: Bool) -> [Fix] {
    let approach: [Fix] = numbers(0...22).map {
      settles ? ($0, -32 * exp(-$0 / 8), 0) : ($0, min(1.4 * $0 - 32, 0), 3 * sin($0 / 22 * .pi))
    }
    return approach + numbers(23...83).map { ($0, settles ? -32 * exp(-$0 / 8) : 0, 0) }
      + numbers(1...500).map { (83 + $0, 1.4 * $0, 0) }
  }

  @Test(
    "A walk to a place nearby and a wait there are part of the way, and a receiver that settles is not",
    arguments: [false, true], [false, true])
  func walksToWait(settles: Bool, isReversed: Bool) throws {
    // From 40 m before the place of the wait.
    let other: [Fix] = Self.numbers(0...528).map { ($0, 1.4 * $0 - 40, 0) }
    let gap = try Self.gap(Self.walk(settles: settles), other, isReversed: isReversed)
    // From 32 m before it: 583 s and 523 s. From the place itself: 500 s each.
    #expect(abs(gap - (settles ? 0 : -60)) < 5)
  }

  @Test("A fix next to the other drive's road is the noise of a parked car", arguments: [false, true])
  func parked(isReversed: Bool) throws {
    let aside = Self.rolling.map { fix in fix.metres < 0 ? (fix.seconds, 0, -fix.metres) : fix }
    // From the light on: 160 s, and 200 s.
    let gap = try Self.gap(aside, Self.passing, isReversed: isReversed)
    #expect(abs(gap - 40) < 2)
  }

  /// A drive that brakes from 8 m/s to the light within one step of 6 s, waits 36 s there, and has a fix every
  /// 6 s.
  private static func braking(aside: Double = 0, after seconds: Double = 6) -> [Fix] {
    let first: Fix = (0, aside == 0 ? -24 : 0, aside)
    let waiting: [Fix] = (0...6).map { (seconds + 6 * Double($0), Double($0 % 2), 0) }
    let driving: [Fix] = numbers(1...28).map { (seconds + 36 + 6 * $0, 75 * $0 - 30, 0) }
    return [first] + waiting + driving
  }

  @Test("A drive that brakes within one step is timed from its outer fix", arguments: [false, true])
  func brakesInOneStep(isReversed: Bool) throws {
    // From 24 m before the light to 2,000 m after it: 204.4 s and 202.4 s.
    let gap = try Self.gap(Self.braking(), Self.passing, isReversed: isReversed)
    #expect(abs(gap + 2) < 3)
  }

  @Test(
    "A single step beside the road, or faster than the other drive, is a jump of a parked receiver",
    arguments: [(24.0, 6.0), (0, 1)])
  func jumpsInOneStep(aside: Double, seconds: Double) throws {
    // From the light on: 162.4 s and 200 s.
    let gap = try Self.gap(Self.braking(aside: aside, after: seconds), Self.passing, isReversed: false)
    #expect(abs(gap - 37.6) < 3)
  }

  @Test("A car that waits two minutes is parked, not at a light", arguments: [false, true])
  func longWait(isReversed: Bool) throws {
    let long = Self.rolling.flatMap { fix -> [Fix] in
      // The time at which the car leaves.
      fix.seconds < 44 ? [fix] : [(fix.seconds + 80, fix.metres, 0)]
    }
    let gap = try Self.gap(long, Self.passing, isReversed: isReversed)
    #expect(abs(gap - 40) < 2)
  }

  /// A drive on the same road that waits 20 s at the light.
  private static let waiting: [Fix] = passing.map { ($0.seconds + ($0.metres > 0 ? 20 : 0), $0.metres, 0) }

  @Test(
    "First fixes that may be those of a parked car are those of a moving one if both wait at the light",
    arguments: [false, true])
  func bothWait(isReversed: Bool) throws {
    let places = [-24.0, -12, -9.5, -7.5, -6, -3]
    let settling: [Fix] = Self.rolling.map { fix in
      (fix.seconds, fix.seconds < 6 ? places[Int(fix.seconds)] : max(fix.metres, 0), 0)
    }
    // From the light on: 160 s, and 200 s.
    let parked = try Self.gap(settling, Self.passing, isReversed: isReversed)
    #expect(abs(parked - 40) < 2)
    // From 24 m before it: 204 s, and 222.4 s.
    let moving = try Self.gap(settling, Self.waiting, isReversed: isReversed)
    #expect(abs(moving - 18.4) < 2)
  }

  @Test("A drive that moves to a light and waits there does not begin where the other one waits")
  func moveToLight() throws {
    // From rest to the light at 0 in 5 s, and on after 20 s.
    let move = [-16.0, -14, -10, -5, -1]
    var home: [Fix] = Self.numbers(0...19).map { ($0, -16, 0) }
    home += move.indices.map { (Double(20 + $0), move[$0], 0) }
    home += Self.numbers(25...45).map { ($0, 0, 0) }
    home += Self.numbers(1...160).map { (45 + $0, 12.5 * $0, 0) }
    // From 16 m before the light: 185 s, and 221.6 s.
    let gap = try Self.gap(home, Self.waiting, isReversed: false)
    #expect(abs(gap - 36.6) < 3)
  }

  @Test("A drive that another one does not continue is timed from the place where it stops")
  func sameDestination() throws {
    let short = Self.passing.filter { $0.metres >= 0 }.map { ($0.seconds - 30, $0.metres, $0.east) }
    let gap = try Self.gap(Self.rolling, short, isReversed: false)
    #expect(abs(gap - 40) < 2.5)
  }

  @Test(
    "A position that settles as fast as a car drives, and then stays for minutes, is that of a parked car",
    arguments: [false, true])
  func settlesFast(isReversed: Bool) throws {
    // It drifts around the place.
    let settling: [Fix] = Self.numbers(0...149).map { second in
      let left = exp(-second / 5)
      let drift = 4.5 * (1 - left)
      return (second, -34 * left + drift * cos(second / 3), 14 * left + drift * sin(second / 3))
    }
    let parked = settling + Self.numbers(0...160).map { (150 + $0, 12.5 * $0, 0) }
    // From the place of the departure: 160 s, and 200 s.
    let gap = try Self.gap(parked, Self.passing, isReversed: isReversed)
    #expect(abs(gap - 40) < 2.5)
  }

  /// The distances of a car that brakes before a light in metres, from each second.
  private static let brakes = [31.0, 25, 19.5, 14, 9, 5, 2]

  @Test(
    "Of two drives that roll to a light, both waits count, even if the road turns there",
    arguments: [false, true])
  func bothRoll(isReversed: Bool) throws {
    func drive(waitingUntil green: Int) -> [Fix] {
      Self.brakes.indices.map { (Double($0), 0, -Self.brakes[$0]) }
        + Self.numbers(Self.brakes.count...green).map { ($0, 0, 0) }
        + Self.numbers(1...160).map { (Double(green) + $0, 12.5 * $0, 0) }
    }
    let gap = try Self.gap(drive(waitingUntil: 45), drive(waitingUntil: 65), isReversed: isReversed)
    #expect(abs(gap - 20) < 1)
  }

  @Test(
    "The wait at a light counts if the other recording begins shortly before the light",
    arguments: [false, true])
  func beginsBeforeLight(isReversed: Bool) throws {
    let rolling: [Fix] =
      Self.brakes.indices.map { (Double($0), -Self.brakes[$0], 0) }
      + Self.numbers(Self.brakes.count...50).map { ($0, 0, 0) }
      + Self.numbers(1...160).map { (50 + $0, 12.5 * $0, 0) }
    let short = Self.passing.filter { $0.metres >= -20 }
    // From 20 m before the light, which the first drive passes after 1.9 s: 208.1 s, and 202 s.
    let gap = try Self.gap(
      rolling, short.map { ($0.seconds - short[0].seconds, $0.metres, 0) }, isReversed: isReversed)
    #expect(abs(gap + 6.1) < 1.5)
  }
}
