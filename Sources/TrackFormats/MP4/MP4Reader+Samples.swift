import TrackModel

/// Reads the fixes in the samples of a film, and in payloads without a film.
extension MP4Reader {
  // MARK: GoPro

  /// Reads the next payload without a film.
  mutating func readPayload() throws(TrackError) -> Bool {
    let count = try input.load(8, at: position)
    guard count > 0 else { return false }
    guard count == 8, case let key = FourCC(input.loaded, at: 0), key.isPrintable else {
      // Payloads of a film can be filled up with zeros.
      if count == 8, input.loaded.number(0, 4) == 0 {
        position += 4
        return true
      }
      try log.report(
        count < 8 ? .truncated : .damaged, "no further payload; earlier data is kept",
        isStrict: options.isStrict, at: InputLocation(byteOffset: position))
      return false
    }
    let length = Int(input.loaded[5]) * Int(input.loaded.number(6, 2))
    let start = position
    position += 8 + (length + 3) & ~3
    guard key == "DEVC" else { return true }
    guard length <= MP4Reader.maximumPayload else {
      try log.report(.damaged, "payload of more than 4 MiB, skipped", isStrict: options.isStrict)
      return true
    }
    let isWhole = try input.load(8 + length, at: start) == 8 + length
    let media = Double(payloads) * MP4Reader.usualDuration
    payloads += 1
    try takePayload(at: media, MP4Reader.usualDuration)
    return isWhole
  }

  mutating func takePayload(at start: Double, _ duration: Double) throws(TrackError) {
    let offset = endOfSample - input.loaded.count
    let payload = GPMFPayload(input.loaded, device: device)
    var start = start
    // Payloads without a film have a time of the camera's clock since HERO7.
    if case .bareTelemetry = source, let timestamp = payload.timestamp { start = Double(timestamp) / 1e6 }
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
      try log.report(
        .truncated, "payload ends inside a value; its earlier data is kept", isStrict: options.isStrict,
        at: InputLocation(byteOffset: max(offset, 0)))
    }
    try reportLost(payload.lost)
    if payload.invalid > 0 {
      try log.report(
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
  mutating func take(_ block: NovatekBlock, at share: Double) throws(TrackError) {
    switch block {
    case .fixes(let block):
      for var fix in block {
        fix.media = share * index.duration
        // Blocks without a time repeat a fix for each picture.
        if fix.time == Instant.absent, fixes.last?.coordinate == fix.coordinate { continue }
        fixes.append(fix)
      }
    case .sentence(let sentence): append(sentence + [0x0A])
    case .lost: try reportLost(1)
    case .unknown: try reportUnknown("block")
    }
  }

  mutating func reportNoPositions() throws(TrackError) {
    try log.report(.noPositions, "no positions in this film", isStrict: options.isStrict)
  }

  mutating func reportUnknown(_ part: String) throws(TrackError) {
    try log.report(.unknownBlock, "\(part) of an unknown layout, skipped", isStrict: options.isStrict)
  }

  private mutating func append(_ sentences: [UInt8]) {
    if text.count < MP4Reader.maximumText { text += sentences }
  }

  mutating func takeText(at start: Double) throws(TrackError) {
    switch CameraText(input.loaded) {
    case .fix(var fix):
      fix.media = start
      fixes.append(fix)
    case .lost: try reportLost(1)
    case .sentences(let sentences): append(sentences)
    }
  }

  mutating func takeFrame(at start: Double, isH265: Bool) throws(TrackError) {
    guard let frame = TeslaFrame(sample: input.loaded, isH265: isH265) else { return }
    guard var fix = frame.fix else { return try reportLost(1) }
    fix.media = start
    // The position changes less often than the picture.
    if let last = fixes.last, last.coordinate == fix.coordinate, start - last.media < 1 { return }
    fixes.append(fix)
  }

  mutating func takeMotion(at start: Double) throws(TrackError) {
    switch MotionSample(input.loaded, creation: index.creation) {
    case .fix(var fix):
      fix.media = start
      fixes.append(fix)
    case .lost: try reportLost(1)
    case .other: break
    }
  }

  /// Counts samples without a fix. They are usual, so strict reading does not reject them.
  mutating func reportLost(_ count: Int) throws(TrackError) {
    guard count > 0 else { return }
    try log.report(.noFix, "sample without a satellite fix, skipped", count: count)
  }
}
