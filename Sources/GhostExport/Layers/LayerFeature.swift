import TrackModel

/// A line in columns of equal length.
struct LayerLine: Sendable, Equatable {
  /// Degrees north per position.
  var latitudes: [Double] = []
  /// Degrees east per position, −180…180.
  var longitudes: [Double] = []
  /// Seconds on the shared clock per position, non-descending. Empty if the line has no times.
  var times: [Double] = []

  var count: Int { latitudes.count }
}

/// A feature on the map with its geometry, style and facts.
struct LayerFeature: Sendable {
  enum Shape: Sendable {
    case lines([LayerLine])
    case point(Coordinate)
  }

  /// The kind of the feature for programs: `gap`, `detour`, `divergence`.
  var kind: String
  var name: String
  var shape: Shape
  var color: ExportColor
  /// The line width in pixels.
  var width = 4.0
  /// The opacity of a line, 0…1.
  var opacity = 1.0
  /// The time of a point in seconds on the shared clock.
  var time: Double?
  var table = FactTable()
}

/// The facts about a feature: a table for people, properties for programs.
struct FactTable: Sendable, Equatable {
  /// The headings of the value columns. Empty if there is a single column without a heading.
  var headings: [String] = []
  var rows: [FactRow] = []

  /// All facts in order.
  var facts: [Fact] { rows.flatMap(\.facts) }

  mutating func add(_ title: String, _ facts: Fact...) { rows.append(FactRow(title: title, facts: facts)) }
}

/// A row of a ``FactTable``: one fact per heading, or a single fact for all columns.
struct FactRow: Sendable, Equatable {
  var title: String
  var facts: [Fact]
}

/// A single value.
struct Fact: Sendable, Equatable {
  enum Value: Sendable, Equatable {
    case text(String)
    /// A duration in seconds.
    case duration(Double)
    /// A change in seconds, formatted with a sign and one decimal.
    case change(Double)
    /// A distance in metres.
    case distance(Double)
  }

  /// The property name for programs, with the unit as suffix: `gap_s`.
  var key: String
  var value: Value

  init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }

  /// The value as text for people.
  var text: String {
    switch value {
    case .text(let text): text
    case .duration(let seconds): Quantity.clock(seconds)
    case .change(let seconds): Quantity.signedDuration(seconds)
    case .distance(let metres): Quantity.distance(metres)
    }
  }

  /// The value for programs, rounded to the millisecond or millimetre, or `nil` for text.
  var number: Double? {
    switch value {
    case .text: nil
    case .duration(let value), .change(let value), .distance(let value): (value * 1000).rounded() / 1000
    }
  }
}

extension FactTable {
  /// The table as lines of text: `Time: Tuesday 0:42, Thursday 0:36`.
  var text: String {
    rows.map { row in
      let values =
        row.facts.count == headings.count
        ? zip(headings, row.facts).map { "\($0) \($1.text)" }.joined(separator: ", ")
        : row.facts.map(\.text).joined(separator: " – ")
      return "\(row.title): \(values)"
    }.joined(separator: "\n")
  }
}
