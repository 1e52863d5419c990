public import TrackModel

/// Reads the positions that cameras store in MP4 and MOV films: GoPro's telemetry, also without its film, the
/// blocks of dashcams with a Novatek processor, the sentences of BlackVue, the frames of Tesla's dashcam, the
/// trailer of Insta360, transport streams of dashcams, and tracks of camera motion (`camm`).
///
/// All fixes are one track with one segment. The creator is the camera. Pictures are never read: the tables
/// of the film locate the positions. A pipe can be read if these precede the pictures. The fixes are buffered
/// until the end of the film, because the drift of the camera's clock follows from all of them, up to 262,144
/// fixes (four hours of GoPro). Samples without a fix are skipped and counted.
public struct MP4Reader: TrackReader, ~Copyable {
  private var samples: MP4Samples
  private let options: ReadingOptions
  private let limits: MP4Limits
  private var info = FileInfo()
  private var track = TrackInfo()

  private var fixes: [CameraFix] = []
  private var delivered = 0
  private var clock = CameraClock()
  /// The sentences of a film, read like a log of them.
  private var sentences = NMEAReader(ByteInput(bytes: []))

  /// The samples of zeros since the last one with content.
  private var blank: (message: String, count: Int, place: InputLocation)?
  private var text: [UInt8] = []
  /// The texts that only all records of the film decipher.
  private var letters: [LigoLetters] = []
  private var device: GPMFPayload.Device?
  private var hasDatedFixes = false
  private var hasCheckedClock = false

  private var isAtEnd = false
  private var hasTrack = false
  private var pendingError: TrackError?
  private var step = Step.header

  private enum Step { case header, fill, segment, points, endOfTrack, sentences, end }

  /// The seconds between the creation of a film and its first fix, and the largest difference of time zones.
  private static let longestFilm = 1500.0
  private static let largestZone = 54_000.0

  /// Creates a reader of a film. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - film: the film from its first byte.
  ///   - options: the options for reading.
  public init(film: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.init(film, options: options, limits: MP4Limits(), source: nil)
  }

  /// Creates a reader of telemetry without a film. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - telemetry: payloads of GoPro's telemetry.
  ///   - options: the options for reading.
  public init(telemetry: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.init(telemetry, options: options, limits: MP4Limits(), source: .bareTelemetry)
  }

  init(_ input: consuming ByteInput, options: ReadingOptions, limits: MP4Limits, source: MP4Source?) {
    samples = MP4Samples(input, options: options, limits: limits, source: source)
    self.options = options
    self.limits = limits
  }

