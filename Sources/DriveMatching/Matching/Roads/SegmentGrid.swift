import TrackModel

/// A spatial index of a line's segments.
///
/// Space is divided into cubes of 100 m. Each cube lists the runs of segments that cross it (first
/// segment, last segment), in line order:
///
///     cell key   → slot of an open-addressing table
///     slot       → runs[runStarts[slot]..<runStarts[slot + 1]]
struct SegmentGrid {
  private static let cells = SpatialCells(size: 100)
  /// The search radius in metres, half of a cube.
  static let reach = 50.0
  /// The length in metres of segments that are treated as gaps.
  static let longestSegment = 5_000.0

  struct Run {
    var first: Int32
    var last: Int32
  }

  private var keys: [UInt64]
  private var runStarts: [Int32]
  private var runs: [Run]
  private let mask: Int

  /// - Complexity: O(*n*) in the length of the line.
  init(_ line: MatchablePolyline) {
    var visited: [(key: UInt64, run: Run)] = []
    var current: (key: UInt64, run: Run)?
    for segment in 0..<max(line.count - 1, 0) {
      let start = line.places[segment]
      let step = line.places[segment + 1] - start
      let length = step.length
      guard length <= Self.longestSegment else { continue }
      let samples = Int(length / (Self.cells.size / 4)) + 1
      for sample in 0...samples {
        let key = Self.cells.key(start + Double(sample) / Double(samples) * step)
        if let open = current, open.key == key {
          current?.run.last = Int32(truncatingIfNeeded: segment)
        } else {
          if let current { visited.append(current) }
          let number = Int32(truncatingIfNeeded: segment)
          current = (key, Run(first: number, last: number))
        }
      }
    }
    if let current { visited.append(current) }

    var capacity = 16
    while capacity < 2 * visited.count { capacity *= 2 }
    mask = capacity - 1
    keys = Array(repeating: .max, count: capacity)
    runStarts = Array(repeating: 0, count: capacity + 1)
    runs = Array(repeating: Run(first: 0, last: 0), count: visited.count)
    // A counting sort: runs of one cell are adjacent and in line order.
    var slots = [Int32](repeating: 0, count: visited.count)
    for index in visited.indices {
      let slot = Self.slot(of: visited[index].key, in: keys, mask)
      keys[slot] = visited[index].key
      slots[index] = Int32(truncatingIfNeeded: slot)
      runStarts[slot + 1] += 1
    }
    for slot in 0..<capacity { runStarts[slot + 1] += runStarts[slot] }
    var next = runStarts
    for index in visited.indices {
      let slot = Int(slots[index])
      runs[Int(next[slot])] = visited[index].run
      next[slot] += 1
    }
  }

  @inline(__always)
  private static func slot(of key: UInt64, in keys: [UInt64], _ mask: Int) -> Int {
    var hash = key &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 29
    var slot = Int(truncatingIfNeeded: hash) & mask
    while keys[slot] != key, keys[slot] != .max { slot = (slot + 1) & mask }
    return slot
  }

  /// Appends the runs of segments that can be within ``reach`` of a position, ascending and disjoint.
  ///
  /// O(log n + k) in the length of the line and the number of runs found.
  ///
  /// - Parameters:
  ///   - first: runs that end before this segment are left out.
  ///   - limit: the largest number of runs; the first ones are kept.
  func find(
    near place: SIMD3<Double>, from first: Int32 = 0, limit: Int = .max, into found: inout [Run]
  ) {
    found.removeAll(keepingCapacity: true)
    // The runs of each cell that has any, in the order of the line.
    var heads = [8 of Int](repeating: 0)
    var ends = [8 of Int](repeating: 0)
    var count = 0
    Self.cells.forEachKey(about: place) { key in
      let slot = Self.slot(of: key, in: keys, mask)
      let end = Int(runStarts[slot + 1])
      let start = self.start(from: first, in: Int(runStarts[slot])..<end)
      guard start < end else { return }
      heads[count] = start
      ends[count] = end
      count += 1
    }
    while count > 0 {
      var next = 0
      for index in 1..<max(count, 1) where runs[heads[index]].first < runs[heads[next]].first { next = index }
      let run = runs[heads[next]]
      if let last = found.last, run.first <= last.last + 1 {
        found[found.count - 1].last = max(last.last, run.last)
      } else {
        if found.count >= limit { return }
        found.append(run)
      }
      heads[next] += 1
      if heads[next] == ends[next] {
        count -= 1
        heads[next] = heads[count]
        ends[next] = ends[count]
      }
    }
  }

  /// Returns the first run in a range of a cell's runs that does not end before a segment.
  private func start(from segment: Int32, in range: Range<Int>) -> Int {
    // Mostly there is no earlier one.
    guard segment > 0, let first = range.first, runs[first].last < segment else { return range.lowerBound }
    return range.partitionIndex { runs[$0].last >= segment }
  }
}
