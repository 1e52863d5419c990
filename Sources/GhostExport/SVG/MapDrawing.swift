import DriveMatching
import GhostModel
import TrackModel

/// What a map of a comparison shows, as paths in the units of its projection. The same for the page and for
/// the plain image; they only style it.
struct MapDrawing: Sendable {
  struct Route: Sendable {
    var drive: Int
    /// What takes part, and what is trimmed at the ends; empty where there is nothing.
    var path: String
    var trimmed: String
    /// Where it begins and ends, of what takes part.
    var start: MapPoint
    var end: MapPoint
  }

  struct Won: Sendable {
    var path: String
    var winner: Int?
    /// 0…1: how much was gained, against the piece where most was.
    var strength: Double
    var title: String
  }

  struct Mark: Sendable {
    var point: MapPoint
    var title: String
    /// Of an anchor.
    var letter = ""
    /// Of a stop.
    var drive = 0
    /// Whether a longer stop lies so near that both would be a blot, as far out as the map begins.
    var isCrowded = false
  }

  var routes: [Route]
  var won: [Won]
  var anchors: [Mark]
  var stops: [Mark]

  /// Of the picture as it is before anybody zooms, in pixels.
  static let size = (width: 1000.0, height: 600.0)
  private static let margin = 44.0
  /// Units that a line may be off where there is room for all of it; more points than this are too many for a
  /// page to draw at once, so that the tolerance doubles until they are fewer.
  private static let tolerance = 2.0
  private static let pointLimit = 9000
  /// Anchors nearer to each other than this share a pin, in pixels.
  private static let pinDistance = 18.0
  /// A stop nearer than this to a longer one is left out, in pixels.
  private static let stopDistance = 13.0

  /// Pixels per unit, and where the middle of the map lies.
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

  /// The transform that brings units into the picture.
  var transform: String {
    "translate(\(Quantity.fixed(MapDrawing.size.width / 2, 0)) \(Quantity.fixed(MapDrawing.size.height / 2, 0))) "
      + "scale(\(MapDrawing.plain(scale)))"
  }

  /// Where a place lies in the picture.
  func pixel(_ point: MapPoint) -> MapPoint {
    MapPoint(
      x: MapDrawing.size.width / 2 + point.x * scale, y: MapDrawing.size.height / 2 + point.y * scale)
  }

  /// A small number without an exponent.
  static func plain(_ value: Double) -> String {
    let millions = Quantity.fixed(value * 1e6, 3)
    return millions == "0.000" ? "0.000000001" : decimalShift(millions)
  }

  /// Divides a number in decimals by a million.
  private static func decimalShift(_ text: String) -> String {
    let parts = text.split(separator: ".")
    var whole = String(parts[0])
    if whole.count < 7 { whole = String(repeating: "0", count: 7 - whole.count) + whole }
    return whole.dropLast(6) + "." + whole.suffix(6) + (parts.count > 1 ? String(parts[1]) : "")
  }

  private static func scale(of projection: MapProjection) -> Double {
    // 40 m at least: two parked cars need no more.
    let least = 40 / MapProjection.unitLength
    let width = max(projection.width, least)
    let height = max(projection.height, least)
    return min((size.width - 2 * margin) / width, (size.height - 2 * margin) / height)
  }

  private static func tolerance(_ columns: [MapColumns]) -> Double {
    var tolerance = tolerance
    while tolerance < 1e7 {
      let points = columns.reduce(0) { count, column in
        count + LineThinning.rows(column.x.indices, of: column, tolerance: tolerance).count
      }
      if points <= pointLimit { break }
      // Each stretch that is thinned by itself keeps its ends; they cannot be doubled away.
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

  /// The way over some rows, interrupted where the recording was.
  private static func path(
    _ rows: Range<Int>, _ trace: TimedDrive, _ columns: MapColumns, _ tolerance: Double
  ) -> String {
    var text = ""
    var begin = rows.lowerBound
    for start in trace.segmentStarts + [rows.upperBound] where start > begin {
      let end = min(start, rows.upperBound)
      PathText.append(columns[LineThinning.rows(begin..<end, of: columns, tolerance: tolerance)], to: &text)
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
    let rows = LineThinning.rows(columns.x.indices, of: columns, tolerance: tolerance)
    let place = UnitSystem.current.distances(stretch.distances)
    let labels = document.comparison.drives.map(\.label)
    let title =
      stretch.winner.map { "\(place): \(labels[$0]) gained \(Quantity.duration(stretch.gain))" }
      ?? "\(place): no difference"
    let strength = stretch.winner == nil || greatest <= 0 ? 0 : (stretch.gain / greatest).squareRoot()
    return Won(
      path: PathText.lines(columns[rows]), winner: stretch.winner, strength: strength, title: title)
  }

  /// The stops of every drive, the longest first.
  private static func stops(
    _ comparison: DriveComparison, _ projection: MapProjection, _ scale: Double
  ) -> [Mark] {
    var all = comparison.drives.enumerated().flatMap { index, drive in
      drive.stops.map { (index, $0, projection.point($0.coordinate)) }
    }
    all.sort { $0.1.duration > $1.1.duration }
    // Squares of the size of a glyph: only what lies in the same one or the ones around it can be too near.
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

  /// The pins of every pair; of more than two drives one where several pairs have theirs.
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
      // The tables of further pairs have letters of their own.
      if comparison.pairs.count > 1 { break }
    }
    return marks
  }
}

extension TimedDrive {
  /// The rows that take part in a comparison, at least one.
  func takingPart(in drive: ComparedDrive) -> Range<Int> {
    let first = max(0, min(count - 1, drive.startIndex))
    return first..<max(first, min(count - 1, drive.endIndex)) + 1
  }
}
