import CMath
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Onset of motion")
struct MotionOnsetTests {
  @Test(
    "The departure is found regardless of earlier jitter", arguments: [0.0, 2.5, 6], [0.0, 20, 60])
  func onset(noise: Double, idle: Double) throws {
    let drive = SimulatedDrive(SimulatedRoad().straight(2000), speed: 14, idle: (idle, idle / 2))
    let places = TimedPlaces(try drive.trace("a", noise: noise, seed: 3))
    let tolerance = noise > 5 ? 5.0 : 2
    let start = try #require(MotionOnset(places)).moment
    #expect(abs(start - drive.motionStart) < tolerance)
    let end = try #require(MotionOnset(places.backwards)).moment
    #expect(abs(places.duration - end - drive.motionEnd) < tolerance)
  }

  @Test("A drive that stays in one place has no onset")
  func parked() throws {
    let coordinates = (0..<200).map { Coordinate(latitude: 47 + Double($0 % 7) * 2e-5, longitude: 8) }
    let trace = try TimedDrive(
      label: "parked", coordinates: coordinates, elapsed: (0..<200).map { Double($0) })
    #expect(MotionOnset(TimedPlaces(trace)) == nil)
    #expect(MatchablePolyline(trace).count == 0)
  }

  @Test("The place of the departure is near the last fixes of a position that settles")
  func settles() throws {
    // 25 m to the north at first and 2.6 m when the car departs to the east after 45 s. On average 10 m.
    let coordinates = (0...105).map { second in
      let seconds = Double(second)
      let driven = second < 45 ? 0 : min((seconds - 45) * (seconds - 45), 12 * (seconds - 45))
      return Coordinate(latitude: 47 + 25 * exp(-seconds / 20) / 111_180, longitude: 8 + driven / 75_900)
    }
    let trace = try TimedDrive(
      label: "settling", coordinates: coordinates, elapsed: (0...105).map { Double($0) })
    let onset = try #require(MotionOnset(TimedPlaces(trace)))
    #expect(abs(onset.moment - 45) < 3)
    let origin = EarthFixed.vector(latitude: 47, longitude: 8)
    #expect((onset.place - origin).length < 5)
    #expect((2...6).contains(onset.placeError))
  }

  @Test("Outliers at the beginning are not motion")
  func coldStart() throws {
    // 60 m away for five seconds, then at the start for a minute, then driving.
    var metres = [Double](repeating: -60, count: 5)
    metres += [Double](repeating: 0, count: 60)
    for second in 1...60 {
      let seconds = Double(second)
      metres.append(seconds < 8 ? 0.9 * seconds * seconds : 14.4 * seconds - 57.6)
    }
    let coordinates = metres.map { Coordinate(latitude: 47 + $0 / 111_180, longitude: 8) }
    let trace = try TimedDrive(
      label: "cold", coordinates: coordinates, elapsed: metres.indices.map { Double($0) })
    let start = try #require(MotionOnset(TimedPlaces(trace))).moment
    #expect(abs(start - 64) < 3)
  }

  @Test(
    "A recording that begins at speed before a light begins with its first fix, or another drive decides",
    arguments: [31.0, 35, 40, 50], [20, 45])
  func lightAfterRollingStart(distance: Double, seconds: Int) throws {
    // Brakes from 11 m/s at 2 m/s² to the light, waits there, and continues.
    let braking = 11.0 * 11 / 4
    var metres: [Double] = []
    var second = 0.0
    func approach(_ second: Double) -> Double {
      let cruise = (distance - braking) / 11
      let left = max(0, 11 / 2 - max(0, second - cruise))
      return distance - (second < cruise ? (cruise - second) * 11 + braking : left * left)
    }
    while approach(second) < distance - 0.01 {
      metres.append(approach(second))
      second += 1
    }
    metres += [Double](repeating: distance, count: seconds)
    for second in 1...40 {
      let seconds = Double(second)
      metres.append(distance + (seconds < 7 ? seconds * seconds : 14 * seconds - 49))
    }
    let coordinates = metres.map { Coordinate(latitude: 47 + $0 / 111_180, longitude: 8) }
    let trace = try TimedDrive(
      label: "light", coordinates: coordinates, elapsed: metres.indices.map { Double($0) })
    let mirrored = try TimedDrive(
      label: "mirrored", coordinates: coordinates.reversed(), elapsed: metres.indices.map { Double($0) })
    for places in [TimedPlaces(trace), TimedPlaces(mirrored).backwards] {
      let onset = try #require(MotionOnset(places))
      #expect(onset.moment == 0 || onset.rollingStart?.likelihood == .likely)
    }
  }

