import GhostModel
import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options that shape outputs, as the journal of a conversion and a library store them to detect runs
/// with other options.
///
/// The coding is explicit: renaming a property of the options leaves what is stored valid. Only options that
/// differ from their
/// defaults are encoded. A change of meaning needs another ``currentVersion``.
struct OptionSignature: Codable, Hashable {
  static let currentVersion = 1

  /// Of the coding.
  var version = currentVersion
  /// The version of the program, where it decides how outputs look.
  var program: String?
  /// The format of outputs.
  var output: String?
  var isStrict: Bool?
  var fitKind: String?
  var plainLines: Bool?
  var quotesFormulas: Bool?
  var name: String?
  var from: String?
  var columns: String?
  var timing: String?
  /// Seconds, `auto` or `points`.
  var cadence: String?
  /// Metres, or `none`.
  var maximumAccuracy: String?
  var duration: Double?
  var speed: Double?
  var start: String?
  var splitGap: Double?
  var cleaning: Cleaning?

  struct Cleaning: Codable, Hashable {
    var kinds: [String]?
    var trackFromPoints: Bool?
    var spreadTimes: Bool?
    var timesDrives: Bool?
    /// Seconds.
    var shift: Double?
    /// `FROM..TO`: ISO times, or seconds since midnight.
    var crop: String?
    var utc: Bool?
    var maximumAccuracy: Double?
    var dropSpikes: Bool?
    /// `LATITUDE,LONGITUDE,METRES`.
    var privacy: [String]?
    var splitGap: Double?
    var merge: Bool?
    var fuse: Bool?
    var reverse: Bool?
    /// `5.0s` or `10.0m`.
    var resample: String?
    var simplify: Double?
  }

  /// The signature on one line; empty if all options are the defaults.
  var text: String {
    guard self != OptionSignature() else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers that JSON does not have are refused when options are parsed.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension OptionSignature {
  /// Adds how recordings become drives.
  mutating func add(_ rules: ImportOptions) {
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

  /// Adds the changes on the way.
  mutating func add(_ options: CleaningOptions) {
    duration = options.pace.duration ?? duration
    speed = options.pace.speed ?? speed
    start = options.start?.localBegin.description
    let cleaning = Cleaning(options)
    if cleaning != Cleaning() { self.cleaning = cleaning }
  }
}

extension OptionSignature.Cleaning {
  fileprivate init(_ options: CleaningOptions) {
    func flag(_ isSet: Bool) -> Bool? { isSet ? true : nil }
    if !options.kinds.isEmpty { kinds = options.kinds }
    trackFromPoints = flag(options.trackFromPoints)
    spreadTimes = flag(options.spreadTimes)
    timesDrives = flag(options.timesDrives)
    shift = options.shift
    crop = options.crop.map { crop in
      switch crop.bounds {
      case .instants(let from, let to): "\(from?.description ?? "")..\(to?.description ?? "")"
      case .timesOfDay(let from, let to): "\(from)..\(to)"
      }
    }
    utc = flag(options.utc)
    maximumAccuracy = options.maximumAccuracy
    dropSpikes = flag(options.dropsSpikes)
    if !options.privacy.isEmpty {
      privacy = options.privacy.map { "\($0.center.latitude),\($0.center.longitude),\($0.radius)" }
    }
    splitGap = options.splitGap
    merge = flag(options.merges)
    fuse = flag(options.fuses)
    reverse = flag(options.reverses)
    resample = options.resample.map { step in
      switch step {
      case .seconds(let seconds): "\(seconds)s"
      case .metres(let metres): "\(metres)m"
      }
    }
    simplify = options.simplify
  }
}
