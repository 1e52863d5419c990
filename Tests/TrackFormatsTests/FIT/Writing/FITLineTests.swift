import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("Course points along a FIT course")
struct FITLineTests {
  /// A position in semicircles.
  private static func position(_ latitude: Int32, _ longitude: Int32) -> FITPosition {
    var position = FITPosition(Coordinate(latitude: 0, longitude: 0))
    (position.latitude, position.longitude) = (latitude, longitude)
    return position
  }

  /// The number of the first of the nearest points in a plane with the scale of the position's latitude.
  private func plainSearch(_ position: FITPosition, _ points: [FITPosition]) -> Int {
    let scale = cos(FITRows.degrees(position.latitude) * .pi / 180)
    let squares = points.map { point in
      let north = Double(point.latitude) - Double(position.latitude)
      // Around the earth, 2³² semicircles, the shorter way.
      let east = (Double(point.longitude) - Double(position.longitude)).remainder(dividingBy: 0x1p32) * scale
      return north * north + east * east
    }
    return squares.indices.reduce(0) { squares[$1] < squares[$0] ? $1 : $0 }
  }

  /// Positions of a course, and positions near it and anywhere.
  private enum Course: CaseIterable {
    case anywhere, road, dateLine, repeated, grid

    func positions(_ count: Int, _ random: inout SeededGenerator) -> [FITPosition] {
      switch self {
      case .anywhere:
        (0..<count).map { _ in
          position(
            Int32.random(in: -1 << 30...1 << 30, using: &random),
            Int32.random(in: Int32.min...Int32.max, using: &random))
        }
      case .road:
        (0..<count).map {
          position(550_000_000 + 900 * Int32($0) + Int32.random(in: 0...500, using: &random), 83_000_000)
        }
      case .dateLine:
        (0..<count).map {
          position(Int32($0 % 50) * 1000, Int32.max &+ Int32.random(in: -5000...5000, using: &random))
        }
      // Few distinct positions, so that many are equally near.
      case .repeated: (0..<count).map { position(Int32($0 % 3), Int32($0 % 2)) }
      case .grid:
        (0..<count).map { _ in
          position(Int32.random(in: -9...9, using: &random), Int32.random(in: -9...9, using: &random))
        }
      }
    }
  }

  @Test(
    "The nearest point is that of a search of all points, the first of those equally near",
    arguments: Course.allCases, [1, 8, 9, 700])
  private func nearest(course: Course, count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let points = course.positions(count, &random)
    let passages = course.positions(150, &random) + Course.anywhere.positions(50, &random)
    // In one part, and in several.
    for partSize in [1 << 18, 1, 100] {
      var line = FITLine()
      for (number, point) in points.enumerated() {
        line.append(point, seconds: UInt32(number), centimetres: UInt32(2 * number))
      }
      var found = passages.map { FITLine.Passage($0) }
      try line.find(&found, partSize: partSize)
      let expected = passages.map { plainSearch($0, points) }
      #expect(found.map { Int($0.seconds) } == expected)
      #expect(found.map { Int($0.centimetres) } == expected.map { 2 * $0 })
    }
  }

  @Test("Without points, positions keep the start of the course")
  func empty() throws {
    var line = FITLine()
    var passages = [FITLine.Passage(Self.position(1, 2))]
    try line.find(&passages)
    #expect(passages[0].seconds == 0 && passages[0].centimetres == 0)
  }
}
