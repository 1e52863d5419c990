import TrackModel

/// The boxes of a film that positions are found with (ISO/IEC 14496-12, 4.2 and 8).
struct MP4Index {
  /// The creation time of the film in microseconds since 1970, as the camera's clock shows it.
  private(set) var creation: Int64?
  private(set) var tracks: [MP4Track] = []
  /// Pairs of the offset and the size of Novatek's blocks.
  private(set) var blocks: [UInt32] = []
  /// Whether the film has more blocks than ``MP4Limits/tableCount`` allows.
  private(set) var hasMoreBlocks = false
  private var hasTable = false
  /// The records of fixes in a box of a camera's own.
  private(set) var records: CameraRecords?
  /// The duration of the film in seconds; 0 if it is unknown.
  private(set) var duration = 0.0
  /// The number of accelerations that BlackVue stores.
  private(set) var accelerations = 0
  /// The sentences that BlackVue stores before the film.
  private(set) var sentences: [UInt8] = []
  /// Whether there are more than ``MP4Limits/textSize`` bytes of them.
  private(set) var hasMoreSentences = false
  /// Whether the search for records in a trailer ended at its maximum number of parts.
  private(set) var hasMoreParts = false
  /// The text of BlackVue that names the camera.
  private(set) var copyright: String?
  /// Whether the film has an index of its tracks.
  private(set) var hasMovie = false
  /// Whether that index is complete.
  private(set) var hasWholeMovie = false
  /// Whether the film ends inside a box.
  private(set) var isCut = false
  /// Whether there are more than ``MP4Limits/boxCount`` boxes, so that the others were not read.
  private(set) var hasMoreBoxes = false
  private var boxes = 0
  private let limits: MP4Limits

  /// The seconds from 1904, at which the times of films start, to 1970.
  private static let secondsTo1970: Int64 = 2_082_844_800

  /// An index without boxes.
  init() { limits = MP4Limits() }

  init(_ input: inout MP4Input, _ limits: MP4Limits) throws(TrackError) {
    self.limits = limits
    var end = input.length ?? MP4Input.maximumOffset
    if input.canGoBack,
      let trailer = try CameraRecords.trailer(
        &input, length: end, maximumParts: limits.partCount)
    {
      end = trailer.start
      records = trailer.records
      hasMoreParts = trailer.hasMoreParts
    }
    try scan(&input, 0..<end, in: nil)
  }

  /// Reads the boxes of a range in order.
  private mutating func scan(
    _ input: inout MP4Input, _ range: Range<Int>, in container: FourCC?
  ) throws(TrackError) {
    var start = range.lowerBound
    while start < range.upperBound {
      guard boxes < limits.boxCount else {
        hasMoreBoxes = true
        return
      }
      boxes += 1
      let count = try input.load(min(16, range.upperBound - start), at: start)
      guard count >= 8 else {
        if count > 0, container == nil { isCut = true }
        return
      }
      let type = FourCC(input.loaded, at: 4)
      var size = Int(input.loaded.number(0, 4))
      var header = 8
      if size == 1, count == 16 {
        size = Int(clamping: input.loaded.number(8, 8))
        header = 16
      } else if size == 0 {
        size = range.upperBound - start
      }
      guard size >= header, type.isPrintable else { return }
      if size > range.upperBound - start {
        if container == nil { isCut = true }
        size = range.upperBound - start
      } else if container == nil, type == "moov" {
        hasWholeMovie = true
      }
      let end = start + size
      // The rest of a pipe is read when its samples are.
      if type == "mdat", !input.canGoBack, hasMovie || !sentences.isEmpty { return }
      try take(&input, type, (start + header)..<end, in: container)
      start = end
    }
  }

