/// A segment or route in memory: points in columns of equal length.
public struct PointColumns: Sendable, Equatable {
  /// The time per row in microseconds since 1970, or ``Instant/absent``.
  public private(set) var times: [Int64] = []
  /// The latitude per row in degrees.
  public private(set) var latitudes: [Double] = []
  /// The longitude per row in degrees.
  public private(set) var longitudes: [Double] = []
  /// The details of rows in ascending order.
  public private(set) var details: [PointBatch.RowDetails] = []
  /// The channels with a column: those with a value in some row, and those of the appended batches.
  public private(set) var channels: ChannelSet = []
  // One column per member of `channels`, indexed by the channel's raw value.
  private var columns: [[Double]] = []

  /// Creates columns without points.
  public init() {}

  /// The number of rows.
  public var count: Int { times.count }
  /// Whether there are no points.
  public var isEmpty: Bool { times.isEmpty }

  /// Returns a channel's value per row, NaN for rows without one, or `nil` if the channel has no column.
  public func values(of channel: Channel) -> [Double]? {
    channels.contains(channel) ? columns[Int(channel.rawValue)] : nil
  }

  /// Returns the value of a channel, or `nil` if the row has none.
  public func value(_ channel: Channel, at row: Int) -> Double? {
    guard channels.contains(channel) else { return nil }
    let value = columns[Int(channel.rawValue)][row]
    return value.isNaN ? nil : value
  }

  /// Returns the position of a row.
  public func coordinate(at row: Int) -> Coordinate {
    Coordinate(latitude: latitudes[row], longitude: longitudes[row])
  }

  /// Returns the time of a row, or `nil` if it has none.
  public func time(at row: Int) -> Instant? {
    times[row] == Instant.absent ? nil : Instant(microseconds: times[row])
  }

  /// Returns the index of the first details of `row` or a later row.
  func indexOfDetails(from row: Int) -> Int {
    details.partitionIndex { $0.row >= row }
  }

  /// The rows of a batch.
  public init(_ batch: borrowing PointBatch) {
    self.init()
    append(batch)
  }

  /// Appends the rows of a batch.
  public mutating func append(_ batch: borrowing PointBatch) {
    let first = count
    unsafe batch.times.withUnsafeBufferPointer { unsafe times.append(contentsOf: $0) }
    append(batch.latitudes, to: &latitudes)
    append(batch.longitudes, to: &longitudes)
    for channel in channels.union(batch.channels).channels {
      makeColumn(of: channel, rows: first)
      let values = batch.values(of: channel)
      if values.isEmpty {
        columns[Int(channel.rawValue)].append(contentsOf: repeatElement(.nan, count: batch.count))
      } else {
        append(values, to: &columns[Int(channel.rawValue)])
      }
    }
    for row in batch.details {
      details.append(PointBatch.RowDetails(row: first + row.row, details: row.details))
    }
  }

  /// Appends the rows of other columns.
  public mutating func append(_ other: PointColumns) {
    let first = count
    times += other.times
    latitudes += other.latitudes
    longitudes += other.longitudes
    for channel in channels.union(other.channels).channels {
      makeColumn(of: channel, rows: first)
      columns[Int(channel.rawValue)] +=
        other.values(of: channel) ?? Array(repeating: .nan, count: other.count)
    }
    details += other.details.map { PointBatch.RowDetails(row: first + $0.row, details: $0.details) }
  }

  /// Appends one row.
  ///
  /// - Parameters:
  ///   - coordinate: the position.
  ///   - time: the time, or `nil` if the point has none.
  ///   - values: finite values in the units of their channels.
  ///   - details: the name, links and extensions of the point.
  public mutating func append(
    _ coordinate: Coordinate, time: Instant? = nil, values: [Channel: Double] = [:],
    details: PointDetails = PointDetails()
  ) {
    let first = count
    times.append(time?.microseconds ?? Instant.absent)
    latitudes.append(coordinate.latitude)
    longitudes.append(coordinate.longitude)
    for channel in values.keys { makeColumn(of: channel, rows: first) }
    for channel in channels.channels { columns[Int(channel.rawValue)].append(values[channel] ?? .nan) }
    if !details.isEmpty { self.details.append(PointBatch.RowDetails(row: first, details: details)) }
  }

