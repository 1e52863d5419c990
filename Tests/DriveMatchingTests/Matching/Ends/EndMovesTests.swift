import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Moves at the start or end of a drive")
struct EndMovesTests {
  /// A car that waits, moves up several times, and drives off.
  private struct QueuedCar {
    var idle = 20.0
    /// The lengths of the moves in metres, their speed in metres per second, and the pause after each in
    /// seconds.
    var moves: [Double]
    var speed = 1.5
    var pause = 6.0

    var departure: Double { idle + moves.reduce(0) { $0 + $1 / speed + pause } }

    /// The metres from the start at a moment.
    func metres(_ moment: Double) -> Double {
      var time = idle
      var place = 0.0
      for move in moves {
        if moment < time { return place }
        if moment < time + move / speed { return place + (moment - time) * speed }
        time += move / speed + pause
        place += move
      }
      let driven = max(moment - time, 0)
      // To 14 m/s in 7 s.
      return place + (driven < 7 ? driven * driven : 49 + 14 * (driven - 7))
    }

    /// The time at which the car finally leaves a place.
    func leaving(_ metres: Double) -> Double {
      var moment = 0.0
      while self.metres(moment) <= metres { moment += 0.01 }
      return moment
    }

    /// The fixes of each second on a road to the north, to 3 km after the first place.
    func trace(_ label: String, from start: Double = 0, noise: Double, seed: UInt64) throws -> TimedDrive {
      var noise = ReceiverNoise(noise, seed: seed)
      var coordinates: [Coordinate] = []
      var moment = 0.0
      while start + metres(moment) < 3000 {
        let place = SIMD2(0, start + metres(moment)) + noise.next(after: 1)
        coordinates.append(Projection.plane(latitude: 47, longitude: 8).coordinate(place))
        moment += 1
      }
      return try TimedDrive(
        label: label, coordinates: coordinates, elapsed: coordinates.indices.map { Double($0) })
    }
  }

