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
  /// Texts with sentences or with fixes of Garmin.
  case texts(MP4Track)

  /// The number of frames and the bytes that are searched for positions which no table lists.
  private static let searchedFrames = 30
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
    } else if let track = try MP4Source.trackWithTexts(index, &input) {
      self = .texts(track)
    } else if let track = try MP4Source.trackWithFrames(index, &input) {
      self = .frames(track)
    } else if try MP4Source.hasBlocks(&input) {
      self = .blocks
    } else {
      return nil
    }
  }

  private static func trackWithTexts(
    _ index: MP4Index, _ input: inout MP4Input
  ) throws(TrackError) -> MP4Track? {
    for track in index.tracks where track.isText && input.canGoBack {
      var samples = track
      for _ in 0..<searchedFrames {
        guard let sample = samples.next() else { break }
        _ = try input.load(min(sample.size, CameraText.length), at: sample.offset)
        if CameraText(input.loaded).isUseful { return track }
      }
    }
    return nil
  }

  private static func trackWithFrames(
    _ index: MP4Index, _ input: inout MP4Input
  ) throws(TrackError) -> MP4Track? {
    // A pipe cannot return to the first frame.
    for track in index.tracks where track.isPictures && input.canGoBack {
      var samples = track
      for _ in 0..<searchedFrames {
        guard let sample = samples.next() else { break }
        _ = try input.load(min(sample.size, TeslaFrame.length), at: sample.offset)
        if TeslaFrame(sample: input.loaded, isH265: track.isH265) != nil { return track }
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

  /// The camera, if its data have no name for it.
  func camera(_ index: MP4Index) -> String? {
    switch self {
    case .telemetry, .bareTelemetry: "GoPro"
    case .blockTable, .blocks: "dashcam with a Novatek processor"
    case .frames: "Tesla dashcam"
    case .motion: "camera with a track of its motion"
    case .sentences: MP4Source.blackVue(index.copyright ?? "")
    case .records(let records): records.camera
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