  public var warnings: [TrackWarning] { samples.log.warnings + sentences.warnings }
  public private(set) var unsupportedContent = LossReport()

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    while true {
      switch step {
      case .header:
        step = .fill
        do throws(TrackError) {
          try open()
          try gather()
        } catch {
          pendingError = error
        }
        info.creator = info.creator ?? samples.source?.camera(samples.index)
        return .header(info)
      case .fill:
        if fixes.isEmpty, !isAtEnd, pendingError == nil {
          do throws(TrackError) { try gather() } catch { pendingError = error }
        }
        if !fixes.isEmpty {
          step = hasTrack ? .points : .segment
          if hasTrack { continue }
          hasTrack = true
          return .beginTrack(track)
        }
        if let error = pendingError {
          pendingError = nil
          step = .end
          throw error
        }
        if isAtEnd { step = hasTrack ? .endOfTrack : text.isEmpty ? .end : .sentences }
        if step == .endOfTrack { return .endSegment }
        if step == .sentences {
          sentences = NMEAReader(ByteInput(bytes: MP4Sentences.readable(text)), options: options)
        }
      case .segment:
        step = .points
        return .beginSegment
      case .points:
        deliver(&batch)
        if delivered == fixes.count {
          fixes.removeAll(keepingCapacity: true)
          delivered = 0
          step = .fill
        }
        if batch.count > 0 { return .points }
      case .endOfTrack:
        step = .end
        return .endTrack
      case .sentences:
        guard let event = try nextOfSentences(&batch) else {
          step = .end
          return nil
        }
        if case .header = event { continue }
        return event
      case .end: return nil
      }
    }
  }

  private mutating func nextOfSentences(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    do throws(TrackError) {
      return try sentences.next(into: &batch)
    } catch  where error.code == .malformed && !options.isStrict {
      // Text without sentences.
      return nil
    }
  }

  private mutating func deliver(_ batch: inout PointBatch) {
    while delivered < fixes.count, !batch.isFull {
      let fix = fixes[delivered]
      let isOpen = fix.time == Instant.absent
      fix.append(to: &batch, time: isOpen ? clock.time(at: fix.media) ?? Instant.absent : fix.time)
      delivered += 1
    }
  }

  /// The result of a search for positions.
  package enum PositionSearch: Sendable {
    case found, none
    /// The film has no positions, and no complete index that could locate them.
    case unfinished
    /// The film cannot be searched.
    case unsearchable
  }

  /// Searches a film for positions. The input stays at its position.
  package static func searchPositions(_ input: inout ByteInput) throws(TrackError) -> PositionSearch {
    guard input.isSeekable else { return .unsearchable }
    let start = input.offset
    var film = MP4Input(input)
    var result = PositionSearch.found
    do throws(TrackError) {
      if let stream = try TransportStream(&film) {
        result = try stream.hasPositions(&film) ? .found : .none
      } else {
        let index = try MP4Index(&film, MP4Limits())
        if try MP4Source(index, &film) == nil { result = index.hasWholeMovie ? .none : .unfinished }
      }
    } catch {
      // Reading reports the error.
    }
    input = film.returned()
    try input.seek(to: start)
    return result
  }

  // MARK: Reading

  private mutating func open() throws(TrackError) {
    try samples.open()
    switch samples.source {
    case .sentences(let text): self.text = text
    case nil: try reportNoPositions()
    default: break
    }
    unsupportedContent.add("accelerations of the camera", samples.index.accelerations)
  }

  /// Reads samples until the limit of fixes or the end of the film.
  private mutating func gather() throws(TrackError) {
    while !isAtEnd, fixes.count < limits.fixCount {
      if let sample = try samples.next() { try take(sample) } else { isAtEnd = true }
    }
    if isAtEnd {
      try takeLetters()
      // The zeros at the end of a film that is cut off belong to what is missing.
      if !samples.log.warnings.contains(where: { $0.code == .truncated }) { try reportBlank() }
    }
    if isAtEnd, !hasTrack, fixes.isEmpty, case .transport = samples.source { try reportNoPositions() }
    guard isAtEnd, clock.isEmpty, !hasTrack, fixes.contains(where: { $0.time == Instant.absent }) else {
      return
    }
    if let creation = samples.index.creation {
      clock.observe(creation, at: 0)
      try samples.log.report(.timeWithoutZone, "only the film has a time, which is read as UTC")
    } else if let time = samples.name.flatMap({ FileName.time(in: $0) }) {
      clock.observe(time, at: 0)
      try samples.log.report(.timeWithoutZone, "only the film's name has a time, which is read as UTC")
    } else if !samples.isBareTelemetry, let first = fixes.first, let last = fixes.last,
      first.media < last.media,
      fixes.allSatisfy({ $0.time == Instant.absent })
    {
      clock.observe(DriveElement.unknownStart.microseconds, at: first.media)
      track.extensions = [DriveElement.artificialClockMark]
      if options.reportsUnknownStart {
        try samples.log.report(.missingDate, TimeOfDayClock.undated, isStrict: options.isStrict)
      }
    }
  }

  private mutating func take(_ sample: MP4Sample) throws(TrackError) {
    switch sample {
    case .payload(let start, let duration): try takePayload(at: start, duration)
    case .block(let share): try take(NovatekBlock(samples.loaded), at: share)
    case .blocks(let blocks):
      for block in blocks {
        // The text of a position follows its enciphered form.
        if case .fixes(let fixes) = block, let time = fixes.first?.time, time != Instant.absent,
          time == self.fixes.last?.time
        {
          self.fixes.removeLast()
        }
        try take(block, at: 0)
      }
    case .record(let record): try take(record)
    case .text(let start): try takeText(at: start)
    case .motion(let start): try takeMotion(at: start)
    case .frame(let start, let isH265): try takeFrame(at: start, isH265: isH265)
    }
  }

  // MARK: GoPro

  private mutating func takePayload(at start: Double, _ duration: Double) throws(TrackError) {
    let place = InputLocation(byteOffset: samples.offset)
    let payload = GPMFPayload(samples.loaded, device: device)
    var start = start
    // Payloads without a film have a time of the camera's clock since HERO7.
    if samples.isBareTelemetry, let timestamp = payload.timestamp {
      start = Double(timestamp) / 1e6
    }
    device = payload.device
    if let camera = payload.camera, info.creator == nil {
      let isUseful = !camera.isEmpty && camera.lowercased() != "camera"
      info.creator = !isUseful || camera.hasPrefix("GoPro") ? (isUseful ? camera : nil) : "GoPro " + camera
    }
    if payload.hasDatedFixes, !hasDatedFixes {
      hasDatedFixes = true
      fixes.removeAll()
    }
    if payload.isCut {
      try samples.log.report(
        .truncated, "payload ends inside a value; its earlier data is kept", isStrict: options.isStrict,
        at: place)
    }
    if payload.isBlank { return noteBlank("payload of zeros, skipped") }
    try reportBlank()
    if payload.isDamaged {
      try samples.log.report(
        .damaged, "invalid value in a payload; its earlier data is kept", isStrict: options.isStrict,
        at: place)
    }
    try reportLost(payload.lost)
    if payload.others > 0 {
      try samples.log.report(
        .invalidValue, "fixes of another device in the film, skipped", count: payload.others,
        isStrict: options.isStrict)
    }
    if payload.invalid > 0 {
      try samples.log.report(
        .invalidPosition, "position out of range, point skipped", count: payload.invalid,
        isStrict: options.isStrict)
    }
    if let time = payload.time, !hasDatedFixes { clock.observe(time, at: start) }
    for var fix in hasDatedFixes ? payload.datedFixes : payload.fixes {
      fix.media = start + fix.media * duration
      fixes.append(fix)
    }
  }

  // MARK: Dashcams

  /// - Parameter share: the part of the film before the block, from which fixes without a time are dated.
  private mutating func take(_ block: NovatekBlock, at share: Double) throws(TrackError) {
    switch block {
    case .fixes(let block):
      try checkClock(block)
      for var fix in block {
        fix.media = share * samples.index.duration
        // Blocks without a time repeat a fix for each picture.
        if fix.time == Instant.absent, fixes.last?.coordinate == fix.coordinate { continue }
        fixes.append(fix)
      }
    case .letters(let texts): try hold(texts)
    case .sentence(let sentence): try append(sentence + [0x0A])
    case .lost: try reportLost(1)
    case .unknown: try reportUnknown("block")
    }
  }

  /// Reports that the times of blocks are those of the camera's clock, unless they differ from that of the
  /// film, which is the camera's, by a time zone: then they are the receiver's.
  private mutating func checkClock(_ block: [CameraFix]) throws(TrackError) {
    guard !hasCheckedClock, let fix = block.first(where: { $0.time != Instant.absent }) else { return }
    hasCheckedClock = true
    if let creation = samples.index.creation {
      let difference = abs(Double(fix.time - creation) / 1e6)
      if difference < MP4Reader.largestZone, difference > MP4Reader.longestFilm { return }
    }
    try samples.log.report(.timeWithoutZone, "the camera's clock, which can be local time, is read as UTC")
  }

  private mutating func take(_ record: CameraRecords.Record) throws(TrackError) {
    switch record {
    case .fix(let fix): fixes.append(fix)
    case .lost: try reportLost(1)
    case .letters(let text): try hold([text])
    case .unknown: try reportUnknown("record")
    case .other: break
    }
  }

  private mutating func hold(_ texts: [LigoLetters]) throws(TrackError) {
    guard letters.count < limits.letterCount else {
      return try samples.log.report(
        .limitExceeded, "more than \(limits.letterCount) enciphered records, the rest skipped",
        count: texts.count, isStrict: options.isStrict)
    }
    letters += texts
  }

  /// Deciphers the texts of the film.
  private mutating func takeLetters() throws(TrackError) {
    guard !letters.isEmpty else { return }
    let count = letters.count
    guard let (records, areHemispheresKnown) = LigoLetters.fixes(letters) else {
      letters = []
      return try samples.log.report(
        .unknownBlock, "enciphered record without all digits in the film, skipped", count: count,
        isStrict: options.isStrict)
    }
    letters = []
    for record in records { try take(record) }
    if !areHemispheresKnown, !fixes.isEmpty {
      try samples.log.report(
        .unknownHemisphere, "the film does not state the hemispheres, treated as north and east")
    }
  }

  private mutating func reportNoPositions() throws(TrackError) {
    try samples.log.report(.noPositions, "no positions in this film", isStrict: options.isStrict)
  }

  private mutating func reportUnknown(_ part: String) throws(TrackError) {
    try samples.log.report(.unknownBlock, "\(part) of an unknown layout, skipped", isStrict: options.isStrict)
  }

  private mutating func append(_ sentences: [UInt8]) throws(TrackError) {
    guard text.count < limits.textSize || sentences.isEmpty else {
      return try samples.log.report(
        .limitExceeded, MP4Source.sentencesMessage(limits), isStrict: options.isStrict)
    }
    text += sentences
  }

  private mutating func takeText(at start: Double) throws(TrackError) {
    switch CameraText(samples.loaded) {
    case .fix(var fix):
      fix.media = start
      fixes.append(fix)
    case .lost: try reportLost(1)
    case .sentences(let sentences): try append(sentences)
    }
  }

  private mutating func takeFrame(at start: Double, isH265: Bool) throws(TrackError) {
    guard let frame = TeslaFrame(sample: samples.loaded, isH265: isH265) else {
      // Other frames without data are usual.
      if samples.loaded.isBlank { noteBlank("frame of zeros, skipped") } else { try reportBlank() }
      return
    }
    try reportBlank()
    guard var fix = frame.fix else { return try reportLost(1) }
    fix.media = start
    // The position changes less often than the picture.
    if let last = fixes.last, last.coordinate == fix.coordinate, start - last.media < 1 { return }
    fixes.append(fix)
  }

  private mutating func takeMotion(at start: Double) throws(TrackError) {
    switch MotionSample(samples.loaded, creation: samples.index.creation) {
    case .fix(var fix):
      fix.media = start
      fixes.append(fix)
    case .lost: try reportLost(1)
    case .other: break
    }
  }

  private mutating func noteBlank(_ message: String) {
    let place = blank?.place ?? InputLocation(byteOffset: samples.offset)
    blank = (message, (blank?.count ?? 0) + 1, place)
  }

  /// Counts the samples of zeros before the current sample.
  private mutating func reportBlank() throws(TrackError) {
    guard let blank else { return }
    self.blank = nil
    try samples.log.report(
      .damaged, blank.message, count: blank.count, isStrict: options.isStrict, at: blank.place)
  }

  /// Counts samples without a fix. They are usual, so strict reading does not reject them.
  private mutating func reportLost(_ count: Int) throws(TrackError) {
    guard count > 0 else { return }
    try samples.log.report(.noFix, "sample without a satellite fix, skipped", count: count)
  }
}

extension TrackWarning.Code {
  static let noPositions = TrackWarning.Code("no-positions")
  package static let noFix = TrackWarning.Code("no-fix")
  static let unknownHemisphere = TrackWarning.Code("unknown-hemisphere")
  static let unknownBlock = TrackWarning.Code("unknown-block")
}
