import BulkImport
import CommandLineParsing
import DriveMatching
import TrackModel
import TrackTransforms

/// The options that change tracks on the way.
struct CleaningOptions: Sendable {
  /// The changes, without those that depend on the zone of times.
  var changes = TrackCleaning()
  /// When tracks without times begin.
  var start: DateArgument?
  var crop: Crop?
  /// Whether times without a zone are in UTC.
  var utc = false

  /// The changes, with times in the zone that times are shown in.
  var cleaning: TrackCleaning {
    var cleaning = changes
    if let start { cleaning.pace.start = start.localBegin }
    cleaning.crop = crop?.bounds
    cleaning.utcOffset = { LocalTime.offset(at: $0) }
    return cleaning
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
        "--simplify", \.cleaning.changes.simplify, value: "METRES",
        "Leave out points that are within this distance of what is left, each at its time, so that stops stay.",
        parse: { .some(try Text.metres($0)) }),
      .option(
        "--resample", \.cleaning.changes.resample, value: "STEP",
        "Resample at an even step of time (1s, 1:00; a plain number is seconds) or distance (10m).",
        parse: { .some(try CleaningOptions.step($0)) }),
      .option(
        "--crop", \.cleaning.crop, value: "FROM..TO",
        "Keep the points between two times of day (07:30..08:10) or two ISO times, local unless --utc or a zone is given.",
        parse: { .some(try CleaningOptions.crop($0)) }), .utc(\.cleaning.utc),
      .flag(
        "--merge", \.cleaning.changes.merges,
        importing
          ? "Make one drive of all, of several inputs too, in the order of their first times."
          : "Make one track of all, of several inputs too, in the order of their first times."),
      .flag(
        "--fuse", \.cleaning.changes.fuses,
        "Make one recording of those of one ride by several devices: gaps are filled, each channel is that of the device that has more of it."
      ),
      .flag("--reverse", \.cleaning.changes.reverses, "Turn every track round; times run forwards again."),
      .option(
        "--shift", \.cleaning.changes.shift, value: "TIME",
        "Move all times, such as +1h, -30s or +01:00 (hours and minutes).",
        parse: { .some(try Text.offset($0)) }),
      .flag(
        "--drop-spikes", \.cleaning.changes.dropsSpikes,
        "Leave out points that need over 360 km/h to get to and away from, and isolated ones at 0°, 0°."),
      .repeated(
        "--privacy", \.cleaning.changes.privacy, value: "LAT,LON,RADIUS",
        "Remove all points within a radius of a place, and split tracks there.",
        parse: { try CleaningOptions.privacy($0) }),
      .flag(
        "--track-from-points", \.cleaning.changes.trackFromPoints,
        importing
          ? "Join timed waypoints to a track, in time order; done by itself where a file has no track."
          : "Join timed waypoints to a track, in time order."),
      .flag(
        "--spread-times", \.cleaning.changes.spreadTimes,
        "Give each point a time, by distance, where only the whole track has a beginning and an end."),
      .repeated(
        "--kind", \.cleaning.changes.kinds, value: "KIND",
        "Keep tracks of this kind only, as the file names it; driving takes every kind of road vehicle.",
        completion: .values(["driving"])),
    ]
    if !importing {
      parameters += [
        .option(
          "--split-gap", \.cleaning.changes.splitGap, value: "TIME",
          "Begin a new track where nothing was recorded for longer than this, such as 10m.",
          parse: { .some(try Text.positiveSeconds($0)) }),
        .maximumAccuracy(\.cleaning.changes.maximumAccuracy),
      ]
    }
    return ParameterSection("Cleaning, off unless asked for", parameters)
  }
}
