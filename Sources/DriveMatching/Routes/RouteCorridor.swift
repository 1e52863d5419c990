import TrackModel

/// The approximate surroundings of a drive's line, used to reject other lines quickly.
struct RouteCorridor {
  /// A position on a line and its distance along it.
  struct Probe {
    let place: SIMD3<Double>
    /// The distance along the line in metres.
    let distanceAlong: Double
  }

  let cells: SpatialCells
  private let length: Double
  /// The cubes of the surroundings, ascending.
  private(set) var keys: [UInt64] = []
  /// The range of distances along the line near each cube, in metres.
  private var parts: [(from: Float, to: Float)] = []

  /// A bit filter of the cubes, which rejects most positions without a search.
  private var marks = [UInt64](repeating: 0, count: markWords)

  private static let markWords = 128
  /// The largest distance between two receivers on one road in metres.
  private static let reach = 60.0
  /// The largest distance of the road from a step, as a fraction of the step; see
  /// ``MatchablePolyline/cutCorner``.
  private static let cutCorner = MatchablePolyline.cutCorner
  /// The number of sample positions of a line, evenly distributed over its points, and how many of them may
  /// be elsewhere. A line that shares four fifths of its length has about four fifths of its positions in
  /// the neighbourhood.
  private static let probeCount = 24
  static let strayCount = 8
  /// The largest difference of a position's distance along both lines, as a share of the longer line, and
  /// in metres in addition: the longest detour outside the shared road.
  private static let shift = (share: 0.3, metres: 300.0)

  init(_ path: SimplifiedRoute) {
    length = path.length
    let places = (0..<path.count).map { path.place(at: $0) }
    var longest = 0.0
    for index in places.indices.dropFirst() {
      longest = max(longest, (places[index] - places[index - 1]).length)
    }
    let beside = Self.cutCorner * min(longest, SegmentGrid.longestSegment)
    // A limited number of sizes, so that corridors share cubes.
    var reach = Self.reach
    while reach < beside { reach *= 2 }
    cells = SpatialCells(size: 2 * reach)
    var near: [UInt64: (from: Double, to: Double)] = [:]
    var distanceAlong = 0.0
    for index in places.indices {
      let step = index > 0 ? places[index] - places[index - 1] : .zero
      let metres = step.length
      // A gap contains no information about the road.
      let samples = metres > SegmentGrid.longestSegment ? 1 : Int(metres / (cells.size / 2)) + 1
      for sample in 1...samples {
        let fraction = Double(sample) / Double(samples)
        let here = distanceAlong + fraction * metres
        cells.forEachKey(about: places[index] - (1 - fraction) * step) { key in
          near[key] = (from: near[key]?.from ?? here, to: here)
        }
      }
      distanceAlong += metres
    }
    keys.reserveCapacity(near.count)
    parts.reserveCapacity(near.count)
    for (key, part) in near.sorted(by: { $0.key < $1.key }) {
      let bit = Self.mark(key)
      marks[bit >> 6] |= 1 << UInt64(bit & 63)
      keys.append(key)
      parts.append((Float(part.from), Float(part.to)))
    }
  }

  /// Returns the bit of a cube.
  @inline(__always)
  private static func mark(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (markWords * 64 - 1)
  }

  /// Returns sample positions of a line for ``mayHold(_:length:)``, from its middle outwards, because lines
  /// with the same ends differ most there.
  static func probes(of path: SimplifiedRoute) -> [Probe] {
    var probes: [Probe] = []
    var distanceAlong = 0.0
    var previous: SIMD3<Double>?
    for index in 0..<path.count {
      let place = path.place(at: index)
      if let previous { distanceAlong += (place - previous).length }
      previous = place
      // The middle of each equal part.
      while probes.count < probeCount, index >= (2 * probes.count + 1) * path.count / (2 * probeCount) {
        probes.append(Probe(place: place, distanceAlong: distanceAlong))
      }
    }
    let middle = Double(probeCount - 1) / 2
    return probes.enumerated().sorted { abs(Double($0.offset) - middle) < abs(Double($1.offset) - middle) }
      .map(\.element)
  }

  /// Whether most sample positions of a line are in the neighbourhood at about the same distance.
  func mayHold(_ probes: [Probe], length: Double) -> Bool {
    let shift = Self.shift.share * max(length, self.length) + Self.shift.metres
    var strays = 0
    for probe in probes where !holds(probe, shift) {
      strays += 1
      if strays > Self.strayCount { return false }
    }
    return true
  }

  private func holds(_ probe: Probe, _ shift: Double) -> Bool {
    let key = cells.key(probe.place)
    let bit = Self.mark(key)
    guard marks[bit >> 6] & 1 << UInt64(bit & 63) != 0 else { return false }
    let index = keys.partitionIndex { $0 >= key }
    guard index < keys.count, keys[index] == key else { return false }
    return Double(parts[index].from) - shift <= probe.distanceAlong
      && probe.distanceAlong <= Double(parts[index].to) + shift
  }
}
