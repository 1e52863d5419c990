import DriveMatching
import GhostModel
import TrackModel

/// The series, bands and scales of a gap plot.
///
/// The x axis is the distance along the first drive. The y axis is the gap, positive if the first drive is
/// ahead. The zero line is the first drive.
struct GapPlot: Sendable {
  struct Series: Sendable {
    /// The index of the drive that is compared with the first.
    var drive: Int
    /// One line per stretch of shared road, in metres and seconds.
    var lines: [MapColumns]
    /// The last point of the last line.
    var final: MapPoint?
  }

  struct Band: Sendable {
    var kind: Leg.Kind
    var distances: ClosedRange<Double>
    /// The seconds that the second drive lost.
    var change: Double
  }

  struct Tick: Sendable {
    var value: Double
    var label: String
    /// Whether a narrow plot can omit the tick.
    var isMinor: Bool
  }

  /// The index of the drive that is the zero line.
  var measure: Int
  var series: [Series]
  /// The gap of the usual drive of a route.
  var usual: [MapColumns] = []
  /// Detours and gaps in recordings. Empty for more than two drives, because they differ per pair.
  var bands: [Band]
  /// The ranges of the axes in metres and seconds.
  var distances: ClosedRange<Double>
  var gaps: ClosedRange<Double>
  var distanceTicks: [Tick]
  var gapTicks: [Tick]

  /// Returns `nil` if there is no shared road.
  init?(_ document: ComparisonDocument) {
    if let route = document.route {
      self.init(route, document.comparison)
    } else {
      self.init(document.comparison)
    }
  }

  /// Creates the plot of a route: the gaps of its drives and of the usual drive to the fastest. The gaps are
  /// taken from the figures of the route, so that the lines agree with its table. Distances are along the
  /// fastest drive.
  private init?(_ route: RouteFigures, _ comparison: DriveComparison) {
    guard let profile = route.measuredProfile(comparison) else { return nil }
    func columns(_ lines: [[(elapsed: Double, gap: Double)]]) -> [MapColumns] {
      lines.map { line in
        MapColumns(
          x: line.map { profile.distance(atFirstElapsed: $0.elapsed) }, y: line.map(\.gap))
      }
    }
    let usual = columns(route.usualGaps())
    let drives = route.shown.indices.dropFirst().map {
      (drive: $0, lines: columns(route.gaps(of: route.shown[$0])))
    }
    let all = usual + drives.flatMap(\.lines)
    let gaps = all.flatMap(\.y)
    guard let low = all.flatMap(\.x).min(), let high = all.flatMap(\.x).max(), low < high,
      (high - low).isFinite
    else { return nil }
    measure = 0
    bands = []
    distances = low...high
    self.gaps = GapPlot.room(min(gaps.min() ?? 0, 0)...max(gaps.max() ?? 0, 0))
    let scale = GapScale(distances: distances, gaps: self.gaps, width: 1000, height: 300)
    series = drives.map { drive in
      let lines = drive.lines.map { GapPlot.thinned($0, scale) }
      let final = lines.last.flatMap { line in
        line.x.last.flatMap { x in line.y.last.map { MapPoint(x: x, y: $0) } }
      }
      return Series(drive: drive.drive, lines: lines, final: final)
    }
    self.usual = usual.map { GapPlot.thinned($0, scale) }
    distanceTicks = GapPlot.distanceTicks(distances)
    gapTicks = GapPlot.gapTicks(self.gaps)
  }

  static func thinned(_ line: MapColumns, _ scale: GapScale) -> MapColumns {
    let pixels = MapColumns(x: line.x.map(scale.x), y: line.y.map(scale.y))
    return line[LineSimplification.rows(pixels.x.indices, of: pixels, tolerance: 0.25)]
  }

  /// Returns the range of the y axis: at least twelve seconds, so that a gap of one second looks small, with
  /// margins above and below zero.
  private static func room(_ gaps: ClosedRange<Double>) -> ClosedRange<Double> {
    let room = max(gaps.upperBound - gaps.lowerBound, 12)
    var least = min(gaps.lowerBound - room * 0.08, room * -0.1)
    var greatest = max(gaps.upperBound + room * 0.08, room * 0.1)
    let missing = 12 - (greatest - least)
    if missing > 0 {
      least -= missing / 2
      greatest += missing / 2
    }
    return least...greatest
  }

  /// Returns `nil` if no pair shares a road.
  init?(_ comparison: DriveComparison) {
    let pairs = comparison.pairs.filter {
      $0.profile.count > 1 && comparison.drives.indices.contains($0.second)
    }
    guard let first = pairs.first else { return nil }
    var low = Double.infinity
    var high = -Double.infinity
    var least = 0.0
    var greatest = 0.0
    for pair in pairs {
      low = min(low, pair.profile.distances.first ?? low)
      high = max(high, pair.profile.distances.last ?? high)
      for gap in pair.profile.gaps {
        least = min(least, gap)
        greatest = max(greatest, gap)
      }
    }
    guard low < high, (high - low).isFinite, (greatest - least).isFinite else { return nil }
    measure = first.first
    distances = low...high
    gaps = GapPlot.room(least...greatest)
    bands =
      pairs.count > 1 || comparison.pairs.count > 1
      ? []
      : first.legs.compactMap { leg in
        let from = min(max(leg.sides.first.fromDistance, low), high)
        let until = max(from, min(leg.sides.first.toDistance, high))
        return leg.kind == .shared
          ? nil : Band(kind: leg.kind, distances: from...until, change: leg.gapChange)
      }
    let scale = GapScale(distances: distances, gaps: gaps, width: 1000, height: 300)
    series = pairs.map { pair in GapPlot.series(pair, scale) }
    distanceTicks = GapPlot.distanceTicks(low...high)
    gapTicks = GapPlot.gapTicks(gaps)
  }

