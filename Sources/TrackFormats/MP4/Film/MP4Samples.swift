import TrackModel

/// A part of a film that contains positions. Its bytes are ``MP4Samples/loaded``, unless they are a value of
/// the case. Times are seconds since the start of the film.
enum MP4Sample {
  /// A payload of GoPro's telemetry.
  case payload(start: Double, duration: Double)
  /// A block of Novatek, and the part of the film before it.
  case block(share: Double)
  /// The blocks of some packets of a transport stream.
  case blocks([NovatekBlock])
  case record(CameraRecords.Record)
  case text(start: Double)
  /// A sample of the camera's motion.
  case motion(start: Double)
  /// The start of a picture.
  case frame(start: Double, isH265: Bool)
}

/// Locates the samples of a film and loads them in their order.
struct MP4Samples: ~Copyable {
  private var input: MP4Input
  private let options: ReadingOptions
  private let limits: MP4Limits
  /// The warnings about the film, to which those about the contents of the samples are added.
  var log = WarningLog()
  private(set) var index = MP4Index()
  private(set) var source: MP4Source?
  /// Whether there is no film that times the samples.
  var isBareTelemetry: Bool { if case .bareTelemetry = source { true } else { false } }

  /// The next entry of a table, or the next offset in the input.
  private var position = 0
  /// The end of the last sample. Samples do not overlap.
  private var endOfSample = 0
  /// The number of payloads without a film.
  private var payloads = 0
  private var isAtEnd = false

  /// The maximum size of a payload in bytes.
  private static let maximumPayload = 1 << 22
  /// The usual duration of a payload in seconds.
  private static let usualDuration = 1.001

  /// - Parameter source: the source of the samples, if it does not depend on the film.
  init(_ input: consuming ByteInput, options: ReadingOptions, limits: MP4Limits, source: MP4Source?) {
    self.input = MP4Input(input)
    self.options = options
    self.limits = limits
    self.source = source
  }

  /// The bytes of the current sample.
  var loaded: Span<UInt8> {
    @_lifetime(borrow self) get { input.loaded }
  }

  /// The name of the film.
  var name: String? { input.name }

  /// The offset of the current sample in bytes.
  var offset: Int { max(endOfSample - input.loaded.count, 0) }

  /// Reads the index of the film and finds its source, if it has one.
  mutating func open() throws(TrackError) {
    guard source == nil else { return }
    if let stream = try TransportStream(&input) {
      source = .transport(stream)
      return
    }
    index = try MP4Index(&input, limits)
    source = try MP4Source(index, &input)
    if index.isCut {
      try log.report(.truncated, "the film is cut off; earlier data is kept", isStrict: options.isStrict)
    }
    if index.hasMoreBoxes {
      try log.report(
        .limitExceeded, "more than \(limits.boxCount) boxes, the rest not read",
        isStrict: options.isStrict)
    } else if !index.hasMovie, index.sentences.isEmpty {
      try log.report(
        .truncated, "the film is unfinished: it has no index (moov)", isStrict: options.isStrict)
    }
    if let message = MP4Source.limitMessage(source, index, limits) {
      try log.report(.limitExceeded, message, isStrict: options.isStrict)
    }
    if case .blocks = source { position = NovatekBlock.alignment }
    // Without seeking, only tables before the pictures are known.
    guard source != nil || input.canGoBack else {
      throw TrackError(
        .unsupported, "the film can only be read onwards, and no positions precede its pictures",
        suggestion: .text("save it uncompressed as a file first"))
    }
  }

  /// Loads the next sample; nil after the last one.
  mutating func next() throws(TrackError) -> MP4Sample? {
    while !isAtEnd {
      switch source {
      case nil, .sentences: return nil
      case .telemetry(var track):
        guard let sample = track.next() else { return try end(track) }
        source = .telemetry(track)
        guard sample.size > 0 else {
          try log.report(.damaged, "empty payload, skipped", isStrict: options.isStrict)
          continue
        }
        // Also a payload that is skipped has to be in the film, which bounds their number.
        guard try load(min(sample.size, MP4Samples.maximumPayload), at: sample.offset) else { return nil }
        guard try isLoadable(sample.size) else { continue }
        return .payload(start: sample.start, duration: sample.duration)
      case .bareTelemetry: if try loadPayload() { return nextPayload() }
      case .blockTable(let table):
        guard position + 2 <= table.count else { return nil }
        let size = min(Int(table[position + 1]), NovatekBlock.length)
        let offset = Int(table[position])
        position += 2
        guard size > 0 else { continue }
        guard try load(size, at: offset) else { return nil }
        return .block(share: Double(position / 2 - 1) / Double(table.count / 2))
      case .blocks:
        guard try input.load(NovatekBlock.length, at: position) > 0 else { return nil }
        position += NovatekBlock.alignment
        guard NovatekBlock.isOne(input.loaded) else { continue }
        return .block(share: Double(position) / Double(max(input.length ?? position, position)))
      case .transport(let stream): return try nextBlocks(stream).map { .blocks($0) }
      case .records(var records):
        let record = try records.next(&input)
        source = .records(records)
        return record.map { .record($0) }
      case .texts(var track):
        guard let sample = track.next() else { return try end(track) }
        source = .texts(track)
        guard sample.size > 0 else { continue }
        guard try loadText(sample.size, at: sample.offset) else { return nil }
        return .text(start: sample.start)
      case .motion(var track):
        guard let sample = track.next() else { return try end(track) }
        source = .motion(track)
        // Most samples are rotations and accelerations, which are shorter.
        let isUseful = MotionSample.sizes.contains(sample.size)
        guard sample.size > 0 else { continue }
        // Also a sample that is skipped has to be in the film, which bounds their number.
        let size = isUseful ? sample.size : 1
        guard try load(size, at: sample.offset + sample.size - size) else { return nil }
        if isUseful { return .motion(start: sample.start) }
      case .frames(var track):
        guard let sample = track.next() else { return try end(track) }
        source = .frames(track)
        guard sample.size > 0 else { continue }
        guard try load(min(sample.size, TeslaFrame.length), at: sample.offset) else { return nil }
        return .frame(start: sample.start, isH265: track.isH265)
      }
    }
    return nil
  }

