import TrackModel

/// The points of a track that waits until it is whole: in memory up to a few megabytes, beyond that in a file
/// without a name.
///
/// KML puts all times of a track before all its positions, and those before its sensors, so that the rows are
/// gone through several times. Rows lie in blocks of columns. This file alone knows how a block lies in the
/// file.
struct KMLPointSpool: ~Copyable {
  /// Some thousand rows as columns.
  struct Block {
    fileprivate(set) var times: [Int64] = []
    fileprivate(set) var latitudes: [Double] = []
    fileprivate(set) var longitudes: [Double] = []
    fileprivate(set) var channels: ChannelSet = []
    /// One column per channel, in the order of ``ChannelSet/channels``; NaN where a row has no value.
    fileprivate var columns: [[Double]] = []

    /// The column of a channel; nil where no row has a value.
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
    /// Where it begins in the file.
    var offset: Int
  }

  /// How many rows there are.
  private(set) var count = 0
  /// What is in the file, in the order of the rows.
  private var places: [Place] = []
  /// What is in memory, behind that, and the index of the first row of each block.
  private var blocks: [Block] = []
  private var starts: [Int] = []
  private var file: FileDescriptor?
  private var fileSize = 0
  private var memorySize = 0
  private let memoryLimit: Int
  /// The block of the file that was read last.
  private var cached: (index: Int, block: Block)?

  private static let blockRows = 4096

  /// - Parameter memoryLimit: how many bytes stay in memory.
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

  /// Forgets all rows; a file that was needed once is kept for the next track.
  mutating func removeAll() {
    count = 0
    places = []
    blocks = []
    starts = []
    fileSize = 0
    memorySize = 0
    cached = nil
  }

  /// The block that holds a row, and which of its rows belong to a range that the row begins.
  ///
  /// - Precondition: the rows are there, and at least one.
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
