import TrackModel

/// A track of a film with the tables that locate its samples (ISO/IEC 14496-12, 8.6 and 8.7).
struct MP4Track {
  /// The format of the samples: `gpmd`, `avc1`.
  private(set) var format: FourCC = "none"
  private var timescale = 0
  /// Pairs of a number of samples and their duration.
  private var durations: [UInt32] = []
  /// The size of all samples; 0 if ``sizes`` are theirs.
  private var commonSize = 0
  private var sizes: [UInt32] = []
  private var sampleCount = 0
  /// The number of samples that the tables name.
  private var namedCount = 0
  /// Triples of the first chunk, from 1, the samples in each chunk, and a description.
  private var groups: [UInt32] = []
  /// The offsets of the chunks as numbers of four bytes, two for each if they have eight.
  private var chunks: [UInt32] = []
  private var wordsPerChunk = 1
  /// Whether a table was longer than the limit.
  private(set) var isCut = false

  // The position of the next sample.
  private var sample = 0
  private var chunk = 0
  private var sampleInChunk = 0
  private var offsetInChunk = 0
  private var group = 0
  private var durationRun = 0
  private var sampleInRun = 0
  private var ticks: UInt64 = 0

  /// A sample: a part of the film's data with its time.
  struct Sample {
    let offset: Int
    let size: Int
    /// Seconds since the start of the film.
    let start: Double
    let duration: Double
  }

  /// Whether the samples are pictures in H.264 or H.265.
  var isPictures: Bool { format == "avc1" || isH265 }
  var isH265: Bool { format == "hvc1" || format == "hev1" }
  /// Whether the samples are texts, such as subtitles.
  var isText: Bool { format == "text" || format == "tx3g" || format == "sbtl" }
  /// Whether the samples can contain positions.
  private var isWanted: Bool { format == "gpmd" || format == "camm" || isText || isPictures }

  /// Reads a box of the track. The format comes before the tables.
  mutating func take(
    _ input: inout MP4Input, _ type: FourCC, _ content: Range<Int>, in container: FourCC?, limit: Int
  ) throws(TrackError) {
    let start = content.lowerBound
    func table(_ offset: Int) throws(TrackError) -> [UInt32] {
      guard isWanted, content.count > offset else { return [] }
      return try input.numbers(in: (start + offset)..<content.upperBound, limit: limit, isCut: &isCut)
    }
    switch (container, type) {
    case ("mdia", "mdhd"):
      let count = try input.load(min(content.count, 24), at: start)
      let index = count > 0 && input.loaded[0] == 1 ? 20 : 12
      if count >= index + 4 { timescale = Int(input.loaded.number(index, 4)) }
    case ("stbl", "stsd"):
      if try input.load(min(content.count, 16), at: start) == 16 { format = FourCC(input.loaded, at: 12) }
    case ("stbl", "stts"): durations = try table(8)
    case ("stbl", "stsc"): groups = try table(8)
    case ("stbl", "stsz"):
      let numbers = try table(4)
      guard numbers.count >= 2 else { return }
      commonSize = Int(numbers[0])
      sizes = Array(numbers.dropFirst(2))
      namedCount = Int(numbers[1])
      sampleCount = commonSize == 0 ? min(namedCount, sizes.count) : namedCount
    case ("stbl", "stco"), ("stbl", "co64"):
      wordsPerChunk = type == "co64" ? 2 : 1
      chunks = try table(8)
    default: break
    }
  }

  /// The number of samples after the current one that one of the tables names and the others do not locate.
  /// 0 if a table was longer than the limit.
  var unlocatedSamples: Int {
    guard !isCut else { return 0 }
    let timed = stride(from: 0, to: durations.count, by: 2).reduce(0) { $0 + Int(durations[$1]) }
    return max(namedCount, timed) - sample
  }

  /// Returns the next sample, or nil after the last one that the tables locate.
  mutating func next() -> Sample? {
    guard sample < sampleCount else { return nil }
    while true {
      guard (chunk + 1) * wordsPerChunk <= chunks.count, let samples = samplesOfChunk else { return nil }
      if sampleInChunk < samples { break }
      chunk += 1
      sampleInChunk = 0
      offsetInChunk = 0
    }
    var offset = Int(chunks[chunk * wordsPerChunk])
    if wordsPerChunk == 2 { offset = offset << 32 | Int(chunks[chunk * 2 + 1]) }
    guard offset >= 0, offset < MP4Input.maximumOffset else { return nil }
    let size = commonSize == 0 ? Int(sizes[sample]) : commonSize
    let duration = advanceClock()
    let scale = Double(max(timescale, 1))
    let result = Sample(
      offset: offset + offsetInChunk, size: size, start: Double(ticks - duration) / scale,
      duration: Double(duration) / scale)
    sample += 1
    sampleInChunk += 1
    offsetInChunk += size
    return result
  }

  /// The number of samples in the current chunk, or nil if the table has no group for it.
  private var samplesOfChunk: Int? {
    mutating get {
      while (group + 2) * 3 <= groups.count, Int(groups[(group + 1) * 3]) <= chunk + 1 { group += 1 }
      return (group + 1) * 3 <= groups.count ? Int(groups[group * 3 + 1]) : nil
    }
  }

  /// Adds the duration of the next sample to the clock and returns it in units of the timescale.
  private mutating func advanceClock() -> UInt64 {
    while (durationRun + 1) * 2 <= durations.count, sampleInRun >= Int(durations[durationRun * 2]) {
      durationRun += 1
      sampleInRun = 0
    }
    guard (durationRun + 1) * 2 <= durations.count else { return 0 }
    sampleInRun += 1
    let duration = UInt64(durations[durationRun * 2 + 1])
    ticks += duration
    return duration
  }
}
