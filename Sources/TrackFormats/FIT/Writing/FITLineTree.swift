/// Consecutive points of a course in a binary tree of their extents, to find the nearest one without a search
/// of all points.
struct FITLineTree {
  struct Point {
    let latitude: Int32
    let longitude: Int32
    /// The time in FIT seconds.
    let seconds: UInt32
    let centimetres: UInt32

    /// The bits of latitude and longitude in turn: neighbours on the earth mostly have similar codes.
    fileprivate var code: UInt64 {
      func spread(_ value: Int32) -> UInt64 {
        var bits = UInt64(UInt32(bitPattern: value) ^ 0x8000_0000)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
      }
      return spread(latitude) << 1 | spread(longitude)
    }
  }

  /// The extent of the points below a node, and the number of the first of them along the course.
  private struct Extent {
    var latitudes: ClosedRange<Int32>
    var longitudes: ClosedRange<Int32>
    var first: Int

    init(_ point: Point, number: Int) {
      latitudes = point.latitude...point.latitude
      longitudes = point.longitude...point.longitude
      first = number
    }

    mutating func formUnion(_ other: Extent) {
      latitudes =
        min(
          latitudes.lowerBound, other.latitudes.lowerBound)...max(
          latitudes.upperBound, other.latitudes.upperBound)
      longitudes =
        min(
          longitudes.lowerBound, other.longitudes.lowerBound)...max(
          longitudes.upperBound, other.longitudes.upperBound)
      first = min(first, other.first)
    }

    /// Returns a square that no point within the extent is closer than.
    func square(_ search: Search) -> Double {
      let latitude = min(max(search.position.latitude, latitudes.lowerBound), latitudes.upperBound)
      let longitude = search.position.longitude
      // The shorter way around the earth to the western or the eastern end.
      let eastwards =
        longitudes.contains(longitude)
        ? 0
        : min(
          UInt32(bitPattern: longitudes.lowerBound &- longitude),
          UInt32(bitPattern: longitude &- longitudes.upperBound))
      return search.square(
        northwards: Double(latitude) - Double(search.position.latitude), eastwards: Double(eastwards))
    }
  }

  /// A search for the point nearest to a position.
  private struct Search {
    let position: FITPosition
    /// The ratio of a degree of longitude to one of latitude.
    let scale: Double
    /// The square of the distance to the nearest point so far, and its number in the tree, or -1 if it is an
    /// earlier one of the course.
    var square: Double
    var number = -1

    func square(northwards: Double, eastwards: Double) -> Double {
      northwards * northwards + (eastwards * scale) * (eastwards * scale)
    }

    /// Whether a point or an extent is nearer, or equally near and earlier along the course.
    func prefers(_ square: Double, _ number: Int) -> Bool {
      square < self.square || square == self.square && number < self.number
    }
  }

  /// The largest number of points of a leaf.
  private static let leafSize = 8

  private let points: [Point]
  /// The numbers of the points in the order of the tree.
  private let order: [Int]
  /// The extents of the nodes: that of all points at index 1, those of the halves of node *n* at 2*n* and
  /// 2*n* + 1. Nil for nodes without points. The second half of the array are leaves.
  private var extents: [Extent?]

  /// - Complexity: O(*n* log *n*) for *n* points.
  init(_ points: [Point]) {
    self.points = points
    let codes = points.map(\.code)
    order = points.indices.sorted { (codes[$0], $0) < (codes[$1], $1) }
    var leaves = 1
    while leaves * Self.leafSize < points.count { leaves *= 2 }
    extents = Array(repeating: nil, count: 2 * leaves)
    for (row, number) in order.enumerated() {
      add(Extent(points[number], number: number), to: leaves + row / Self.leafSize)
    }
    for node in (1..<leaves).reversed() {
      for half in [2 * node, 2 * node + 1] { if let extent = extents[half] { add(extent, to: node) } }
    }
  }

  private mutating func add(_ extent: Extent, to node: Int) {
    if extents[node]?.formUnion(extent) == nil { extents[node] = extent }
  }

  /// Returns the nearest point, and the square of its distance, or nil if no point is nearer than `square`.
  /// Of equally near points, it is the first along the course.
  ///
  /// - Parameter scale: the ratio of a degree of longitude to one of latitude.
  func nearest(
    to position: FITPosition, scale: Double, closerThan square: Double
  ) -> (point: Point, square: Double)? {
    var search = Search(position: position, scale: scale, square: square)
    visit(1, &search)
    return search.number < 0 ? nil : (points[search.number], search.square)
  }

  private func visit(_ node: Int, _ search: inout Search) {
    guard let extent = extents[node], search.prefers(extent.square(search), extent.first) else { return }
    let leaves = extents.count / 2
    guard node < leaves else {
      let first = (node - leaves) * Self.leafSize
      for number in order[first..<min(first + Self.leafSize, order.count)] {
        let point = points[number]
        let square = search.square(
          northwards: Double(point.latitude) - Double(search.position.latitude),
          // Wraps around at 180°.
          eastwards: Double(point.longitude &- search.position.longitude))
        if search.prefers(square, number) { (search.square, search.number) = (square, number) }
      }
      return
    }
    // The nearer half first, so that the other one can often be left out.
    func key(_ half: Int) -> (Double, Int) {
      extents[half].map { ($0.square(search), $0.first) } ?? (.infinity, .max)
    }
    let isSecondNearer = key(2 * node + 1) < key(2 * node)
    visit(2 * node + (isSecondNearer ? 1 : 0), &search)
    visit(2 * node + (isSecondNearer ? 0 : 1), &search)
  }
}
