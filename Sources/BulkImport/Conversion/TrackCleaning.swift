import DriveMatching
public import TrackModel
public import TrackTransforms

/// The changes that can be applied to tracks before they are written or become drives.
///
/// Each change is a stage. ``stages`` returns them in a fixed order, regardless of the order in which they
/// were set.
public struct TrackCleaning: Sendable {
  /// The kinds of tracks to keep (`KindStage.kinds(_:)`). If empty, all are kept.
  public var kinds: [String] = []
  /// Whether waypoints with times are joined into a track (`TrackFromPointsStage`).
  public var trackFromPoints = false
  /// Whether tracks with only a start and an end time get a time for each point (`SpreadTimesStage`).
  public var spreadTimes = false
  /// The duration, speed and start of tracks without times. The start is also that of tracks whose times
  /// count from an unknown start.
  public var pace = SpreadTimesStage.Pace()
  /// Whether the stages report an unused pace. An importer reports it itself.
  package var reportsUnusedPace = true
  /// Whether to add times to drives without times, because they will be written or changed.
  public var timesDrives = false
  /// The shift of times in seconds.
  public var shift: Double?
  /// The interval of time to keep, or `nil` for the whole recording (`CropStage`).
  public var crop: CropStage.Bounds?
  /// The offset from UTC, in seconds, of the clock for times of day at a given time.
  public var utcOffset: @Sendable (Instant) -> Int = { _ in 0 }
  /// The largest horizontal accuracy to keep, in metres.
  public var maximumAccuracy: Double?
  /// Whether points that imply an impossible speed are removed (`SpikeStage`).
  public var dropsSpikes = false
  /// The zones in which all points are removed (`PrivacyStage`).
  public var privacy: [PrivacyStage.Circle] = []
  /// The longest gap that is not split, in seconds.
  public var splitGap: Double?
  /// The duration of the shortest stop at which tracks are split, in seconds (`SplitStopStage`).
  public var splitStops: Double?
  /// Whether all tracks of all inputs become one track (`MergeStage`).
  public var merges = false
  /// Whether recordings of the same ride by several devices become one track (`FuseStage`).
  public var fuses = false
  /// Whether the direction of every track and route is reversed (`ReverseStage`).
  public var reverses = false
  /// The uniform step in time or distance, or `nil` to keep the recorded points (`ResampleStage`).
  public var resample: ResampleStage.Step?
  /// The largest error of a simplified line, in metres.
  public var simplify: Double?
  /// Whether the tracks become drives. An importer cuts merged tracks at privacy zones.
  public var isForDrives = false

  /// Creates a cleaning that changes nothing.
  public init() {}

  /// Whether the cleaning turns a drive into a different one.
  private var changesDrives: Bool {
    shift != nil || crop != nil || maximumAccuracy != nil || dropsSpikes || !privacy.isEmpty
      || splitGap != nil || splitStops != nil || merges || reverses || resample != nil || simplify != nil
  }

  /// New stages for one input.
  public var stages: [any TrackStage] { stagesOfInputs + stagesOfAll }

  /// Whether all inputs are one stream.
  package var joinsInputs: Bool { merges || fuses }

  /// The stages before tracks are joined.
  ///
  /// With ``joinsInputs``, these apply to each input, and ``stagesOfAll`` to all inputs together.
  package var stagesOfInputs: [any TrackStage] {
    var stages: [any TrackStage] = []
    if !kinds.isEmpty {
      stages.append(KindStage(Set(kinds.flatMap(KindStage.kinds))))
    }
    if trackFromPoints { stages.append(TrackFromPointsStage()) }
    // A part has only its share of the duration.
    let pacesParts = isForDrives && !privacy.isEmpty && (pace.duration != nil || pace.speed != nil)
    if spreadTimes || timesDrives || changesDrives {
      stages.append(
        SpreadTimesStage(
          spreadTimes || pacesParts ? .all : .drives, pace: pace, keepsIdentity: !changesDrives,
          reportsUnusedPace: reportsUnusedPace))
    }
    if let start = pace.start { stages.append(StartStage(start)) }
    // These stages compute points between points, or split tracks by their times.
    let splits = splitGap != nil || splitStops != nil
    if resample != nil || simplify != nil || splits {
      stages.append(RepairStage(keepsEnds: splits))
    }
    let dated = [shift == nil ? nil : "shifted", crop == nil ? nil : "cropped"].compactMap(\.self)
    if !dated.isEmpty { stages.append(KnownStartStage(dated.joined(separator: " or "))) }
    if let shift { stages.append(ShiftStage(seconds: shift)) }
    if let crop { stages.append(CropStage(crop, utcOffset: utcOffset)) }
    if let maximumAccuracy { stages.append(AccuracyStage(metres: maximumAccuracy)) }
    if dropsSpikes { stages.append(SpikeStage()) }
    if !cutsMerged { stages += privacyStages }
    return stages
  }

  /// The stages that join tracks, and the stages after them.
  package var stagesOfAll: [any TrackStage] {
    var stages: [any TrackStage] = []
    if fuses { stages.append(FuseStage()) }
    // A point between two zones is not a part of a drive, and joins nothing.
    if merges, isForDrives, !privacy.isEmpty { stages.append(LonePointStage()) }
    if let splitGap { stages.append(SplitGapStage(seconds: splitGap)) }
    if let splitStops { stages.append(SplitStopStage(seconds: splitStops)) }
    if merges { stages.append(MergeStage()) }
    // Merging would join the parts again.
    if cutsMerged { stages += privacyStages }
    if reverses { stages.append(ReverseStage()) }
    if let resample {
      stages.append(ResampleStage(resample))
      // The line between two of the new points can cut a corner.
      if !privacy.isEmpty { stages.append(PrivacyStage(privacy, splitsTracks: true, isRepeated: true)) }
    }
    if let simplify { stages.append(SimplifyStage(metres: simplify, outside: privacy)) }
    return stages
  }

  /// Returns the stages of an import, which also joins the points of files without tracks.
  ///
  /// - Parameter isJoined: whether ``stagesOfAll`` follow, for all inputs together.
  func stagesOfImport(isJoined: Bool = false) -> [any TrackStage] {
    let asked = isJoined ? stagesOfInputs : stages
    return trackFromPoints ? asked : [TrackFromPointsStage(onlyWithoutTrack: true)] + asked
  }

  private var cutsMerged: Bool { merges && !isForDrives }

  /// Tracks are split, not only their segments, because an import or a FIT course bridges gaps between
  /// segments.
  private var privacyStages: [any TrackStage] {
    privacy.isEmpty ? [] : [PrivacyStage(privacy, splitsTracks: true)]
  }
}
