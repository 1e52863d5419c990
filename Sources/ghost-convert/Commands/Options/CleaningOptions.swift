import BulkImport
import CommandLineParsing
import DriveMatching
import TrackModel
import TrackTransforms

/// The options that change tracks during a conversion or an import.
struct CleaningOptions: Sendable {
  /// The changes, without those that depend on the time zone.
  var changes = TrackCleaning()
  /// The start time of tracks without timestamps.
  var start: DateArgument?
  var crop: Crop?

  /// The changes, with times in the time zone of the output.
  var cleaning: TrackCleaning {
    var cleaning = changes
    if let start { cleaning.pace.start = start.localBegin }
    cleaning.crop = crop?.bounds
    cleaning.utcOffset = { LocalTime.offset(at: $0) }
    return cleaning
  }

  /// A time range. Its time zone is known after all options have been parsed.
  enum Crop: Equatable {
    /// Between two times; nil is unbounded.
    case moments(from: DateArgument?, to: DateArgument?)
    /// Between two times of day, in seconds since midnight.
    case timesOfDay(from: Double, to: Double)

    var bounds: CropStage.Bounds {
      switch self {
      case .moments(let from, let to): .instants(from: from?.localBegin, to: to?.latestLocalBegin)
      case .timesOfDay(let from, let to): .timesOfDay(from: from, to: to)
      }
    }
  }

  // MARK: Parsing

  /// Parses `07:30..08:10` (times of day) or two ISO times. Either end may be omitted.
  static func crop(_ text: String) throws(InvalidValue) -> Crop {
    let invalid = InvalidValue(
      "expected an interval such as 07:30..08:10 or 2024-05-01T07:30:00Z..2024-05-01T08:10:00Z")
    guard let dots = text.firstRange(of: "..") else { throw invalid }
    let from = String(text[..<dots.lowerBound])
    let to = String(text[dots.upperBound...])
    let clocks = (
      from.isEmpty ? 0 : QuantityArgument.timeOfDay(from),
      to.isEmpty ? 86_400 : QuantityArgument.timeOfDay(to)
    )
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
      throw InvalidValue("the end is before the start; write the earlier time first: \(to)..\(from)")
    }
    return .moments(from: first, to: last)
  }

  /// Parses a duration (`1s`, `1:00`, `2`) or a length with a unit (`10m`, `50ft`). The unit `m` is metres.
  static func step(_ text: String) throws(InvalidValue) -> ResampleStage.Step {
    if QuantityArgument.quantity(text)?.unit != "m", let seconds = try? QuantityArgument.positiveSeconds(text)
    {
      return .seconds(seconds)
    }
    guard let metres = try? QuantityArgument.positiveMetres(text) else {
      throw InvalidValue("expected a step of time or distance above zero such as 1s, 1:00, 2, 10m or 0.5km")
    }
    return .metres(metres)
  }

  /// Parses `LAT,LON,RADIUS`.
  static func privacy(_ text: String) throws(InvalidValue) -> PrivacyStage.Circle {
    let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
    guard parts.count == 3, let center = try? Coordinate(argument: "\(parts[0]),\(parts[1])"),
      let radius = try? QuantityArgument.metres(parts[2]), radius > 0
    else { throw InvalidValue("expected a place and a radius above zero such as 52.52,13.40,200m") }
    return PrivacyStage.Circle(center: center, radius: radius)
  }
}

extension Parameter {
  static func privacy(
    _ property: Property<[PrivacyStage.Circle]>,
    _ help: String = "Remove all points within the radius of a place, and split tracks there."
  ) -> Parameter {
    .repeated(
      "--privacy", property, value: "LAT,LON,RADIUS", help, parse: CleaningOptions.privacy)
  }
}

/// A command with the options of ``CleaningOptions``.
protocol CleaningCommandOptions: DisplayedOptions {
  var cleaning: CleaningOptions { get set }
}

extension ParameterSection where Options: CleaningCommandOptions {
  /// Returns the options of ``CleaningOptions``.
  ///
  /// - Parameter importing: omits the options that import defines itself.
  static func cleaning(importing: Bool) -> ParameterSection {
    var parameters: [Parameter<Options>] = [
      .option(
        "--simplify", \.cleaning.changes.simplify, value: "METRES",
        "Simplify tracks to within METRES of the recorded position at any time, so that stops are kept.",
        parse: QuantityArgument.metres),
      .option(
        "--resample", \.cleaning.changes.resample, value: "STEP",
        "Resample at equal steps of time (1s, 1:00, plain numbers are seconds) or distance (10m).",
        parse: CleaningOptions.step),
      .option(
        "--crop", \.cleaning.crop, value: "FROM..TO",
        "Keep the points between two times of day (07:30..08:10, or 23:50..00:20 across midnight) or ISO 8601 "
          + "times, in local time unless --utc or a zone is given. An open end (FROM.. or ..TO) of times of day "
          + "is midnight.",
        parse: CleaningOptions.crop),
      .utc,
      .flag(
        "--merge", \.cleaning.changes.merges,
        importing
          ? "Merge all tracks of all inputs into one drive, ordered by time."
          : "Merge all tracks of all inputs into one track, ordered by time."),
      .flag(
        "--fuse", \.cleaning.changes.fuses,
        "Combine recordings of one ride by several devices: "
          + "fill gaps, and take each channel from the device with more data."
      ),
      .flag(
        "--reverse", \.cleaning.changes.reverses,
        "Reverse every track. Times stay in ascending order, and a track that lists the newest point first "
          + "keeps them."),
      .option(
        "--shift", \.cleaning.changes.shift, value: "TIME",
        "Shift all times, for example by +1h, -30s or +01:00 (hours and minutes).",
        parse: { try QuantityArgument.offset($0, maximum: ShiftStage.maximum) }),
      .flag(
        "--drop-spikes", \.cleaning.changes.dropsSpikes,
        "Remove points that imply more than 360 km/h, and isolated points at 0°, 0°."),
      .privacy(\.cleaning.changes.privacy),
      .flag(
        "--track-from-points", \.cleaning.changes.trackFromPoints,
        importing
          ? "Join waypoints with times into a track. Automatic for files without tracks."
          : "Join waypoints with times into a track."),
      .flag(
        "--spread-times", \.cleaning.changes.spreadTimes,
        "Distribute times over points by distance if a track has only a start and an end time."),
      .repeated(
        "--kind", \.cleaning.changes.kinds, value: "KIND",
        "Keep only tracks of this kind, as named in the source. " + KindGroups.help,
        completion: KindGroups.completion),
    ]
    parameters.append(
      .option(
        "--split-stops", \.cleaning.changes.splitStops, value: "TIME",
        "Start a new \(importing ? "drive" : "track") after each stop of TIME or longer within 100 m, for example "
          + "10m, and remove the points of the stop.",
        parse: QuantityArgument.positiveSeconds))
    if !importing {
      parameters += [
        .option(
          "--split-gap", \.cleaning.changes.splitGap, value: "TIME",
          "Start a new track at gaps longer than TIME, for example 10m.",
          parse: QuantityArgument.positiveSeconds),
        .maximumAccuracy(\.cleaning.changes.maximumAccuracy),
      ]
    }
    return ParameterSection("Cleaning", parameters)
  }
}
