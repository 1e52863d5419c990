public import GhostModel
import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options that affect outputs, as stored in the journal of a conversion and in a library to detect runs
/// with other options.
///
/// The coding is explicit: renaming a property of the options does not invalidate stored values. Only
/// options that differ from their defaults are encoded. If the meaning of a value changes,
/// ``currentVersion`` must be increased.
public struct OptionSignature: Codable, Hashable, Sendable {
  public static let currentVersion = 1

  /// The version of the coding.
  public var version = currentVersion
  /// The version of the program, if it affects outputs.
  public var program: String?
  /// The format of outputs.
  public var output: String?
  public var isStrict: Bool?
  public var fitKind: String?
  public var plainLines: Bool?
  public var quotesFormulas: Bool?
  public var name: String?
  public var from: String?
  public var columns: String?
  public var timing: String?
  /// Seconds, `auto` or `points`.
  public var cadence: String?
  /// Metres, or `none`.
  public var maximumAccuracy: String?
  public var duration: Double?
  public var speed: Double?
  public var start: String?
  public var splitGap: Double?
  public var cleaning: Cleaning?

  public init() {}

  public struct Cleaning: Codable, Hashable, Sendable {
    public var kinds: [String]?
    public var trackFromPoints: Bool?
    public var spreadTimes: Bool?
    public var timesDrives: Bool?
    /// Seconds.
    public var shift: Double?
    /// `FROM..TO`: ISO times, or seconds since midnight.
    public var crop: String?
    public var utc: Bool?
    public var maximumAccuracy: Double?
    public var dropSpikes: Bool?
    /// `LATITUDE,LONGITUDE,METRES`.
    public var privacy: [String]?
    public var splitGap: Double?
    public var merge: Bool?
    public var fuse: Bool?
    public var reverse: Bool?
    /// `5.0s` or `10.0m`.
    public var resample: String?
    public var simplify: Double?

    public init() {}
  }

  /// The signature on one line; empty if all options are the defaults.
  public var text: String {
    guard self != OptionSignature() else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers that JSON cannot represent are rejected when options are parsed.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension OptionSignature {
  /// Adds the options of the conversion from recordings to drives.
  public mutating func add(_ rules: ImportOptions) {
    let common = ImportOptions()
    if rules.timing != common.timing {
      timing =
        switch rules.timing {
        case .elapsed: "elapsed"
        case .moving: "moving"
        }
    }
    if rules.cadence != common.cadence {
      cadence =
        switch rules.cadence {
        case .auto: "auto"
        case .seconds(let step): "\(step)"
        case .keepPoints: "points"
        }
    }
    if rules.maximumAccuracy != common.maximumAccuracy {
      maximumAccuracy = rules.maximumAccuracy.map { "\($0)" } ?? "none"
    }
    duration = rules.duration
    speed = rules.speed
    splitGap = rules.splitGap
  }

  /// Adds the options of the cleaning.
  ///
  /// - Parameter isUTC: whether times without a zone were read as UTC.
  public mutating func add(_ changes: TrackCleaning, isUTC: Bool) {
    duration = changes.pace.duration ?? duration
    speed = changes.pace.speed ?? speed
    start = changes.pace.start?.description
    let cleaning = Cleaning(changes, isUTC: isUTC)
    if cleaning != Cleaning() { self.cleaning = cleaning }
  }
}

extension OptionSignature.Cleaning {
  fileprivate init(_ changes: TrackCleaning, isUTC: Bool) {
    func flag(_ isSet: Bool) -> Bool? { isSet ? true : nil }
    if !changes.kinds.isEmpty { kinds = changes.kinds }
    trackFromPoints = flag(changes.trackFromPoints)
    spreadTimes = flag(changes.spreadTimes)
    timesDrives = flag(changes.timesDrives)
    shift = changes.shift
    crop = changes.crop.map { crop in
      switch crop {
      case .instants(let from, let to): "\(from?.description ?? "")..\(to?.description ?? "")"
      case .timesOfDay(let from, let to): "\(from)..\(to)"
      }
    }
    utc = flag(isUTC)
    maximumAccuracy = changes.maximumAccuracy
    dropSpikes = flag(changes.dropsSpikes)
    if !changes.privacy.isEmpty {
      privacy = changes.privacy.map { "\($0.center.latitude),\($0.center.longitude),\($0.radius)" }
    }
    splitGap = changes.splitGap
    merge = flag(changes.merges)
    fuse = flag(changes.fuses)
    reverse = flag(changes.reverses)
    resample = changes.resample.map { step in
      switch step {
      case .seconds(let seconds): "\(seconds)s"
      case .metres(let metres): "\(metres)m"
      }
    }
    simplify = changes.simplify
  }
}
