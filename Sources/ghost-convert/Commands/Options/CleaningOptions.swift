import CommandLineParsing
import DriveMatching
import TrackModel
import TrackTransforms

/// The changes that convert and import can make on the way; each is a stage of the stream, in this order.
struct CleaningOptions: Sendable {
  var kinds: [String] = []
  var trackFromPoints = false
  var spreadTimes = false
  /// How long tracks without times take.
  var pace = SpreadTimesStage.Pace()
  /// When tracks without times begin.
  var start: DateArgument?
  /// Whether the stages report a pace that is not used. An importer does so itself.
  var reportsUnusedPace = true
  /// Whether drives without times get them, because they are to be written or changed.
  var timesDrives = false
  var shift: Double?
  var crop: Crop?
  /// Whether drives are made of the tracks. An importer cuts those that are merged at privacy zones.
  var isForDrives = false
  /// Whether times without a zone are in UTC.
  var utc = false
  var maximumAccuracy: Double?
  var dropsSpikes = false
  var privacy: [PrivacyStage.Circle] = []
  var splitGap: Double?
  var merges = false
  var fuses = false
  var reverses = false
  var resample: ResampleStage.Step?
  var simplify: Double?

  /// Whether a drive is another one after the cleaning.
  private var changesDrives: Bool {
    shift != nil || crop != nil || maximumAccuracy != nil || dropsSpikes || !privacy.isEmpty
      || splitGap != nil
      || merges || reverses || resample != nil || simplify != nil
  }

  /// The stages that were asked for.
  var stages: [any TrackStage] { stagesOfInputs + stagesOfAll }

  /// Whether all inputs are one stream.
  var joinsInputs: Bool { merges || fuses }

  /// Those up to the joining of tracks: with ``joinsInputs`` they are for each input, and ``stagesOfAll`` for
  /// all inputs together.
  var stagesOfInputs: [any TrackStage] {
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
      var pace = pace
      pace.start = start?.localBegin
      stages.append(
        SpreadTimesStage(
          spreadTimes || pacesParts ? .all : .drives, pace: pace, keepsIdentity: !changesDrives,
          reportsUnusedPace: reportsUnusedPace))
    }
    if let shift { stages.append(ShiftStage(seconds: shift)) }
    if let crop { stages.append(CropStage(crop.bounds, utcOffset: { LocalTime.offset(at: $0) })) }
    if let maximumAccuracy { stages.append(AccuracyStage(metres: maximumAccuracy)) }
    if dropsSpikes { stages.append(SpikeStage()) }
    if !cutsMerged { stages += privacyStages }
    return stages
  }

  /// Those from the joining of tracks on.
  var stagesOfAll: [any TrackStage] {
    var stages: [any TrackStage] = []
    if fuses { stages.append(FuseStage()) }
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

  /// Tracks are split and not only their segments, whose gaps a later import bridges, and a FIT course.
  private var privacyStages: [any TrackStage] {
    privacy.isEmpty ? [] : [PrivacyStage(privacy, splitsTracks: true)]
  }

  /// A stretch of time. Which zone it is in is known when all options are read.
  enum Crop: Equatable {
    /// Between two moments; nil is open.
    case moments(from: DateArgument?, to: DateArgument?)
    /// Between two times of day, in seconds since midnight.
    case timesOfDay(from: Double, to: Double)

    var bounds: CropStage.Bounds {
      switch self {
      case .moments(let from, let to): .instants(from: from?.localBegin, to: to?.localBegin)
      case .timesOfDay(let from, let to): .timesOfDay(from: from, to: to)
      }
    }
  }

  // MARK: Parsing

  /// Reads `07:30..08:10` (times of day) or two ISO times; either end may be left out.
  static func crop(_ text: String) throws(InvalidValue) -> Crop {
    let invalid = InvalidValue(
      "expected a stretch such as 07:30..08:10 or 2024-05-01T07:30:00Z..2024-05-01T08:10:00Z")
    guard let dots = text.firstRange(of: "..") else { throw invalid }
    let from = String(text[..<dots.lowerBound])
    let to = String(text[dots.upperBound...])
    let clocks = (from.isEmpty ? 0 : Text.timeOfDay(from), to.isEmpty ? 86_400 : Text.timeOfDay(to))
    if !text.dropFirst(2).isEmpty, let first = clocks.0, let last = clocks.1 {
      return .timesOfDay(from: first, to: last)
    }
    let first = from.isEmpty ? nil : try? DateArgument.moment(from)
    let last = to.isEmpty ? nil : try? DateArgument.moment(to)
    guard from.isEmpty == (first == nil), to.isEmpty == (last == nil), first != nil || last != nil else {
      throw invalid
    }
    if let first, let last, first.hasZone == last.hasZone,
      last.begin.microseconds < first.begin.microseconds
    {
      throw InvalidValue("the end lies before the beginning; write the earlier time first: \(to)..\(from)")
    }
    return .moments(from: first, to: last)
  }

  /// Reads a duration (`1s`, `1:00`, `2`) or a length with a unit (`10m`, `50ft`); a plain `m` is metres.
  static func step(_ text: String) throws(InvalidValue) -> ResampleStage.Step {
    if Text.quantity(text)?.unit != "m", let seconds = try? Text.positiveSeconds(text) {
      return .seconds(seconds)
    }
    guard let metres = try? Text.positiveMetres(text) else {
      throw InvalidValue("expected a step of time or distance above zero such as 1s, 1:00, 2, 10m or 0.5km")
    }
    return .metres(metres)
  }

  /// Reads `LAT,LON,RADIUS`.
  static func privacy(_ text: String) throws(InvalidValue) -> PrivacyStage.Circle {
    let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
    guard parts.count == 3, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      case let center = Coordinate(latitude: latitude, longitude: longitude), center.isValid,
      let radius = try? Text.metres(parts[2]), radius > 0
    else { throw InvalidValue("expected a place and a radius such as 52.52,13.40,200m") }
    return PrivacyStage.Circle(center: center, radius: radius)
  }
}

