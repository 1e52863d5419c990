/// The neighbourhood of a way, coarsely: tells in a fraction of a microsecond that another way leads elsewhere.
struct RouteCorridor {
  private static let cells = RouteCells(size: 200)
  /// Metres: where a way has steps longer than this, its road may lie outside of the neighbourhood of its line.
  private static let longestStep = 300.0
  /// Places of a way that are looked up, evenly spread over its points.
  private static let probes = 16

  /// The cubes that the neighbourhood touches, ascending; nil where nothing can be told.
  private let keys: [UInt64]?

  init(_ sketch: RouteSketch) {
    var keys: Set<UInt64> = []
    var previous: SIMD3<Double>?
    for index in 0..<sketch.count {
      let place = sketch.place(at: index)
      let step = previous.map { (place - $0).length } ?? 0
      guard step <= Self.longestStep else {
        self.keys = nil
        return
      }
      let samples = Int(step / (Self.cells.size / 2)) + 1
      for sample in 1...samples {
        let fraction = Double(sample) / Double(samples)
        let here = previous.map { $0 + fraction * (place - $0) } ?? place
        Self.cells.forEachKey(about: here) { keys.insert($0) }
      }
      previous = place
    }
    self.keys = keys.sorted()
  }

  /// Some places of a way, for ``mayHold(_:)``.
  static func probes(of sketch: RouteSketch) -> [UInt64] {
    guard sketch.count > 0 else { return [] }
    return (0..<probes).map { cells.key(sketch.place(at: (2 * $0 + 1) * sketch.count / (2 * probes))) }
  }

  /// Whether at least half of the places lie in the neighbourhood. A way that shares four fifths of its metres has
  /// four fifths of its places there.
  func mayHold(_ probes: [UInt64]) -> Bool {
    guard let keys else { return true }
    var missing = 0
    for probe in probes where !Self.contains(keys, probe) {
      missing += 1
      if missing * 2 > probes.count { return false }
    }
    return true
  }

  private static func contains(_ keys: [UInt64], _ key: UInt64) -> Bool {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key
  }
}