  /// Ends a track, and reports the samples that are not located.
  private mutating func end(_ track: MP4Track) throws(TrackError) -> MP4Sample? {
    isAtEnd = true
    // The tables of a film that is cut off are incomplete.
    if track.unlocatedSamples > 0, !index.isCut {
      try log.report(
        .damaged, "samples that the tables of the film do not locate, skipped",
        count: track.unlocatedSamples, isStrict: options.isStrict)
    }
    return nil
  }

  /// Loads a sample, and reports if it is not complete or precedes an earlier one.
  private mutating func load(_ size: Int, at offset: Int) throws(TrackError) -> Bool {
    guard offset >= endOfSample else {
      try log.report(
        .damaged, "samples overlap; earlier data is kept", isStrict: options.isStrict,
        at: InputLocation(byteOffset: offset))
      return false
    }
    guard try input.load(size, at: offset) == size else {
      try log.report(
        .truncated, "the film ends before its last sample; earlier data is kept",
        isStrict: options.isStrict, at: InputLocation(byteOffset: offset))
      return false
    }
    endOfSample = offset + size
    return true
  }

  /// Loads a text, and reports if only its start is loaded.
  private mutating func loadText(_ size: Int, at offset: Int) throws(TrackError) -> Bool {
    guard try load(min(size, CameraText.length), at: offset) else { return false }
    if size > CameraText.length {
      try log.report(
        .limitExceeded,
        "text of more than \(ReadingLimits.text(size: CameraText.length)), the rest ignored",
        isStrict: options.isStrict)
    }
    return true
  }

  /// Returns the blocks of the next packets of a transport stream, and reports skipped bytes.
  private mutating func nextBlocks(_ stream: TransportStream) throws(TrackError) -> [NovatekBlock]? {
    var stream = stream
    let gaps = stream.gaps
    let blocks = try stream.next(&input)
    source = .transport(stream)
    if stream.gaps > gaps {
      try log.report(
        .damaged, "bytes that are no packet, skipped", count: stream.gaps - gaps,
        isStrict: options.isStrict)
    }
    return blocks
  }

  /// Returns whether a payload can be loaded, and reports it otherwise.
  private mutating func isLoadable(_ size: Int) throws(TrackError) -> Bool {
    if size > MP4Samples.maximumPayload {
      try log.report(.damaged, "payload of more than 4 MiB, skipped", isStrict: options.isStrict)
    }
    return size <= MP4Samples.maximumPayload
  }

  // MARK: Telemetry without a film

  /// Loads the next value.
  ///
  /// - Returns: whether it is a payload. At the end, and before bytes that are no value, ``isAtEnd`` is set.
  private mutating func loadPayload() throws(TrackError) -> Bool {
    let count = try input.load(8, at: position)
    guard count > 0 else {
      isAtEnd = true
      return false
    }
    guard count == 8, case let key = FourCC(input.loaded, at: 0), key.isPrintable else {
      // Payloads of a film can be filled up with zeros.
      if count == 8, input.loaded.number(0, 4) == 0 {
        position += 4
        return false
      }
      isAtEnd = true
      try log.report(
        count < 8 ? .truncated : .damaged, "no further payload; earlier data is kept",
        isStrict: options.isStrict, at: InputLocation(byteOffset: position))
      return false
    }
    let length = Int(input.loaded[5]) * Int(input.loaded.number(6, 2))
    let start = position
    position += 8 + (length + 3) & ~3
    guard key == "DEVC" else {
      try log.report(
        .damaged, "value outside a payload, skipped", isStrict: options.isStrict,
        at: InputLocation(byteOffset: start))
      return false
    }
    guard try isLoadable(length) else { return false }
    isAtEnd = try input.load(8 + length, at: start) < 8 + length
    endOfSample = start + input.loaded.count
    return true
  }

  private mutating func nextPayload() -> MP4Sample {
    defer { payloads += 1 }
    return .payload(start: Double(payloads) * MP4Samples.usualDuration, duration: MP4Samples.usualDuration)
  }
}
