import DriveMatching
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An encoded drive of a record.
package struct FilteredDrive: Sendable {
  let drive: Drive
  let fingerprint: RideFingerprint?
  let json: JSONValue
  /// The size of its geometries in bytes.
  package let size: Int

  /// - Parameter entry: the path in an archive or a folder.
  init(_ imported: ImportedDrive, _ fingerprint: RideFingerprint?, entry: String?) {
    drive = imported.drive
    self.fingerprint = fingerprint
    let coordinates = drive.coordinates
    let geometry = WellKnownBinary.hexadecimal(WellKnownBinary.line(coordinates))
    let blob = Base64.encode(drive.coordinatesData.span)
    size = geometry.count + blob.count
    json = .object(
      [("entry", .optional(entry.map(FileName.shown)))] + imported.members + [
        ("bbox", Self.bounds(coordinates)), ("wkb", .plain(geometry)), ("coordinatesData", .plain(blob)),
      ])
  }

  /// Returns the smallest and largest coordinates as west, south, east, north. A line across the antimeridian
  /// therefore spans all longitudes.
  private static func bounds(_ coordinates: [Coordinate]) -> JSONValue {
    guard let first = coordinates.first else { return .null }
    var (west, south, east, north) = (first.longitude, first.latitude, first.longitude, first.latitude)
    for coordinate in coordinates {
      west = min(west, coordinate.longitude)
      south = min(south, coordinate.latitude)
      east = max(east, coordinate.longitude)
      north = max(north, coordinate.latitude)
    }
    return .array([.number(west), .number(south), .number(east), .number(north)])
  }
}

/// The outcome of one path, with its drives, as one line of JSON.
struct FilterRecord {
  private let source: String
  private var drives: [JSONValue] = []
  private var errors: [(source: String, error: TrackError)] = []
  private var warnings = WarningLog()
  private var decision: InputDecision
  private var duplicates: DriveDuplicates?
  /// The size of the drives' geometries in bytes.
  private var size = 0
  /// Whether the path is an archive or a folder.
  var isContainer = false
  /// Whether the drives are too large for one record; later steps are ignored.
  var isTooLarge = false

  /// The largest size of the geometries of one record, in bytes: a drive of two million points, or several
  /// hundred drives of one hour each.
  static let largestSize = 1 << 28
  /// The largest number of errors of one path in a record. The last error reports that there are more.
  private static let mostErrors = 100

  init(source: String, keepsDuplicates: Bool) {
    self.source = source
    decision = InputDecision(keepsDuplicates: keepsDuplicates)
    duplicates = keepsDuplicates ? nil : DriveDuplicates()
  }

  // MARK: Reading

  mutating func add(_ new: FilteredDrive, of input: InputOrigin) {
    guard !isTooLarge else { return }
    var none: DriveDuplicates?
    let label = input.label.path
    let verdict =
      input.isInContainer
      ? decision.take(new.drive, new.fingerprint, label: label, isInContainer: true, among: &duplicates)
      : decision.take(new.drive, new.fingerprint, label: label, isInContainer: false, among: &none)
    if case .duplicate = verdict { return }
    size += new.size
    isTooLarge = size > Self.largestSize
    drives.append(new.json)
  }

  /// Adds a track that could not become a drive.
  mutating func add(trackFailure error: TrackError, of input: InputOrigin) {
    guard !isTooLarge else { return }
    if decision.add(error, isInContainer: input.isInContainer) { add(error, of: input.label.path) }
  }

  /// Adds the end of an input.
  mutating func end(_ ending: DriveEnding, of input: InputOrigin) {
    guard !isTooLarge else { return }
    warnings.add(ending.warnings)
    // Another copy may contain more.
    if ending.isDamaged { duplicates?.forget(input.label.path) }
    if let fault = ending.fault { add(fault, of: input.label.path) }
    decision.end(ending)
  }

  /// Adds an entry that is not an input.
  mutating func skip(_ reason: SkipReason) { decision.skip(reason) }

  /// Adds a failure of the path or of its contents.
  mutating func add(_ error: TrackError, of path: String) {
    guard errors.count <= Self.mostErrors else { return }
    let last = TrackError(error.code, "and more that are not listed")
    errors.append((path, errors.count < Self.mostErrors ? error.withoutFormats : last))
  }

  /// Replaces the drives with an error if they are too large.
  private mutating func checkSize() {
    guard isTooLarge else { return }
    drives = []
    let error = TrackError(
      .limitExceeded, "the drives take more than \(Self.largestSize >> 20) MiB in one record",
      suggestion: isContainer ? .text("unpack it and list the files in it") : .importAlone)
    errors = [(source, error)]
  }

  // MARK: Writing

  private var state: String {
    if !errors.isEmpty { return "failed" }
    return drives.isEmpty ? "skipped" : "imported"
  }

  /// Returns the record and a line feed.
  ///
  /// - Parameter hint: returns the suggestion for an error.
  consuming func line(hint: (TrackError) -> String?) -> [UInt8] {
    checkSize()
    var members: [(String, JSONValue)] = [("source", .string(FileName.shown(source)))]
    if !FileName.isText(source) {
      members.append(("source_base64", .plain(Base64.encode(FileName.bytes(source).span))))
    }
    let skip = state == "skipped" ? decision.skipReason : nil
    members += [
      ("state", .string(state)), ("reason", .optional(skip?.code)), ("message", .optional(skip?.text)),
      ("error", errors.first.map { FilterRecord.value($0, hint) } ?? .null),
      ("more_errors", .array(errors.dropFirst().map { FilterRecord.value($0, hint) })),
      ("duplicates", .integer(decision.leftOut)), ("warnings", .warnings(warnings.warnings)),
      ("drives", .array(drives)),
    ]
    var buffer = ByteBuffer(capacity: size + 4096)
    JSONValue.object(members).append(to: &buffer)
    buffer.append(UInt8(ascii: "\n"))
    return buffer.array
  }

  private static func value(
    _ failure: (source: String, error: TrackError), _ hint: (TrackError) -> String?
  ) -> JSONValue {
    let (source, error) = failure
    return .object([
      ("source", .string(FileName.shown(source))), ("code", .string(error.code.description)),
      ("message", .string(FileName.shown(error.message))),
      ("line", error.place.line.map { .integer($0) } ?? .null),
      ("hint", .optional(hint(error).map(FileName.shown))),
    ])
  }
}
