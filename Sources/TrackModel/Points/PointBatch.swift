/// A reusable batch of points in columns, owned by the caller of a reader.
///
/// All columns share one allocation and one count. Memory of unused columns is never touched. Only this file
/// accesses the memory; columns are exposed as spans.
@safe
public struct PointBatch: ~Copyable, @unchecked Sendable {  // Sendable, because it has a single owner.
  /// The default number of rows: large enough to amortise the call per batch, small enough for the
  /// second-level cache.
  public static let defaultCapacity = 4096

  /// The maximum number of rows.
  public let capacity: Int
  /// The number of rows.
  public private(set) var count = 0
  /// The channels with a column: those with a value in some row of the batch, and those whose rows have since
  /// been removed.
  public private(set) var channels: ChannelSet = []
  /// The details of rows in ascending order. Most rows have none.
  public private(set) var details: [RowDetails] = []

  /// The details of one row.
  public struct RowDetails: Sendable, Equatable {
    /// The index of the row in its batch or columns.
    public var row: Int
    /// The details of the row.
    public var details: PointDetails

    /// Creates the details of a row.
    public init(row: Int, details: PointDetails) {
      self.row = row
      self.details = details
    }
  }

  // Columns of `capacity` eight-byte values: time, latitude, longitude, then one per channel.
  private let timeColumn: UnsafeMutablePointer<Int64>
  private let latitudeColumn: UnsafeMutablePointer<Double>
  private let longitudeColumn: UnsafeMutablePointer<Double>
  @usableFromInline let channelColumns: UnsafeMutablePointer<Double>

  /// Creates an empty batch, which allocates its columns once.
  ///
  /// - Parameter capacity: the maximum number of rows, at least 1.
  public init(capacity: Int = PointBatch.defaultCapacity) {
    let capacity = max(capacity, 1)
    self.capacity = capacity
    let columns = 3 + Channel.allCases.count
    // With a larger alignment, glibc 2.36 does not use freed memory again.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: capacity * columns * 8, alignment: MemoryLayout<Double>.alignment)
    unsafe timeColumn = memory.bindMemory(to: Int64.self, capacity: capacity)
    let doubles = unsafe (memory + capacity * 8).bindMemory(
      to: Double.self, capacity: capacity * (columns - 1))
    unsafe latitudeColumn = doubles
    unsafe longitudeColumn = doubles + capacity
    unsafe channelColumns = doubles + 2 * capacity
  }

  deinit { unsafe UnsafeMutableRawPointer(timeColumn).deallocate() }

  /// Whether the batch is full.
  public var isFull: Bool { count == capacity }

  // MARK: Filling

  /// Removes all rows and keeps the memory.
  public mutating func removeAll() {
    count = 0
    channels = []
    if !details.isEmpty { details.removeAll(keepingCapacity: true) }
  }

  /// Appends a row without channel values.
  ///
  /// - Precondition: the batch is not full.
  /// - Parameters:
  ///   - latitude: the latitude in degrees.
  ///   - longitude: the longitude in degrees.
  ///   - time: microseconds since 1970, or ``Instant/absent``.
  public mutating func append(latitude: Double, longitude: Double, time: Int64 = Instant.absent) {
    precondition(count < capacity, "the batch is full")
    unsafe timeColumn[count] = time
    unsafe latitudeColumn[count] = latitude
    unsafe longitudeColumn[count] = longitude
    var rest = channels.rawValue
    while rest != 0 {
      unsafe channelColumns[rest.trailingZeroBitCount * capacity + count] = .nan
      rest &= rest - 1
    }
    count += 1
  }

  /// Sets a channel of the last row.
  ///
  /// - Precondition: there is a row.
  public mutating func set(_ channel: Channel, _ value: Double) {
    precondition(count > 0, "an empty batch has no last row")
    let column = unsafe channelColumns + Int(channel.rawValue) * capacity
    if !channels.contains(channel) {
      channels.insert(ChannelSet(channel))
      unsafe column.update(repeating: .nan, count: count)
    }
    unsafe column[count - 1] = value
  }

  /// Sets a channel of consecutive rows.
  ///
  /// - Precondition: the rows exist.
  /// - Parameters:
  ///   - values: the values, NaN for rows without one.
  ///   - first: the first row.
  package mutating func set(_ channel: Channel, _ values: Span<Double>, at first: Int) {
    precondition(first >= 0 && first + values.count <= count, "row out of range")
    guard values.indices.contains(where: { !values[$0].isNaN }) else { return }
    let column = unsafe channelColumns + Int(channel.rawValue) * capacity
    if !channels.contains(channel) {
      channels.insert(ChannelSet(channel))
      unsafe column.update(repeating: .nan, count: count)
    }
    for index in values.indices { unsafe column[first + index] = values[index] }
  }

  /// Sets the time of the last row, or removes it with ``Instant/absent``.
  ///
  /// - Precondition: there is a row.
  public mutating func set(time: Int64) {
    precondition(count > 0, "an empty batch has no last row")
    unsafe timeColumn[count - 1] = time
  }

  /// Removes the last row, if any.
  public mutating func removeLast() {
    guard count > 0 else { return }
    count -= 1
    if details.last?.row == count { details.removeLast() }
  }

  /// Sets the details of the last row. Empty details are ignored.
  ///
  /// - Precondition: there is a row.
  public mutating func set(_ value: PointDetails) {
    precondition(count > 0, "an empty batch has no last row")
    if details.last?.row == count - 1 { details.removeLast() }
    if !value.isEmpty { details.append(RowDetails(row: count - 1, details: value)) }
  }

