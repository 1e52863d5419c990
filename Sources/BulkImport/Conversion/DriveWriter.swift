import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// A writer of the drive document that an import with default rules creates.
///
/// A document contains one drive; a second drive is an error.
struct DriveWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  private var recordings = RecordingBuilder(keepsElevations: false)
  private var drives = 0
  /// Whether the track is that of a drive, whose information a drive document can represent.
  private var isDrive = false
  private(set) var losses = LossReport()
  private(set) var warnings: [TrackWarning] = []

  private let name: String
  private let privacyZones: [PrivacyStage.Circle]
  private var shortPart: TrackError?

  /// - Parameters:
  ///   - name: the name of a drive whose track has none.
  ///   - privacyZones: the zones without coordinates. The parts between them are separate tracks.
  init(_ sink: consuming ByteSink, name: String = "drive", privacyZones: [PrivacyStage.Circle] = []) {
    self.sink = sink
    self.name = name
    self.privacyZones = privacyZones
  }

  mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): losses.add(words: info)
    case .waypoint: losses.add("waypoints")
    case .beginRoute: losses.add("routes")
    case .beginTrack(let info):
      isDrive = false
      count(info)
    case .annotation(.track(let info)): count(info)
    case .points: count(batch)
    default: break
    }
    guard let recording = recordings.add(event, batch), recording.kind == .track, recording.count > 0 else {
      return
    }
    let segments = recording.segments.count { $0.count > 0 }
    losses.add("bounds between segments of one track", max(segments - 1, 0))
    for imported in try drives(of: recording) {
      drives += 1
      guard drives == 1 else {
        guard privacyZones.isEmpty else {
          throw TrackError(
            .usage, "several drives, because privacy zones split the track; a drive document contains one",
            suggestion: .importEachDrive)
        }
        throw TrackError(
          .usage, "several tracks; a drive document contains one drive",
          suggestion: .importEachDriveOrMerge)
      }
      warnings += imported.report.warnings.filter { [.impossibleSpeed, .longGap].contains($0.code) }
      var drive = imported.drive
      drive.describe(as: recording)
      try DriveDocument.encode(drive) { piece throws(TrackError) in try sink.write(piece) }
    }
  }

  mutating func finish() throws(TrackError) {
    if drives == 0, let shortPart { throw shortPart }
    guard drives > 0 else { throw TrackError(.noTracks, "no track with points for a drive") }
    try sink.finish()
  }

  /// Returns the drives that an import with the given rules creates from a track. Errors suggest no options
  /// that only the import has.
  private mutating func drives(of recording: Recording) throws(TrackError) -> [ImportedDrive] {
    do throws(TrackError) {
      var options = ImportOptions()
      options.keepsDrive = true
      options.privacyZones = privacyZones
      return try DriveImporter.drives(from: recording, options: options, name: recording.name ?? name)
    } catch {
      if error.code == .tooFewPoints, !privacyZones.isEmpty {
        shortPart = error
        return []
      }
      guard error.code == .noTimes else { throw error }
      throw TrackError(
        .noTimes, error.message, file: error.file, place: error.place,
        suggestion: .provideDurationOrSpeed)
    }
  }

  private mutating func count(_ info: TrackInfo) {
    isDrive = isDrive || info.extensions.contains { $0.isDrive }
    var kept: Set<PartialKeyPath<TrackInfo>> = [\.name, \.type, \.timeSpan, \.resolution]
    if isDrive { kept.formUnion([\.description, \.comment, \.extensions]) }
    losses.add(words: info, beside: kept)
  }

  private mutating func count(_ batch: borrowing PointBatch) {
    for channel in batch.channels.channels where channel != .horizontalAccuracy {
      var values = 0
      let column = batch.values(of: channel)
      for row in column.indices where !column[row].isNaN { values += 1 }
      losses.add("values of \(channel.title)", values)
    }
    losses.add(detailsOf: batch)
  }
}