  private mutating func take(
    _ input: inout MP4Input, _ type: FourCC, _ content: Range<Int>, in container: FourCC?
  ) throws(TrackError) {
    switch (container, type) {
    case (nil, "moov"):
      hasMovie = true
      try scan(&input, content, in: type)
    case (nil, "free"), (nil, "skip"):
      if try takeBlock(&input, content) { return }
      if let found = try CameraRecords(ligo: &input, content) {
        records = found
      } else {
        try scan(&input, content, in: "free")
      }
    case ("mdia", "minf"), ("minf", "stbl"), ("trak", "mdia"):
      try scan(&input, content, in: type)
    case ("moov", "trak"):
      tracks.append(MP4Track())
      try scan(&input, content, in: type)
    case ("moov", "mvhd"):
      let count = try input.load(min(content.count, 32), at: content.lowerBound)
      guard count >= 12 else { return }
      let isLong = input.loaded[0] == 1
      let seconds = isLong ? input.loaded.number(4, 8) : input.loaded.number(4, 4)
      if count >= (isLong ? 32 : 20) {
        let scale = input.loaded.number(isLong ? 20 : 12, 4)
        let length = isLong ? input.loaded.number(24, 8) : input.loaded.number(16, 4)
        if scale > 0 { duration = Double(length) / Double(scale) }
      }
      creation = MP4Index.time(Int64(clamping: seconds)) ?? creation
    case ("moov", "gps "):
      hasMoreBlocks = false
      let numbers = try input.numbers(in: content, limit: limits.tableCount, isCut: &hasMoreBlocks)
      blocks = Array(numbers.dropFirst(2))
      hasTable = true
    case (nil, "uuid"), ("moov", "uuid"):
      records = try CameraRecords(&input, content) ?? records
    case (nil, "udta"), ("moov", "udta"):
      records = try CameraRecords(ligoObjects: &input, content) ?? records
    case ("free", "3gf "):
      try countAccelerations(&input, content)
    case ("free", "gps "):
      let count = try input.load(min(content.count, limits.textSize), at: content.lowerBound)
      sentences = input.loaded.extracting(first: count).array
      // The box is filled up with zeros.
      let end = sentences.firstIndex(of: 0)
      hasMoreSentences = end == nil && count < content.count && count == limits.textSize
      if let end { sentences.removeSubrange(end...) }
    case ("free", "cprt"):
      let count = try input.load(min(content.count, 256), at: content.lowerBound)
      let text = input.loaded.extracting(first: count).array.prefix { $0 != 0 }
      copyright = String(decoding: text, as: UTF8.self)
    default:
      guard let last = tracks.indices.last else { return }
      try tracks[last].take(&input, type, content, in: container, limit: limits.tableCount)
    }
  }
  /// Adds a block of Novatek that is a box of its own, or in one.
  ///
  /// - Returns: whether the box is or has a block.
  private mutating func takeBlock(_ input: inout MP4Input, _ content: Range<Int>) throws(TrackError) -> Bool {
    guard try input.load(min(content.count, 8), at: content.lowerBound) == 8 else { return false }
    let isBlock = input.loaded.starts(with: "GPS ")
    guard isBlock || input.loaded.starts(with: "freeGPS ") else { return false }
    // The size, of four bytes, precedes the name.
    let start = content.lowerBound - (isBlock ? 8 : 4)
    guard !hasTable, let offset = UInt32(exactly: start) else { return true }
    hasMoreBlocks = blocks.count >= limits.tableCount
    if !hasMoreBlocks { blocks += [offset, UInt32(clamping: content.upperBound - start)] }
    return true
  }

  /// Returns the microseconds since 1970 for seconds since 1904, or nil if the clock was not set: cameras
  /// then write zero, and some the seconds since 1970.
  static func time(_ seconds: Int64) -> Int64? {
    guard seconds > secondsTo1970, seconds <= Int64(UInt32.max) else { return nil }
    return (seconds - secondsTo1970) * 1_000_000
  }

  /// Counts records of ten bytes up to the one that ends them.
  private mutating func countAccelerations(
    _ input: inout MP4Input, _ content: Range<Int>
  ) throws(TrackError) {
    let count = try input.load(min(content.count, limits.textSize), at: content.lowerBound)
    var offset = 0
    while offset + 10 <= count, input.loaded.number(offset, 4) != UInt64(UInt32.max) { offset += 10 }
    accelerations += offset / 10
  }
}
