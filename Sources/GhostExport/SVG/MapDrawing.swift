import DriveMatching
import GhostModel
import TrackModel

/// The content of a map as paths in the units of its projection, shared by the HTML page and the SVG image.
struct MapDrawing: Sendable {
  struct Route: Sendable {
    var drive: Int
    /// The paths of the compared part and of the trimmed ends; empty if absent.
    var path: String
    var trimmed: String
    /// The ends of the compared part.
    var start: MapPoint
    var end: MapPoint
  }

  struct Won: Sendable {
    var path: String
    var winner: Int?
    /// The gained time relative to the piece with the largest gain, 0…1.
    var strength: Double
    var title: String
  }

  struct Mark: Sendable {
    var point: MapPoint
    var title: String
    /// The letters of an anchor.
    var letter = ""
    /// The duration of a stop.
    var drive = 0
    /// Whether the stop overlaps a longer one in the initial view.
    var isCrowded = false
  }

  var routes: [Route]
  var won: [Won]
  var anchors: [Mark]
  var stops: [Mark]

  /// The size of the initial view in pixels.
  static let size = (width: 1000.0, height: 600.0)
  private static let margin = 44.0
  /// The simplification tolerance in units. It doubles until the number of points is below the limit for a
  /// page.
  private static let tolerance = 2.0
  private static let pointLimit = 9000
  /// The distance in pixels below which anchors share a pin.
  private static let pinDistance = 18.0
  /// The distance in pixels below which a stop next to a longer one is omitted.
  private static let stopDistance = 13.0

  /// The scale in pixels per unit, and the centre of the map.
  let scale: Double

  init(_ document: ComparisonDocument, projection: MapProjection, columns: [MapColumns]) {
    let scale = MapDrawing.scale(of: projection)
    self.scale = scale
    let tolerance = MapDrawing.tolerance(columns)
    routes = document.traces.indices.map { drive in
      MapDrawing.route(drive, document, columns[drive], tolerance)
    }
    let stretches = WonStretch.stretches(of: document.comparison)
    let greatest = stretches.reduce(0) { $1.winner == nil ? $0 : max($0, $1.gain) }
    won = stretches.map { stretch in
      MapDrawing.won(stretch, greatest, document, projection, tolerance)
    }
    anchors = MapDrawing.pins(document.comparison, projection, scale)
    stops = MapDrawing.stops(document.comparison, projection, scale)
  }

  /// The transform from units to pixels.
  var transform: String {
    let x = Quantity.fixed(MapDrawing.size.width / 2, 0)
    let y = Quantity.fixed(MapDrawing.size.height / 2, 0)
    return "translate(\(x) \(y)) scale(\(MapDrawing.plain(scale)))"
  }

  /// Converts a point to pixels.
  func pixel(_ point: MapPoint) -> MapPoint {
    MapPoint(
      x: MapDrawing.size.width / 2 + point.x * scale, y: MapDrawing.size.height / 2 + point.y * scale)
  }

  /// Formats a small number without an exponent.
  static func plain(_ value: Double) -> String {
    let millions = Quantity.fixed(value * 1e6, 3)
    return millions == "0.000" ? "0.000000001" : decimalShift(millions)
  }

  /// Divides a decimal number by a million.
  private static func decimalShift(_ text: String) -> String {
    let parts = text.split(separator: ".")
    var whole = String(parts[0])
    if whole.count < 7 { whole = String(repeating: "0", count: 7 - whole.count) + whole }
    return whole.dropLast(6) + "." + whole.suffix(6) + (parts.count > 1 ? String(parts[1]) : "")
  }

  private static func scale(of projection: MapProjection) -> Double {
    // At least 40 m, for example for two parked cars.
    let least = 40 / MapProjection.unitLength
    let width = max(projection.width, least)
    let height = max(projection.height, least)
    return min((size.width - 2 * margin) / width, (size.height - 2 * margin) / height)
  }

  private static func tolerance(_ columns: [MapColumns]) -> Double {
    var tolerance = tolerance
    while tolerance < 1e7 {
      let points = columns.reduce(0) { count, column in
        count + LineSimplification.rows(column.x.indices, of: column, tolerance: tolerance).count
      }
      if points <= pointLimit { break }
      // Every part keeps its ends, so doubling the tolerance cannot remove them.
      if points <= columns.reduce(0, { $0 + $1.x.count / 1000 + 2 }) { break }
      tolerance *= 2
    }
    return tolerance
  }

