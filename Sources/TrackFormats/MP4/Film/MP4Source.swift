import TrackModel

/// The part of a film that contains positions.
enum MP4Source {
  /// The samples of GoPro's telemetry.
  case telemetry(MP4Track)
  /// GoPro's telemetry without a film.
  case bareTelemetry
  /// Blocks of Novatek with their offsets and sizes.
  case blockTable([UInt32])
  /// Blocks of Novatek at multiples of their alignment.
  case blocks
  /// Frames of a Tesla.
  case frames(MP4Track)
  /// The samples of a track of camera motion.
  case motion(MP4Track)
  /// The sentences of BlackVue.
  case sentences([UInt8])
  /// Records of fixes.
  case records(CameraRecords)
  /// The packets of a transport stream.
  case transport(TransportStream)
  /// Texts with sentences or with fixes of Garmin.
  case texts(MP4Track)

  /// The number of samples and the bytes that are searched for positions which no table lists.
  private static let searchedSamples = 30
  private static let searchedBytes = 1 << 21

  /// Finds the positions of a film, or nil if it has none.
  init?(_ index: MP4Index, _ input: inout MP4Input) throws(TrackError) {
    if let track = index.tracks.first(where: { $0.format == "gpmd" }) {
      self = .telemetry(track)
    } else if let track = index.tracks.first(where: { $0.format == "camm" }) {
      self = .motion(track)
    } else if !index.sentences.isEmpty {
      self = .sentences(index.sentences)
    } else if !index.blocks.isEmpty {
      self = .blockTable(index.blocks)
    } else if let records = index.records {
      self = .records(records)
    } else if let track = try MP4Source.track(
      index, &input, length: CameraText.length, where: \.isText,
      hasPosition: { bytes, _ in CameraText(bytes).isUseful })
    {
      self = .texts(track)
    } else if let track = try MP4Source.track(
      index, &input, length: TeslaFrame.length, where: \.isPictures,
      hasPosition: { TeslaFrame(sample: $0, isH265: $1.isH265) != nil })
    {
      self = .frames(track)
    } else if try MP4Source.hasBlocks(&input) {
      self = .blocks
    } else {
      return nil
    }
  }

  /// Returns the first track with positions in one of its first samples.
  ///
  /// - Parameters:
  ///   - length: the bytes of a sample that are read.
  ///   - isCandidate: whether the samples of a track can have positions.
  ///   - hasPosition: whether a sample of a track has a position.
  private static func track(
    _ index: MP4Index, _ input: inout MP4Input, length: Int, where isCandidate: (MP4Track) -> Bool,
    hasPosition: (Span<UInt8>, MP4Track) -> Bool
  ) throws(TrackError) -> MP4Track? {
    // A pipe cannot return to the first sample.
    for track in index.tracks where isCandidate(track) && input.canGoBack {
      var samples = track
      for _ in 0..<searchedSamples {
        guard let sample = samples.next() else { break }
        _ = try input.load(min(sample.size, length), at: sample.offset)
        if hasPosition(input.loaded, track) { return track }
      }
    }
    return nil
  }

  private static func hasBlocks(_ input: inout MP4Input) throws(TrackError) -> Bool {
    guard input.canGoBack else { return false }
    for offset in stride(from: NovatekBlock.alignment, to: searchedBytes, by: NovatekBlock.alignment) {
      guard try input.load(NovatekBlock.length, at: offset) > 0 else { return false }
      if NovatekBlock.isOne(input.loaded) { return true }
    }
    return false
  }

  /// The message about positions of a film beyond a limit, or nil.
  ///
  /// - Parameter source: the source of the film's positions, if it has one.
  static func limitMessage(_ source: MP4Source?, _ index: MP4Index, _ limits: MP4Limits) -> String? {
    switch source {
    case .telemetry(let track), .frames(let track), .motion(let track), .texts(let track):
      track.isCut ? tableMessage(limits) : nil
    case .blockTable: index.hasMoreBlocks ? tableMessage(limits) : nil
    case .sentences: index.hasMoreSentences ? sentencesMessage(limits) : nil
    case nil where index.hasMoreParts:
      "more than \(limits.partCount) parts in the trailer, the rest not searched"
    default: nil
    }
  }

  private static func tableMessage(_ limits: MP4Limits) -> String {
    "more than \(limits.tableCount) numbers in a table of the film, the rest ignored"
  }

  /// Returns the message about sentences beyond the limit.
  static func sentencesMessage(_ limits: MP4Limits) -> String {
    "more than \(ReadingLimits.text(size: limits.textSize)) of sentences, the rest skipped"
  }

  /// The camera, if its data have no name for it.
  func camera(_ index: MP4Index) -> String? {
    switch self {
    case .telemetry, .bareTelemetry: "GoPro"
    case .blockTable, .blocks: "dashcam with a Novatek processor"
    case .frames: "Tesla dashcam"
    case .motion: "camera with a track of its motion"
    case .sentences: MP4Source.blackVue(index.copyright ?? "")
    case .records(let records): records.camera
    case .transport: "dashcam with a transport stream"
    case .texts: "dashcam with positions in subtitles"
    }
  }

  /// Returns the model in a text such as `Pittasoft Co., Ltd.;DR900S-2CH;…` or `{"model":"DR900X Plus"}`.
  private static func blackVue(_ text: String) -> String {
    let parts = text.split(whereSeparator: { ";\"{},: ".contains($0) })
    guard let first = parts.firstIndex(where: { $0.hasPrefix("DR") || $0.hasPrefix("ELITE") }) else {
      return "BlackVue"
    }
    return "BlackVue \(parts[first])" + (parts.dropFirst(first + 1).first == "Plus" ? " Plus" : "")
  }
}