  @Test(
    "First positions that settle from any direction are not motion",
    arguments: [0.0, 60, 120, 180, 240, 300], [30.0, 50, 70])
  func settlingPositions(degrees: Double, distance: Double) throws {
    // The distance falls to a third in 5 s. The car leaves to the north after 60 s.
    let angle = degrees * .pi / 180
    let plane = Projection.plane(latitude: 47, longitude: 8)
    let coordinates = (0..<120).map { second in
      let moment = Double(second)
      let driven = max(moment - 60, 0)
      let left = moment < 60 ? distance * exp(-moment / 5) : 0
      return plane.coordinate(
        SIMD2(
          left * sin(angle),
          left * cos(angle) + (driven < 7 ? driven * driven : 14 * driven - 49)))
    }
    let trace = try TimedDrive(
      label: "settling", coordinates: coordinates, elapsed: coordinates.indices.map { Double($0) })
    let onset = try #require(MotionOnset(TimedPlaces(trace)))
    #expect(onset.isStationary && abs(onset.moment - 60) < 2)
  }

  @Test(
    "A car that accelerates from its first fix begins at rest, one that passes it at speed does not",
    arguments: [5.5, 8, 14], [1.0, 3, 5])
  func firstFix(speed: Double, interval: Double) throws {
    let car = SimulatedDrive(SimulatedRoad().straight(2000), speed: speed)
    let places = TimedPlaces(try car.trace("a", .every(interval), noise: 1, seed: 5))
    #expect(try #require(MotionOnset(places)).isStationary)
    let later = try #require((0..<places.count).first { places.time($0) >= 20 })
    #expect(try !#require(MotionOnset(places.dropFirst(later))).isStationary)
  }

  @Test("A receiver that records a fix every 10 m drifts while the car is parked", arguments: [1, 2, 3])
  func distanceFilter(count: Int) throws {
    // The fixes of the parked car are 12 m apart. It leaves at 100 s with 2 m/s², and then drives at 12 m/s.
    let parked = [(0.0, 0.0, 0.0), (60, 8, -9), (80, 5, 11.5)].suffix(count)
    let fixes = Array(parked) + [(103.5, 17, 8), (107, 53, 8), (110, 89, 8), (114, 137, 8), (118, 185, 8)]
    let plane = Projection.plane(latitude: 47, longitude: 8)
    let trace = try TimedDrive(
      label: "a", coordinates: fixes.map { plane.coordinate(SIMD2($0.2, $0.1)) },
      elapsed: fixes.map { $0.0 - fixes[0].0 })
    #expect(abs(try #require(MotionOnset(TimedPlaces(trace))).moment - 100 + fixes[0].0) < 3)
  }

  @Test("First fixes at an old position far away are left out", arguments: [1, 3, 8, 20])
  func staleFixes(seconds: Int) throws {
    // 420 m from the road for some seconds, then at 13 m/s on it.
    let coordinates = (0..<120).map { second in
      Coordinate(
        latitude: 47 + 13 * Double(second) / 111_180, longitude: second < seconds ? 8 + 420.0 / 75_900 : 8)
    }
    let trace = try TimedDrive(
      label: "stale", coordinates: coordinates, elapsed: coordinates.indices.map { Double($0) })
    let onset = try #require(MotionOnset(TimedPlaces(trace)))
    #expect(onset.moment == Double(seconds))
    #expect(!onset.isStationary)
    // A single fix, and the next one when the position is known.
    let gap = try TimedDrive(
      label: "gap", coordinates: [coordinates[0]] + coordinates[seconds...],
      elapsed: [0] + (seconds..<120).map { Double($0) })
    // A car may drive 420 m in 20 s.
    #expect(try #require(MotionOnset(TimedPlaces(gap))).moment == (seconds < 20 ? Double(seconds) : 0))
  }