  private static func route(
    _ drive: Int, _ document: ComparisonDocument, _ columns: MapColumns, _ tolerance: Double
  ) -> Route {
    let trace = document.traces[drive]
    let compared = document.comparison.drives[drive]
    let rows = trace.takingPart(in: compared)
    let path = path(rows, trace, columns, tolerance)
    var trimmed = ""
    if rows.lowerBound > 0 { trimmed += self.path(0..<rows.lowerBound + 1, trace, columns, tolerance) }
    if rows.upperBound < trace.count {
      trimmed += self.path(rows.upperBound - 1..<trace.count, trace, columns, tolerance)
    }
    func point(_ row: Int) -> MapPoint { MapPoint(x: columns.x[row], y: columns.y[row]) }
    return Route(
      drive: drive, path: path, trimmed: trimmed, start: point(rows.lowerBound),
      end: point(rows.upperBound - 1))
  }

  /// Returns the path of some rows, split at interruptions of the recording.
  private static func path(
    _ rows: Range<Int>, _ trace: TimedDrive, _ columns: MapColumns, _ tolerance: Double
  ) -> String {
    var text = ""
    var begin = rows.lowerBound
    for start in trace.segmentStarts + [rows.upperBound] where start > begin {
      let end = min(start, rows.upperBound)
      PathText.append(
        columns[LineSimplification.rows(begin..<end, of: columns, tolerance: tolerance)], to: &text)
      begin = end
      if end == rows.upperBound { break }
    }
    return text
  }

  private static func won(
    _ stretch: WonStretch, _ greatest: Double, _ document: ComparisonDocument, _ projection: MapProjection,
    _ tolerance: Double
  ) -> Won {
    var columns = MapColumns()
    for index in stretch.latitudes.indices {
      columns.append(
        projection.point(latitude: stretch.latitudes[index], longitude: stretch.longitudes[index]))
    }
    let rows = LineSimplification.rows(columns.x.indices, of: columns, tolerance: tolerance)
    let place = UnitSystem.current.distances(stretch.distances)
    let labels = document.comparison.drives.map(\.label)
    let title =
      stretch.winner.map { "\(place): \(labels[$0]) gained \(Quantity.duration(stretch.gain))" }
      ?? "\(place): no difference"
    let strength = stretch.winner == nil || greatest <= 0 ? 0 : (stretch.gain / greatest).squareRoot()
    return Won(
      path: PathText.lines(columns[rows]), winner: stretch.winner, strength: strength, title: title)
  }

  /// The stops of all drives, longest first.
  private static func stops(
    _ comparison: DriveComparison, _ projection: MapProjection, _ scale: Double
  ) -> [Mark] {
    var all = comparison.drives.enumerated().flatMap { index, drive in
      drive.stops.map { (index, $0, projection.point($0.coordinate)) }
    }
    all.sort { $0.1.duration > $1.1.duration }
    // A grid with cells of the size of a glyph: only stops in the same or adjacent cells can overlap.
    var shown: [[Int]: [MapPoint]] = [:]
    return all.map { index, stop, point in
      let pixel = MapPoint(x: point.x * scale / stopDistance, y: point.y * scale / stopDistance)
      let column = Int(pixel.x.rounded(.down))
      let row = Int(pixel.y.rounded(.down))
      let isCrowded = (-1...1).contains { right in
        (-1...1).contains { down in
          shown[[column + right, row + down]]?.contains { other in
            abs(other.x - pixel.x) < 1 && abs(other.y - pixel.y) < 1
          } ?? false
        }
      }
      if !isCrowded { shown[[column, row], default: []].append(pixel) }
      let label = comparison.drives[index].label
      return Mark(
        point: point, title: "\(label) waited \(Quantity.duration(stop.duration))", drive: index,
        isCrowded: isCrowded)
    }
  }

  /// Returns the pins of all pairs. With more than two drives, pins of several pairs at one position are
  /// merged.
  private static func pins(
    _ comparison: DriveComparison, _ projection: MapProjection, _ scale: Double
  ) -> [Mark] {
    var marks: [Mark] = []
    for pair in comparison.pairs {
      for anchor in Anchor.anchors(of: pair) {
        let mark = Mark(
          point: projection.point(anchor.coordinate), title: "\(anchor.letter): \(anchor.kind.words)",
          letter: anchor.letter)
        let isNear = marks.contains { other in
          abs(other.point.x - mark.point.x) * scale < pinDistance
            && abs(other.point.y - mark.point.y) * scale < pinDistance
        }
        if comparison.pairs.count == 1 || !isNear { marks.append(mark) }
      }
      // The tables of further pairs have separate letters.
      if comparison.pairs.count > 1 { break }
    }
    return marks
  }
}

extension TimedDrive {
  /// Returns the rows that are part of a comparison, at least one.
  func takingPart(in drive: ComparedDrive) -> Range<Int> {
    let first = max(0, min(count - 1, drive.startIndex))
    return first..<max(first, min(count - 1, drive.endIndex)) + 1
  }
}
