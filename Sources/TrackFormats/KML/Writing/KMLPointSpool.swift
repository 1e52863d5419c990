import TrackModel

/// The points of an incomplete track: in memory up to a few megabytes, the rest in an unnamed temporary
/// file.
///
/// In KML all times of a track precede all its positions, and these precede its sensor values, so the rows
/// are read several times. Rows are stored in blocks of columns. Only this file depends on the layout of a
/// block in the file.
struct KMLPointSpool: ~Copyable {
  /// A few thousand rows as columns.
  struct Block {
    fileprivate(set) var times: [Int64] = []
    fileprivate(set) var latitudes: [Double] = []
    fileprivate(set) var longitudes: [Double] = []
    fileprivate(set) var channels: ChannelSet = []
    /// One column per channel, in the order of ``ChannelSet/channels``, with NaN for missing values.
    fileprivate var columns: [[Double]] = []

    /// Returns the column of a channel, or nil if no row has a value.
    func column(_ channel: Channel) -> [Double]? {
      guard channels.contains(channel) else { return nil }
      return columns[(channels.rawValue & (ChannelSet(channel).rawValue - 1)).nonzeroBitCount]
    }

    fileprivate var size: Int { times.count * 8 * (3 + columns.count) }
  }

  /// A block that was written to the file.
  private struct Place {
    /// The index of its first row among all rows.
    var first: Int
    var count: Int
    var channels: ChannelSet
    /// The offset in the file.
    var offset: Int
  }

  /// The number of rows.
  private(set) var count = 0
  /// The blocks in the file, in the order of the rows.
  private var places: [Place] = []
  /// The blocks in memory, which follow those in the file, and the index of the first row of each block.
  private var blocks: [Block] = []
  private var starts: [Int] = []
  private var file: FileDescriptor?
  private var fileSize = 0
  private var memorySize = 0
  private let memoryLimit: Int
  /// The most recently read block of the file.
  private var cached: (index: Int, block: Block)?

  private static let blockRows = 4096

  /// - Parameter memoryLimit: the number of bytes to keep in memory.
  init(memoryLimit: Int = 1 << 22) { self.memoryLimit = memoryLimit }

  /// Adds the rows of a batch.
  mutating func append(_ batch: borrowing PointBatch) throws(TrackError) {
    guard batch.count > 0 else { return }
    let channels = batch.channels
    if let last = blocks.last, last.channels == channels, last.times.count < KMLPointSpool.blockRows {
      memorySize -= last.size
    } else {
      blocks.append(Block())
      blocks[blocks.count - 1].channels = channels
      blocks[blocks.count - 1].columns = Array(repeating: [], count: channels.channels.count)
      starts.append(count)
    }
    let index = blocks.count - 1
    unsafe batch.times.withUnsafeBufferPointer { unsafe blocks[index].times.append(contentsOf: $0) }
    unsafe batch.latitudes.withUnsafeBufferPointer { unsafe blocks[index].latitudes.append(contentsOf: $0) }
    unsafe batch.longitudes.withUnsafeBufferPointer { unsafe blocks[index].longitudes.append(contentsOf: $0) }
    for (column, channel) in channels.channels.enumerated() {
      unsafe batch.values(of: channel).withUnsafeBufferPointer {
        unsafe blocks[index].columns[column].append(contentsOf: $0)
      }
    }
    count += batch.count
    memorySize += blocks[index].size
    if memorySize > memoryLimit { try moveToFile() }
  }

  /// Removes all rows. An existing file is reused for the next track.
  mutating func removeAll() {
    count = 0
    places = []
    blocks = []
    starts = []
    fileSize = 0
    memorySize = 0
    cached = nil
  }

  /// Returns the block that contains the first row of a range, and the rows of that block that are in the
  /// range.
  ///
  /// - Precondition: the range is not empty, and its rows exist.
  mutating func block(at rows: Range<Int>) throws(TrackError) -> (block: Block, rows: Range<Int>) {
    let first: Int
    let found: Block
    if let last = places.last, rows.lowerBound < last.first + last.count {
      let index = places.partitionIndex { $0.first > rows.lowerBound } - 1
      first = places[index].first
      found = try read(index)
    } else {
      let index = starts.partitionIndex { $0 > rows.lowerBound } - 1
      first = starts[index]
      found = blocks[index]
    }
    return (found, (rows.lowerBound - first)..<min(rows.upperBound - first, found.times.count))
  }

  // MARK: The file

  private mutating func moveToFile() throws(TrackError) {
    if file == nil { file = try FileDescriptor.anonymous() }
    guard let file else { return }
    try file.seek(to: fileSize)
    for (index, block) in blocks.enumerated() {
      places.append(
        Place(first: starts[index], count: block.times.count, channels: block.channels, offset: fileSize))
      try file.write(values: block.times)
      for column in [block.latitudes, block.longitudes] + block.columns {
        try file.write(values: column)
      }
      fileSize += block.size
    }
    blocks = []
    starts = []
    memorySize = 0
  }

  private mutating func read(_ index: Int) throws(TrackError) -> Block {
    if let cached, cached.index == index { return cached.block }
    let place = places[index]
    var block = Block()
    block.channels = place.channels
    guard let file else { return block }
    try file.seek(to: place.offset)
    block.times = try file.values(place.count, like: 0)
    block.latitudes = try file.values(place.count, like: 0)
    block.longitudes = try file.values(place.count, like: 0)
    for _ in place.channels.channels {
      block.columns.append(try file.values(place.count, like: 0))
    }
    cached = (index, block)
    return block
  }
}