  private static func queue(_ trace: TimedDrive) throws -> EndMoves? {
    let places = TimedPlaces(trace)
    return EndMoves(places, try #require(MotionOnset(places)))
  }

  @Test(
    "A car that moves once, and waits before and after it, begins at its first place",
    arguments: [1, 2, 3, 4] as [UInt64])
  func singleMove(seed: UInt64) throws {
    let car = QueuedCar(moves: [16], speed: 3, pause: 40)
    let queue = try #require(try Self.queue(car.trace("a", noise: 0.7, seed: seed)))
    #expect(queue.isSingle)
    let wait = try #require(queue.wait)
    #expect(abs(wait.arrival - (car.idle + 16.0 / 3)) < 3 && abs(wait.departure - car.departure) < 4)
    let first = try #require(queue.places.first)
    let last = try #require(queue.places.last)
    #expect(abs(first.departure - car.idle) < 3)
    #expect(abs((last.place - first.place).length - 16) < 3)
    #expect(abs(last.departure - car.departure) < 4)
  }

  @Test(
    "A single move is found among fixes every 4 s, and if the receiver drifts during the wait after it",
    arguments: [(1, 0.0), (1, 0.08), (4, 0.0)], [UInt64(1), 2, 3])
  func moveBeforeDrift(_ sampling: (step: Int, drift: Double), seed: UInt64) throws {
    let car = QueuedCar(moves: [20], speed: 3, pause: 40)
    let trace = try car.trace("a", noise: 0.7, seed: seed)
    let rows = stride(from: 0, to: trace.count, by: sampling.step)
    // 3 m forward in the pause.
    let coordinates = rows.map { row in
      let drift = sampling.drift * min(max(trace.elapsed[row] - 27, 0), 40)
      let place = trace.coordinate(at: row)
      return Coordinate(latitude: place.latitude + drift / 111_195, longitude: place.longitude)
    }
    let drifting = try TimedDrive(
      label: "a", coordinates: coordinates, elapsed: rows.map { trace.elapsed[$0] })
    let queue = try #require(try Self.queue(drifting))
    #expect(queue.isSingle)
    #expect(abs(try #require(queue.places.first).departure - car.idle) < 4)
  }

  @Test(
    "A single move is no queue if the receiver drifts by metres before and after it",
    arguments: [8.0, 16, 28], UInt64(1)...4)
  func moveAmongDrift(metres: Double, seed: UInt64) throws {
    let car = QueuedCar(idle: 30, moves: [metres], speed: 2.5, pause: 40)
    let trace = try car.trace("a", noise: 0.5, seed: seed)
    // 4 m forward within 20 s of each wait.
    let coordinates = (0..<trace.count).map { row in
      let time = trace.elapsed[row]
      let drift = 0.2 * (min(max(time - 5, 0), 20) + min(max(time - 50, 0), 20))
      let place = trace.coordinate(at: row)
      return Coordinate(latitude: place.latitude + drift / 111_195, longitude: place.longitude)
    }
    let drifting = try TimedDrive(label: "a", coordinates: coordinates, elapsed: trace.elapsed)
    #expect(try #require(try Self.queue(drifting)).isSingle)
  }

  @Test(
    "A jump or a slow drift of the receiver of a parked car is no single move", arguments: [16, 0.5],
    [UInt64(1), 2])
  func noMove(speed: Double, seed: UInt64) throws {
    let car = QueuedCar(moves: [16], speed: speed, pause: 40)
    #expect(try Self.queue(car.trace("a", noise: 0.7, seed: seed))?.isSingle != true)
  }

  @Test("A car that moves up several times begins at its first place", arguments: [UInt64(1), 2, 3, 4])
  func movesUp(seed: UInt64) throws {
    let car = QueuedCar(moves: [5, 4, 6, 5, 5])
    let queue = try #require(try Self.queue(try car.trace("a", noise: 0.8, seed: seed)))
    let first = try #require(queue.places.first)
    #expect(abs(first.departure - car.idle) < 6)
    let last = try #require(queue.places.last)
    #expect(abs((last.place - first.place).length - 25) < 4)
    // A pause lasts 6 s.
    #expect(abs(last.departure - car.departure) < 8)
    #expect(zip(queue.places, queue.places.dropFirst()).allSatisfy { $0.departure <= $1.arrival })
  }

  @Test("Two long moves at the speed of a car are a queue, too", arguments: [UInt64(1), 2, 3, 4])
  func fewMoves(seed: UInt64) throws {
    // Each at 5 m/s, then 15 s of waiting.
    var noise = ReceiverNoise(0.8, seed: seed)
    let plane = Projection.plane(latitude: 47, longitude: 8)
    let coordinates = (0..<120).map { second in
      let moment = Double(second)
      let moves = min(max(moment - 20, 0), 3) * 5 + min(max(moment - 38, 0), 3) * 5
      let driven = max(moment - 56, 0)
      let way = driven < 7 ? driven * driven : 49 + 14 * (driven - 7)
      return plane.coordinate(SIMD2(0, moves + way) + noise.next(after: 1))
    }
    let trace = try TimedDrive(
      label: "a", coordinates: coordinates, elapsed: coordinates.indices.map { Double($0) })
    let queue = try #require(try Self.queue(trace))
    let (first, last) = (try #require(queue.places.first), try #require(queue.places.last))
    // Two moves of 15 m from 20 s on; the last pause ends after 56 s.
    #expect(abs(first.departure - 20) < 6)
    #expect(abs((last.place - first.place).length - 30) < 5)
    #expect(abs(last.departure - 56) < 6)
  }

  @Test(
    "A parked car, one that rolls to a light, and one with few fixes have no queue",
    arguments: [[], [25.0]], [UInt64(1), 2, 3, 4])
  func noQueue(moves: [Double], seed: UInt64) throws {
    let car = QueuedCar(idle: moves.isEmpty ? 60 : 5, moves: moves, pause: 40)
    let queue = try Self.queue(try car.trace("a", noise: 2.5, seed: seed))
    #expect(queue == nil || !moves.isEmpty && queue?.isSingle == true)
    let few = try car.trace("a", noise: 0.5, seed: seed)
    let rows = stride(from: 0, to: few.count, by: 15)
    let sparse = try TimedDrive(
      label: "b", coordinates: rows.map { few.coordinate(at: $0) }, elapsed: rows.map { few.elapsed[$0] })
    #expect(try Self.queue(sparse) == nil)
  }

  @Test(
    "The time in a queue counts from the place where the other drive begins, and its error is stated",
    arguments: [UInt64(1), 2, 3, 4, 5, 6])
  func margin(seed: UInt64) throws {
    let queued = QueuedCar(moves: [5, 4, 6, 5, 5, 4])
    // Begins 8 m further along and drives off at once.
    let other = QueuedCar(idle: 20, moves: [])
    let pair = try DriveComparison.compare([
      queued.trace("a", noise: 1.5, seed: seed), other.trace("b", from: 8, noise: 1.5, seed: seed + 50),
    ]).pairs[0]
    // Both end at 3,000 m, at the same speed.
    let first = queued.leaving(2950) - queued.leaving(8)
    let second = other.leaving(2942) - other.leaving(0)
    let uncertainty = pair.uncertainty
    #expect(abs(try #require(pair.finalGap) - (second - first)) < 2 * uncertainty + 0.5)
    // The queue lasts 55 s.
    #expect(uncertainty < 30)
  }
}