  @Test(
    "A drive at speed begins at its first fix, even if its position freezes soon after it",
    arguments: [(speed: 7.0, seconds: 6), (14, 4), (30, 3)], [5, 10, 20])
  func frozen(_ freeze: (speed: Double, seconds: Int), from start: Int) throws {
    for acceleration in [0, 0.15] {
      let metres = (0..<120).map { second in
        let shown = Double(second < start || second >= start + freeze.seconds ? second : start)
        return freeze.speed * shown + acceleration * shown * shown / 2
      }
      let trace = try TimedDrive(
        label: "frozen", coordinates: metres.map { Coordinate(latitude: 47 + $0 / 111_180, longitude: 8) },
        elapsed: metres.indices.map { Double($0) })
      let onset = try #require(MotionOnset(TimedPlaces(trace)))
      #expect(onset.moment == 0 && !onset.isStationary)
    }
  }

  @Test("Slow drift of the receiver in a parked car is not motion", arguments: [14.0, 20])
  func slowDrift(radius: Double) throws {
    // Around a circle in eight minutes, at 0.18 or 0.26 m/s, for fifteen minutes; then driving.
    var metres = (0..<900).map { second in
      let angle = 2 * Double.pi * Double(second) / 480
      return SIMD2(radius * (1 - cos(angle)), radius * sin(angle))
    }
    let last = metres[899]
    for second in 1...60 {
      let seconds = Double(second)
      metres.append(last + SIMD2(seconds < 8 ? 0.9 * seconds * seconds : 14.4 * seconds - 57.6, 0))
    }
    let coordinates = metres.map { Coordinate(latitude: 47 + $0.x / 111_180, longitude: 8 + $0.y / 75_900) }
    let trace = try TimedDrive(
      label: "drifting", coordinates: coordinates, elapsed: metres.indices.map { Double($0) })
    let start = try #require(MotionOnset(TimedPlaces(trace))).moment
    #expect(abs(start - 899) < 4)
  }

  @Test("Jumps of the receiver in a parked car are not motion", arguments: [25, 60])
  func jumps(period: Int) throws {
    // Repeated jumps of about 20 m for five minutes, then driving.
    let places = [SIMD2(0.0, 0.0), SIMD2(18, 6), SIMD2(-12, 15), SIMD2(14, -16), SIMD2(-17, -9)]
    var metres = (0..<300).map { places[$0 / period % places.count] }
    let last = metres[299]
    for second in 1...60 {
      let seconds = Double(second)
      metres.append(last + SIMD2(seconds < 8 ? 0.9 * seconds * seconds : 14.4 * seconds - 57.6, 0))
    }
    let coordinates = metres.map { Coordinate(latitude: 47 + $0.x / 111_180, longitude: 8 + $0.y / 75_900) }
    let trace = try TimedDrive(
      label: "jumping", coordinates: coordinates, elapsed: metres.indices.map { Double($0) })
    let start = try #require(MotionOnset(TimedPlaces(trace))).moment
    #expect(abs(start - 299) < 3)
  }

