public import TrackModel

/// The set of grid cells that a drive passes.
///
/// A cell is about 170 m high and wide anywhere on Earth, up to the poles. Two recordings of one drive by two
/// devices pass the same or neighbouring cells. The recording intervals do not matter, because the line
/// between points is included.
public struct GridFingerprint: Sendable, Hashable {
  /// The row and column of each passed cell, ascending, without repetitions.
  let cells: [Int64]

  /// The height of a cell in degrees of latitude.
  private static let cellHeight = 0.0015
  /// The maximum number of cells between two points. Only the ends of longer lines are included.
  private static let longestStep = 128.0
  /// The maximum number of cells of a drive; later cells are ignored.
  private static let maximumCount = 1 << 17
  /// The share of each road that has to be near the other.
  private static let sameShare = 0.9

  /// - Parameter cells: the cells of another fingerprint.
  init(cells: [Int64]) { self.cells = cells }

  /// Computes the fingerprint of a line.
  ///
  /// - Parameter coordinates: the coordinates in driving order.
  /// - Complexity: O(*n* log *n*)
  public init(_ coordinates: [Coordinate]) {
    var cells: [Int64] = []
    var previous: Coordinate?
    func add(_ latitude: Double, _ longitude: Double) {
      let cell = GridFingerprint.cell(row: GridFingerprint.row(latitude), longitude: longitude)
      if cells.last != cell { cells.append(cell) }
    }
    for coordinate in coordinates where coordinate.isValid {
      guard cells.count < GridFingerprint.maximumCount else { break }
      if let previous {
        let north = coordinate.latitude - previous.latitude
        let east = Geodesy.longitudeDifference(from: previous.longitude, to: coordinate.longitude)
        let width =
          GridFingerprint.cellHeight / GridFingerprint.parallel(GridFingerprint.row(previous.latitude))
        // Twice a cell, so that no cell is skipped.
        let steps = (max(abs(north) / GridFingerprint.cellHeight, abs(east) / width) * 2).rounded(.up)
        if steps > 1, steps <= GridFingerprint.longestStep {
          for step in 1..<Int(steps) {
            let fraction = Double(step) / steps
            add(previous.latitude + fraction * north, previous.longitude + fraction * east)
          }
        }
      }
      add(coordinate.latitude, coordinate.longitude)
      previous = coordinate
    }
    cells.sort()
    self.cells = cells.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  /// Whether at least nine tenths of the cells of each road are equal or adjacent to cells of the other.
  ///
  /// - Complexity: O(n log n) in the number of cells.
  public func isSameRoad(as other: GridFingerprint) -> Bool {
    share(beside: other) >= GridFingerprint.sameShare
      && other.share(beside: self) >= GridFingerprint.sameShare
  }

  /// The fraction of this road that is near another, 0…1.
  private func share(beside other: GridFingerprint) -> Double {
    guard !cells.isEmpty else { return 0 }
    var count = 0
    for cell in cells where other.hasNeighbor(of: cell) { count += 1 }
    return Double(count) / Double(cells.count)
  }

  private func hasNeighbor(of cell: Int64) -> Bool {
    if contains(cell) { return true }
    let row = cell >> 32
    let longitude = (Double(cell & 0xFFFF_FFFF) + 0.5) * GridFingerprint.width(row) - 180
    for neighborRow in (row - 1)...(row + 1) {
      let width = GridFingerprint.width(neighborRow)
      for step in [-1.0, 0, 1] {
        if contains(GridFingerprint.cell(row: neighborRow, longitude: longitude + step * width)) {
          return true
        }
      }
    }
    return false
  }

  private func contains(_ cell: Int64) -> Bool {
    let index = cells.partitionIndex { $0 >= cell }
    return index < cells.count && cells[index] == cell
  }

  // MARK: The grid

  private static func row(_ latitude: Double) -> Int64 {
    Int64(((latitude + 90) / cellHeight).rounded(.down))
  }

  /// The cosine of a row's central latitude, limited to that 100 m from a pole.
  private static func parallel(_ row: Int64) -> Double {
    let latitude = min(abs((Double(row) + 0.5) * cellHeight - 90), 89.999)
    return GeodeticPoint(latitude: latitude, longitude: 0).cosLatitude
  }

  /// The width of a row's cells in degrees of longitude, which divides 360°.
  private static func width(_ row: Int64) -> Double {
    360 / (360 / (cellHeight / parallel(row))).rounded(.up)
  }

  private static func cell(row: Int64, longitude: Double) -> Int64 {
    let width = width(row)
    let count = Int64((360 / width).rounded())
    let column = Int64(((longitude + 180) / width).rounded(.down)) % count
    return row << 32 | (column < 0 ? column + count : column)
  }
}
