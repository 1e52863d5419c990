import TrackModel

/// A line in columns of equal length.
struct LayerLine: Sendable, Equatable {
  /// Degrees north per position.
  var latitudes: [Double] = []
  /// Degrees east per position, −180…180.
  var longitudes: [Double] = []
  /// Seconds on the shared clock per position, not descending; empty where the line has no times.
  var times: [Double] = []

  var count: Int { latitudes.count }
}

/// A thing on the map: where, in what colour, and what there is to say about it.
struct LayerFeature: Sendable {
  enum Shape: Sendable {
    case lines([LayerLine])
    case point(Coordinate)
  }

  /// What kind of thing it is, for programs: `gap`, `detour`, `divergence`.
  var kind: String
  var name: String
  var shape: Shape
  var color: ExportColor
  /// Pixels; of lines.
  var width = 4.0
  /// 0…1; of lines.
  var opacity = 1.0
  /// Seconds on the shared clock; of points.
  var time: Double?
  var table = FactTable()
}

/// What there is to say about a thing: for people as a table, for programs as properties.
struct FactTable: Sendable, Equatable {
  /// What stands above the columns of values; none where there is one column that needs no heading.
  var headings: [String] = []
  var rows: [FactRow] = []

  /// All facts, in their order.
  var facts: [Fact] { rows.flatMap(\.facts) }

  mutating func add(_ title: String, _ facts: Fact...) { rows.append(FactRow(title: title, facts: facts)) }
}

/// A row of a ``FactTable``: a fact per heading, or what is said for all of them together.
struct FactRow: Sendable, Equatable {
  var title: String
  var facts: [Fact]
}

/// A single figure or word.
struct Fact: Sendable, Equatable {
  enum Value: Sendable, Equatable {
    case text(String)
    /// Seconds.
    case duration(Double)
    /// Seconds, told to the tenth and with a sign.
    case change(Double)
    /// Metres.
    case distance(Double)
  }

  /// The name for programs, with the unit behind it: `gap_s`.
  var key: String
  var value: Value

  init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }

  /// For people.
  var text: String {
    switch value {
    case .text(let text): text
    case .duration(let seconds): Quantity.clock(seconds)
    case .change(let seconds): Quantity.signedDuration(seconds)
    case .distance(let metres): Quantity.distance(metres)
    }
  }

  /// For programs, to the millisecond or the millimetre; nil for a text.
  var number: Double? {
    switch value {
    case .text: nil
    case .duration(let value), .change(let value), .distance(let value): (value * 1000).rounded() / 1000
    }
  }
}

extension FactTable {
  /// As lines of text: `Time: Tuesday 0:42, Thursday 0:36`.
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