  @Test("A jump of the receiver seconds before the departure is not motion", arguments: [0.5, 1, 2, 10])
  func jumpBeforeDeparture(seconds: Double) throws {
    // At rest with a fix every 4 s, 40 m away for one fix, and back 3 s later. The car leaves with 2 m/s².
    let departure = 60 + seconds
    var fixes = stride(from: 0.0, to: 56, by: 4).map { ($0, ($0 / 4).truncatingRemainder(dividingBy: 3) - 1) }
    fixes.append((60, 40))
    fixes += stride(from: 63, to: 140, by: 3).map { time in
      let driven = max(time - departure, 0)
      return (time, driven < 7 ? driven * driven : 49 + 14 * (driven - 7))
    }
    let coordinates = fixes.map { Coordinate(latitude: 47 + $0.1 / 111_195, longitude: 8) }
    let trace = try TimedDrive(label: "a", coordinates: coordinates, elapsed: fixes.map { $0.0 })
    #expect(abs(try #require(MotionOnset(TimedPlaces(trace))).moment - departure) < 2)
  }

  @Test(
    "With a fix every few seconds, a car that drives 50 m to a light did not jump there",
    arguments: [2.0, 3, 4, 5], [0.0, 0.5, 1, 1.5, 2])
  func moveToLight(interval: Double, phase: Double) throws {
    // At rest for 30 s; accelerates to 10 m/s and brakes, both at 2 m/s²; waits for 60 s; drives on.
    func metres(_ second: Double) -> Double {
      let moving = second - 30
      return switch moving {
      case ..<0: 0
      case ..<5: moving * moving
      case ..<10: 50 - (10 - moving) * (10 - moving)
      case ..<70: 50
      case ..<75: 50 + (moving - 70) * (moving - 70)
      default: 75 + 10 * (moving - 75)
      }
    }
    let elapsed = Array(stride(from: 0, through: 180, by: interval))
    let coordinates = elapsed.map { Coordinate(latitude: 47 + metres($0 + phase) / 111_180, longitude: 8) }
    let places = TimedPlaces(try TimedDrive(label: "", coordinates: coordinates, elapsed: elapsed))
    #expect(abs(try #require(MotionOnset(places)).moment + phase - 30) < interval / 2 + 1)
  }

  @Test("The drift of a receiver before a walk is not the onset")
  func walk() throws {
    let road = SimulatedRoad().straight(300)
    let errors: [Double] = try (1...40).map { seed in
      let walk = SimulatedDrive(road, speed: 1.4, idle: (60, 0))
      let onset = try #require(MotionOnset(TimedPlaces(try walk.trace("a", noise: 4, seed: UInt64(seed)))))
      return onset.moment - walk.motionStart
    }
    // Least squares on the positions: 2 s early on average, and an error above 2.2 s in half of the cases.
    let mean = errors.reduce(0, +) / 40
    #expect(abs(mean) < 1.75)
    #expect(errors.map(abs).sorted()[20] < 2)
  }

  @Test("If the receiver jumps at the end of a recording, the drive ends where the car is parked")
  func jumpAtEnd() throws {
    var metres = (0...60).map { SIMD2(14 * Double($0), 0) }
    metres += [SIMD2<Double>](repeating: SIMD2(840, 0), count: 80)
    for index in [138, 139, 140] { metres[index] = SIMD2(868, 20) }
    for index in [130, 131] { metres[index] = SIMD2(840, 24) }
    let coordinates = metres.map { Coordinate(latitude: 47 + $0.x / 111_180, longitude: 8 + $0.y / 75_900) }
    let trace = try TimedDrive(
      label: "jumping", coordinates: coordinates, elapsed: metres.indices.map { Double($0) })
    let end = try #require(MotionOnset(TimedPlaces(trace).backwards)).moment
    #expect(abs(140 - end - 60) < 3)
  }

  @Test("If the receiver jumps twice in the last seconds, the drive ends where the car is parked")
  func twoJumpsAtEnd() throws {
    // Five fixes per second: arrival after 60 s, parked for 90 s, 3 s at a second place, one fix at a third.
    var metres = (0...300).map { SIMD2(2.8 * Double($0), 0) }
    metres += [SIMD2<Double>](repeating: SIMD2(840, 0), count: 450)
    metres += [SIMD2<Double>](repeating: SIMD2(818, -20), count: 15)
    metres.append(SIMD2(861, 15))
    let coordinates = metres.map { Coordinate(latitude: 47 + $0.x / 111_180, longitude: 8 + $0.y / 75_900) }
    let trace = try TimedDrive(
      label: "jumping", coordinates: coordinates, elapsed: metres.indices.map { 0.2 * Double($0) })
    let end = try #require(MotionOnset(TimedPlaces(trace).backwards)).moment
    #expect(abs(trace.duration - end - 60) < 3)
  }

