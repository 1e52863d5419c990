import DriveMatching
public import TrackModel
public import TrackTransforms

/// The changes that can be applied to tracks before they are written or become drives.
///
/// Each change is a stage. ``stages`` returns them in a fixed order, regardless of the order in which they
/// were set.
public struct TrackCleaning: Sendable {
  /// The kinds of tracks to keep; `driving` is every kind of road vehicle. If empty, all are kept.
  public var kinds: [String] = []
  public var trackFromPoints = false
  public var spreadTimes = false
  /// The duration, speed and start of tracks without times.
  public var pace = SpreadTimesStage.Pace()
  /// Whether the stages report an unused pace. An importer reports it itself.
  public var reportsUnusedPace = true
  /// Whether to add times to drives without times, because they will be written or changed.
  public var timesDrives = false
  /// The shift of times in seconds.
  public var shift: Double?
  public var crop: CropStage.Bounds?
  /// The offset from UTC, in seconds, of the clock for times of day at a given time.
  public var utcOffset: @Sendable (Instant) -> Int = { _ in 0 }
  /// The largest horizontal accuracy to keep, in metres.
  public var maximumAccuracy: Double?
  public var dropsSpikes = false
  public var privacy: [PrivacyStage.Circle] = []
  /// The longest gap that is not split, in seconds.
  public var splitGap: Double?
  public var merges = false
  public var fuses = false
  public var reverses = false
  public var resample: ResampleStage.Step?
  /// The largest error of a simplified line, in metres.
  public var simplify: Double?
  /// Whether the tracks become drives. An importer cuts merged tracks at privacy zones.
  public var isForDrives = false

  public init() {}

  /// Whether the cleaning turns a drive into a different one.
  private var changesDrives: Bool {
    shift != nil || crop != nil || maximumAccuracy != nil || dropsSpikes || !privacy.isEmpty
      || splitGap != nil || merges || reverses || resample != nil || simplify != nil
  }

  /// New stages for one input.
  public var stages: [any TrackStage] { stagesOfInputs + stagesOfAll }

  /// Whether all inputs are one stream.
  public var joinsInputs: Bool { merges || fuses }

  /// The stages before tracks are joined.
  ///
  /// With ``joinsInputs``, these apply to each input, and ``stagesOfAll`` to all inputs together.
  public var stagesOfInputs: [any TrackStage] {
    var stages: [any TrackStage] = []
    if !kinds.isEmpty {
      let wanted = kinds.reduce(into: Set<String>()) { wanted, kind in
        if kind.lowercased() == "driving" { wanted.formUnion(KindStage.driving) }
        wanted.insert(kind)
      }
      stages.append(KindStage(wanted))
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
    // These stages compute points between points, or split at gaps in time.
    if resample != nil || simplify != nil || splitGap != nil {
      stages.append(RepairStage(keepsEnds: splitGap != nil))
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
  public var stagesOfAll: [any TrackStage] {
    var stages: [any TrackStage] = []
    if fuses { stages.append(FuseStage()) }
    // A point between two zones is not a part of a drive, and joins nothing.
    if merges, isForDrives, !privacy.isEmpty { stages.append(LonePointStage()) }
    if let splitGap { stages.append(SplitGapStage(seconds: splitGap)) }
    if merges { stages.append(MergeStage()) }
    // Merging would join the parts again.
    if cutsMerged { stages += privacyStages }
    if reverses { stages.append(ReverseStage()) }
    if let resample { stages.append(ResampleStage(resample)) }
    if let simplify { stages.append(SimplifyStage(metres: simplify)) }
    return stages
  }

  private var cutsMerged: Bool { merges && !isForDrives }

  /// Tracks are split, not only their segments, because an import or a FIT course bridges gaps between
  /// segments.
  private var privacyStages: [any TrackStage] {
    privacy.isEmpty ? [] : [PrivacyStage(privacy, splitsTracks: true)]
  }
}
