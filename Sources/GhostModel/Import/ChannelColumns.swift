public import TrackModel

/// The values of the points of a segment in channels other than position and time, as named columns.
public struct ChannelColumns: Sendable, Hashable {
  /// The channels of ``Channel`` that are kept, with the most requested first. Other channels are angles,
  /// counters or properties of the geoid.
  private static let standard: [Channel] = [
    .speed, .elevation, .heartRate, .cadence, .power, .temperature, .waterTemperature, .depth, .satellites,
    .hdop, .vdop, .pdop, .horizontalAccuracy,
  ]

  /// The channels with their units.
  public private(set) var names: [ExtraValues.Name] = []
  /// The values per channel. A column ends with its last value.
  private var columns: [[Double]] = []

  /// A missing value. Not NaN, so that equal columns compare as equal.
  private static let missing = -Double.greatestFiniteMagnitude

  /// Creates columns without values.
  init() {}

  /// Returns the value of a row in a channel, or `nil` if it is missing.
  public func value(_ channel: Int, at row: Int) -> Double? {
    guard row < columns[channel].count, columns[channel][row] != Self.missing else { return nil }
    return columns[channel][row]
  }

  /// Adds the values of a batch.
  ///
  /// - Parameter first: the row of the first point, after all rows with values.
  mutating func add(_ batch: borrowing PointBatch, at first: Int) {
    for channel in Self.standard where batch.channels.contains(channel) {
      let column = index(of: ExtraValues.Name(channel.title, unit: channel.unit))
      let values = batch.values(of: channel)
      for row in values.indices { set(values[row], column, first + row) }
    }
    var known: (names: [ExtraValues.Name], indices: [Int?]) = ([], [])
    for row in batch.details {
      guard let extra = row.details.extraValues else { continue }
      if extra.names != known.names { known = (extra.names, extra.names.map { _ in nil }) }
      // A channel without values gets no column.
      for (channel, value) in extra.values.enumerated() where value.isFinite {
        let column = known.indices[channel] ?? index(of: extra.names[channel])
        known.indices[channel] = column
        set(value, column, first + row.row)
      }
    }
  }

  /// Returns a range of rows.
  func rows(_ rows: [Int]) -> ChannelColumns {
    var result = self
    result.columns = columns.map { column in rows.map { $0 < column.count ? column[$0] : Self.missing } }
    return result
  }

  private mutating func index(of name: ExtraValues.Name) -> Int {
    if let index = names.firstIndex(of: name) { return index }
    names.append(name)
    columns.append([])
    return names.count - 1
  }

  private mutating func set(_ value: Double, _ column: Int, _ row: Int) {
    // A channel can occur twice in a point; the first value is kept.
    guard value.isFinite, columns[column].count <= row else { return }
    let gap = row - columns[column].count
    if gap > 0 { columns[column].append(contentsOf: repeatElement(Self.missing, count: gap)) }
    columns[column].append(value)
  }
}