  private static func series(_ pair: PairComparison, _ scale: GapScale) -> Series {
    let profile = pair.profile
    let lines = profile.stretches.map { rows in
      var pixels = MapColumns()
      for row in rows {
        pixels.append(MapPoint(x: scale.x(profile.distances[row]), y: scale.y(profile.gaps[row])))
      }
      let kept = LineSimplification.rows(pixels.x.indices, of: pixels, tolerance: 0.25)
      return MapColumns(
        x: kept.map { profile.distances[rows.lowerBound + $0] },
        y: kept.map { profile.gaps[rows.lowerBound + $0] })
    }
    let final = lines.last.flatMap { line in
      line.x.last.flatMap { x in line.y.last.map { MapPoint(x: x, y: $0) } }
    }
    return Series(drive: pair.second, lines: lines, final: final)
  }

  private static func distanceTicks(_ range: ClosedRange<Double>) -> [Tick] {
    let unit = UnitSystem.current.longUnit
    let length = (range.upperBound - range.lowerBound) * 1000 / unit.length
    /// Thousandths of the unit.
    var step = 1e-2
    search: for power in [10.0, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8] {
      for factor in [1.0, 2, 5] {
        step = power * factor
        if length / step <= 10 { break search }
      }
    }
    let metres = step * unit.length / 1000
    let first = (range.lowerBound / metres).rounded(.up)
    let last = (range.upperBound / metres).rounded(.down)
    guard first <= last, last - first < 100 else { return [] }
    let decimals = step >= 1000 ? 0 : step >= 100 ? 1 : 2
    return stride(from: first, through: last, by: 1).map { number in
      Tick(
        value: number * metres,
        label: "\(Quantity.fixed(number * step / 1000, decimals)) \(unit.symbol)",
        isMinor: number.truncatingRemainder(dividingBy: 2) != 0 && last - first > 4)
    }
  }

  static func gapTicks(_ range: ClosedRange<Double>) -> [Tick] {
    let length = range.upperBound - range.lowerBound
    let steps = [
      1.0, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400, 864_000,
      8.64e6,
      8.64e7,
    ]
    let step = steps.first { length / $0 <= 6 } ?? length
    let first = (range.lowerBound / step).rounded(.up)
    let last = (range.upperBound / step).rounded(.down)
    guard first <= last, last - first < 100 else { return [] }
    let isShort = max(abs(first), abs(last)) * step < 60
    return stride(from: first, through: last, by: 1).map { number in
      let value = number * step
      // Labels are whole seconds, in any resolution.
      let text =
        isShort ? "\(Quantity.fixed(abs(value), 0)) s" : TimeResolution.seconds.clock(abs(value))
      return Tick(value: value, label: number == 0 ? "0" : text, isMinor: false)
    }
  }
}

/// Converts metres and seconds to pixels, with y pointing down.
struct GapScale: Sendable {
  var distances: ClosedRange<Double>
  var gaps: ClosedRange<Double>
  var width: Double
  var height: Double
  var left = 0.0
  var top = 0.0

  func x(_ distance: Double) -> Double {
    left + (distance - distances.lowerBound) / (distances.upperBound - distances.lowerBound) * width
  }

  func y(_ gap: Double) -> Double {
    top + (gaps.upperBound - gap) / (gaps.upperBound - gaps.lowerBound) * height
  }

  /// Returns the values of the lines and labels along the vertical axis in a template.
  func gapTicks(_ ticks: [GapPlot.Tick]) -> Template.Value {
    .list(
      ticks.map { tick in
        let y = y(tick.value)
        return [
          "zero": .when(tick.value == 0), "y": .number(y, decimals: 1),
          "percent": .number(y / height * 100, decimals: 2), "label": .text(tick.label),
        ]
      })
  }

  /// Returns the values of the labels along the horizontal axis in a template.
  func distanceTicks(_ ticks: [GapPlot.Tick]) -> Template.Value {
    .list(
      ticks.map { tick in
        [
          "minor": .when(tick.isMinor), "percent": .number(x(tick.value) / width * 100, decimals: 2),
          "label": .text(tick.label),
        ]
      })
  }

  /// Returns the path of a line.
  func path(_ line: MapColumns) -> String {
    PathText.fineLines(MapColumns(x: line.x.map(x), y: line.y.map(y)))
  }

  /// Returns the path of the area between a line and zero.
  func area(_ line: MapColumns) -> String {
    guard let first = line.x.first, let last = line.x.last else { return "" }
    return PathText.fineLines(
      MapColumns(
        x: [x(first)] + line.x.map(x) + [x(last)], y: [y(0)] + line.y.map(y) + [y(0)])) + "Z"
  }
}