  /// Returns the points with other times.
  ///
  /// - Parameter times: microseconds since 1970 per row, or ``Instant/absent``.
  public func with(times: [Int64]) -> PointColumns {
    precondition(times.count == count, "one time per row")
    var result = self
    result.times = times
    return result
  }

  /// Returns a range of rows.
  ///
  /// - Complexity: O(m + log n) for a range of m rows of n.
  public func rows(_ range: Range<Int>) -> PointColumns {
    if range == 0..<count { return self }
    var result = PointColumns()
    result.times = Array(times[range])
    result.latitudes = Array(latitudes[range])
    result.longitudes = Array(longitudes[range])
    result.channels = channels
    result.columns = columns.map { column in column.isEmpty ? [] : Array(column[range]) }
    result.details = details[indexOfDetails(from: range.lowerBound)...].prefix { $0.row < range.upperBound }
      .map { PointBatch.RowDetails(row: $0.row - range.lowerBound, details: $0.details) }
    return result
  }

  /// Returns the details of a row. Empty if the row has none.
  public func details(at row: Int) -> PointDetails {
    let index = indexOfDetails(from: row)
    return index < details.count && details[index].row == row ? details[index].details : PointDetails()
  }

  /// Returns the rows with the given indices, in the order of the indices.
  public func rows(at indices: [Int]) -> PointColumns {
    var result = PointColumns()
    result.times = indices.map { times[$0] }
    result.latitudes = indices.map { latitudes[$0] }
    result.longitudes = indices.map { longitudes[$0] }
    result.channels = channels
    result.columns = columns.map { column in column.isEmpty ? [] : indices.map { column[$0] } }
    guard !details.isEmpty else { return result }
    let byRow = Dictionary(details.map { ($0.row, $0.details) }) { first, _ in first }
    for (row, index) in indices.enumerated() {
      if let details = byRow[index] {
        result.details.append(PointBatch.RowDetails(row: row, details: details))
      }
    }
    return result
  }

  /// Returns the rows in reverse order.
  ///
  /// - Parameters:
  ///   - mirror: the sum of the first and last time of the whole line, to keep times ascending, or `nil` to
  ///     remove the times.
  ///   - length: the largest value of the distance channel of the whole line, in metres.
  public func reversed(mirror: Int64?, length: Double) -> PointColumns {
    var result = rows(at: Array((0..<count).reversed()))
    for row in 0..<result.count where result.times[row] != Instant.absent {
      result.times[row] = mirror.map { $0 &- result.times[row] } ?? Instant.absent
    }
    func change(_ channel: Channel, _ body: (Double) -> Double) {
      guard result.channels.contains(channel) else { return }
      result.columns[Int(channel.rawValue)] = result.columns[Int(channel.rawValue)].map(body)
    }
    change(.course) { $0 < 180 ? $0 + 180 : $0 - 180 }
    change(.distance) { length - $0 }
    return result
  }

  private mutating func makeColumn(of channel: Channel, rows: Int) {
    guard !channels.contains(channel) else { return }
    if columns.isEmpty { columns = Array(repeating: [], count: Channel.allCases.count) }
    channels.insert(ChannelSet(channel))
    columns[Int(channel.rawValue)] = Array(repeating: .nan, count: rows)
  }

  private func append(_ values: Span<Double>, to column: inout [Double]) {
    unsafe values.withUnsafeBufferPointer { unsafe column.append(contentsOf: $0) }
  }

  /// Columns are equal if all their rows are equal. Absent values are equal to each other.
  public static func == (left: PointColumns, right: PointColumns) -> Bool {
    guard
      left.times == right.times, left.latitudes == right.latitudes, left.longitudes == right.longitudes,
      left.details == right.details
    else { return false }
    return left.channels.union(right.channels).channels.allSatisfy { channel in
      switch (left.values(of: channel), right.values(of: channel)) {
      case (let left?, let right?): zip(left, right).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
      // A column that exists on one side only is equal if it has no values.
      case (let values?, nil), (nil, let values?): values.allSatisfy { $0.isNaN }
      case (nil, nil): true
      }
    }
  }
}
