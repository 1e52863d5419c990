import GhostModel
import TrackFormats
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
package struct OptionSignature: Codable, Hashable, Sendable {
  static let currentVersion = 1

  /// The version of the coding.
  package var version = currentVersion
  /// The version of the program, if it affects outputs.
  package var program: String?
  /// The format of outputs.
  package var output: String?
  package var isStrict: Bool?
  package var fitKind: String?
  package var plainLines: Bool?
  package var quotesFormulas: Bool?
  package var name: String?
  package var from: String?
  package var columns: String?
  package var timing: String?
  /// Seconds, `auto` or `points`.
  package var cadence: String?
  /// Metres, or `none`.
  package var maximumAccuracy: String?
  package var duration: Double?
  package var speed: Double?
  package var start: String?
  package var splitGap: Double?
  package var cleaning: Cleaning?

  package init() {}

  package struct Cleaning: Codable, Hashable, Sendable {
    package var kinds: [String]?
    package var trackFromPoints: Bool?
    package var spreadTimes: Bool?
    var timesDrives: Bool?
    /// Seconds.
    package var shift: Double?
    /// `FROM..TO`: ISO times, or seconds since midnight.
    package var crop: String?
    package var utc: Bool?
    package var maximumAccuracy: Double?
    package var dropSpikes: Bool?
    /// `LATITUDE,LONGITUDE,METRES`.
    package var privacy: [String]?
    package var splitGap: Double?
    package var splitStops: Double?
    package var merge: Bool?
    package var fuse: Bool?
    package var reverse: Bool?
    /// `5.0s` or `10.0m`.
    package var resample: String?
    package var simplify: Double?

    package init() {}
  }

  /// The signature on one line; empty if all options are the defaults.
  package var text: String {
    guard self != OptionSignature() else { return "" }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers that JSON cannot represent are rejected when options are parsed.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}

extension OptionSignature {
  /// Creates the signature of a conversion.
  ///
  /// - Parameters:
  ///   - program: the version of the program.
  ///   - isUTC: whether times without a zone were read as UTC.
  package init(_ conversion: TrackConversion, program: String, isUTC: Bool) {
    let (opening, writing) = (conversion.opening, conversion.writing)
    self.program = program
    output = conversion.format.name
    isStrict = opening.isStrict ? true : nil
    if writing.fitKind != .automatic { fitKind = writing.fitKind.rawValue }
    plainLines = writing.addsPlainLines ? true : nil
    quotesFormulas = writing.quotesFormulas ? true : nil
    add(conversion.cleaning, isUTC: isUTC)
    from = opening.format?.name
    columns = opening.columns?.text
  }

  /// Creates the signature of an import.
  ///
  /// - Parameters:
  ///   - cleaning: the changes before tracks become drives.
  ///   - isUTC: whether times without a zone were read as UTC.
  package init(_ extraction: DriveExtraction, _ cleaning: TrackCleaning, isUTC: Bool) {
    add(extraction.rules)
    add(cleaning, isUTC: isUTC)
    name = extraction.name
    from = extraction.opening.format?.name
    columns = extraction.opening.columns?.text
  }

  /// Adds the options of the conversion from recordings to drives.
  private mutating func add(_ rules: ImportOptions) {
    let common = ImportOptions()
    if rules.timing != common.timing { timing = rules.timing.rawValue }
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
  private mutating func add(_ changes: TrackCleaning, isUTC: Bool) {
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
    splitStops = changes.splitStops
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