  /// Appends as many rows of `columns` as fit, starting at `first`.
  ///
  /// - Returns: the number of appended rows.
  public mutating func append(_ columns: PointColumns, from first: Int) -> Int {
    let added = min(columns.count - first, capacity - count)
    guard added > 0 else { return 0 }
    let rows = first..<(first + added)
    unsafe copy(columns.times, rows, to: timeColumn + count)
    unsafe copy(columns.latitudes, rows, to: latitudeColumn + count)
    unsafe copy(columns.longitudes, rows, to: longitudeColumn + count)
    for channel in columns.channels.union(channels).channels {
      let column = unsafe channelColumns + Int(channel.rawValue) * capacity
      if !channels.contains(channel) { unsafe column.update(repeating: .nan, count: count) }
      if let values = columns.values(of: channel) {
        unsafe copy(values, rows, to: column + count)
      } else {
        unsafe (column + count).update(repeating: .nan, count: added)
      }
    }
    channels.formUnion(columns.channels)
    var index = columns.indexOfDetails(from: first)
    while index < columns.details.count, columns.details[index].row < rows.upperBound {
      let row = columns.details[index]
      details.append(RowDetails(row: count + row.row - first, details: row.details))
      index += 1
    }
    count += added
    return added
  }

  private func copy<Value: BitwiseCopyable>(
    _ values: [Value], _ rows: Range<Int>, to destination: UnsafeMutablePointer<Value>
  ) {
    unsafe values[rows].withUnsafeBufferPointer { source in
      if let start = source.baseAddress { unsafe destination.update(from: start, count: source.count) }
    }
  }

  // MARK: Reading rows

  /// Returns the position of a row.
  ///
  /// - Precondition: `0 <= row < count`, as for all access by row.
  public func coordinate(at row: Int) -> Coordinate {
    check(row)
    return unsafe Coordinate(latitude: latitudeColumn[row], longitude: longitudeColumn[row])
  }

  /// Returns the time of a row, or `nil` if it has none.
  public func time(at row: Int) -> Instant? {
    check(row)
    let time = unsafe timeColumn[row]
    return time == Instant.absent ? nil : Instant(microseconds: time)
  }

  /// Returns the value of a channel, or `nil` if the row has none.
  @inlinable @inline(__always)
  public func value(_ channel: Channel, at row: Int) -> Double? {
    check(row)
    guard channels.contains(channel) else { return nil }
    let value = unsafe channelColumns[Int(channel.rawValue) * capacity + row]
    return value.isNaN ? nil : value
  }

  @inlinable @inline(__always)
  func check(_ row: Int) { precondition(row >= 0 && row < count, "row out of range") }

  // MARK: Columns

  /// The time per row in microseconds since 1970, or ``Instant/absent``.
  public var times: Span<Int64> {
    @_lifetime(borrow self) get {
      let span = unsafe Span(_unsafeStart: UnsafePointer(timeColumn), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The latitude per row in degrees.
  public var latitudes: Span<Double> {
    @_lifetime(borrow self) get { unsafe column(latitudeColumn) }
  }

  /// The longitude per row in degrees.
  public var longitudes: Span<Double> {
    @_lifetime(borrow self) get { unsafe column(longitudeColumn) }
  }

  /// Returns a channel's value per row, NaN for rows without one. Empty if the channel has no column.
  @_lifetime(borrow self)
  public func values(of channel: Channel) -> Span<Double> {
    let start = unsafe UnsafePointer(channelColumns + Int(channel.rawValue) * capacity)
    let span = unsafe Span(_unsafeStart: start, count: channels.contains(channel) ? count : 0)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  @_lifetime(borrow self)
  private func column(_ start: UnsafeMutablePointer<Double>) -> Span<Double> {
    let span = unsafe Span(_unsafeStart: UnsafePointer(start), count: count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  // MARK: Transforming

  /// The times, mutable in place.
  public var mutableTimes: MutableSpan<Int64> {
    @_lifetime(&self) mutating get {
      let span = unsafe MutableSpan(_unsafeStart: timeColumn, count: count)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }

  /// Returns a channel's values, mutable in place, NaN for rows without one. Empty if it has no column.
  @_lifetime(&self)
  public mutating func mutableValues(of channel: Channel) -> MutableSpan<Double> {
    let start = unsafe channelColumns + Int(channel.rawValue) * capacity
    let span = unsafe MutableSpan(_unsafeStart: start, count: channels.contains(channel) ? count : 0)
    return unsafe _overrideLifetime(span, mutating: &self)
  }

  /// Removes the rows for which `isKept` returns false, and keeps the order of the others.
  ///
  /// - Parameter isKept: called once per row in ascending order.
  /// - Returns: the number of removed rows.
  @discardableResult
  public mutating func keepRows(where isKept: (Int) -> Bool) -> Int {
    var kept = 0
    var keptDetails: [RowDetails] = []
    var detail = 0
    let columns = channels.channels.map { Int($0.rawValue) * capacity }
    for row in 0..<count {
      let keeps = isKept(row)
      if detail < details.count, details[detail].row == row {
        if keeps { keptDetails.append(RowDetails(row: kept, details: details[detail].details)) }
        detail += 1
      }
      guard keeps else { continue }
      if kept != row {
        unsafe timeColumn[kept] = timeColumn[row]
        unsafe latitudeColumn[kept] = latitudeColumn[row]
        unsafe longitudeColumn[kept] = longitudeColumn[row]
        for column in columns { unsafe channelColumns[column + kept] = channelColumns[column + row] }
      }
      kept += 1
    }
    let removed = count - kept
    count = kept
    details = keptDetails
    return removed
  }
}