/// A command whose options hold ``CleaningOptions``.
protocol CleaningCommandOptions: Sendable {
  var cleaning: CleaningOptions { get set }
}

extension ParameterSection where Options: CleaningCommandOptions {
  /// The options of ``CleaningOptions``.
  ///
  /// - Parameter importing: leaves out the ones that import has under its own rules.
  static func cleaning(importing: Bool) -> ParameterSection {
    var parameters: [Parameter<Options>] = [
      .option(
        "--simplify", \.cleaning.simplify, value: "METRES",
        "Simplify tracks to within METRES of the recorded position at any time, so that stops are kept.",
        parse: { .some(try Text.metres($0)) }),
      .option(
        "--resample", \.cleaning.resample, value: "STEP",
        "Resample at equal steps of time (1s, 1:00, plain numbers are seconds) or distance (10m).",
        parse: { .some(try CleaningOptions.step($0)) }),
      .option(
        "--crop", \.cleaning.crop, value: "FROM..TO",
        "Keep the points between two times of day (07:30..08:10) or ISO 8601 times, in local time unless --utc or a zone is given.",
        parse: { .some(try CleaningOptions.crop($0)) }), .utc(\.cleaning.utc),
      .flag(
        "--merge", \.cleaning.merges,
        importing
          ? "Merge all tracks of all inputs into one drive, ordered by time."
          : "Merge all tracks of all inputs into one track, ordered by time."),
      .flag(
        "--fuse", \.cleaning.fuses,
        "Combine recordings of one ride by several devices: fill gaps, and take each channel from the device with more data."
      ),
      .flag("--reverse", \.cleaning.reverses, "Reverse every track. Times stay in ascending order."),
      .option(
        "--shift", \.cleaning.shift, value: "TIME",
        "Shift all times, for example by +1h, -30s or +01:00 (hours and minutes).",
        parse: { .some(try Text.offset($0)) }),
      .flag(
        "--drop-spikes", \.cleaning.dropsSpikes,
        "Remove points that imply more than 360 km/h, and isolated points at 0°, 0°."),
      .repeated(
        "--privacy", \.cleaning.privacy, value: "LAT,LON,RADIUS",
        "Remove all points within the radius of a place, and split tracks there.",
        parse: { try CleaningOptions.privacy($0) }),
      .flag(
        "--track-from-points", \.cleaning.trackFromPoints,
        importing
          ? "Join waypoints with times into a track. Automatic for files without tracks."
          : "Join waypoints with times into a track."),
      .flag(
        "--spread-times", \.cleaning.spreadTimes,
        "Distribute times over points by distance if only the track has a start and an end time."),
      .repeated(
        "--kind", \.cleaning.kinds, value: "KIND",
        "Keep only tracks of this kind, as named in the source. driving matches all road vehicles.",
        completion: .values(["driving"])),
    ]
    if !importing {
      parameters += [
        .option(
          "--split-gap", \.cleaning.splitGap, value: "TIME",
          "Start a new track at gaps longer than TIME, for example 10m.",
          parse: { .some(try Text.positiveSeconds($0)) }),
        .maximumAccuracy(\.cleaning.maximumAccuracy),
      ]
    }
    return ParameterSection("Cleaning (off by default)", parameters)
  }
}