  @Test("If only the last of a few sparse fixes is far away, the receiver jumped, not the car")
  func jumpOfLastFix() throws {
    // Arrival after 60 s, then a fix every 5 s. A car would need 4.4 m/s² for the last 35 m in 4 s.
    let driven = (0...12).map { index -> (time: Double, place: SIMD2<Double>) in
      (time: 5 * Double(index), place: SIMD2<Double>(70 * Double(index), 0))
    }
    let parked = (13...40).map { index -> (time: Double, place: SIMD2<Double>) in
      let side = index % 2 == 0 ? 1.5 : -1.5
      return (time: 5 * Double(index), place: SIMD2<Double>(840, side))
    }
    let fixes = driven + parked + [(time: 204, place: SIMD2(868, 21))]
    let coordinates = fixes.map {
      Coordinate(latitude: 47 + $0.place.x / 111_180, longitude: 8 + $0.place.y / 75_900)
    }
    let trace = try TimedDrive(label: "jump", coordinates: coordinates, elapsed: fixes.map(\.time))
    let end = try #require(MotionOnset(TimedPlaces(trace).backwards)).moment
    #expect(abs(204 - end - 60) < 5)
  }

  @Test("If the receiver jumps twice in the last few fixes, the drive ends where the car is parked")
  func twoJumpsOfFewFixes() throws {
    // Arrival after 60 s, then a fix every 5 s, and more of them at the end. The receiver is 28 m away in one
    // of them and 25 m in the last, 11 s later.
    let driven = (0...12).map { index -> (time: Double, place: SIMD2<Double>) in
      (time: 5 * Double(index), place: SIMD2<Double>(70 * Double(index), 0))
    }
    let parked = (13...38).map { index -> (time: Double, place: SIMD2<Double>) in
      let side = index % 2 == 0 ? 0.5 : -0.5
      return (time: 5 * Double(index), place: SIMD2<Double>(840, side))
    }
    let last: [(time: Double, place: SIMD2<Double>)] = [
      (193, SIMD2(823, -22)), (196, SIMD2(840, 0)), (200, SIMD2(839, -1)), (201, SIMD2(840, 0)),
      (204, SIMD2(857, 18)),
    ]
    let fixes = driven + parked + last
    let coordinates = fixes.map {
      Coordinate(latitude: 47 + $0.place.x / 111_180, longitude: 8 + $0.place.y / 75_900)
    }
    let trace = try TimedDrive(label: "jumping", coordinates: coordinates, elapsed: fixes.map(\.time))
    let end = try #require(MotionOnset(TimedPlaces(trace).backwards)).moment
    #expect(abs(204 - end - 60) < 5)
  }

  @Test("A drive that leaves a light seconds before its end did not jump there")
  func lightBeforeEnd() throws {
    // At the light from 60 to 90 s, and at 16 m/s in the last steps of 3 s.
    let waiting = (21...30).map { $0 % 2 == 0 ? 841.0 : 839.0 }
    let metres = (0...20).map { 42 * Double($0) } + waiting + [858.0, 935, 984, 1032]
    let times = (0...30).map { 3 * Double($0) } + [94.0, 100, 103, 106]
    let coordinates = metres.map { Coordinate(latitude: 47 + $0 / 111_180, longitude: 8) }
    let trace = try TimedDrive(label: "light", coordinates: coordinates, elapsed: times)
    let end = MotionOnset(TimedPlaces(trace).backwards)
    #expect(end?.moment == 0 && end?.isStationary == false)
    #expect(end?.place == TimedPlaces(trace).backwards.place(0))
  }
}
