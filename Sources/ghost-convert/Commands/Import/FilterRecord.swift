import BulkImport
import DriveMatching
import TrackArchives
import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What became of one path, with its drives, as one line of JSON.
struct FilterRecord {
  private let source: String
  private var drives: [JSONValue] = []
  private var errors: [(source: String, error: TrackError)] = []
  private var warnings = WarningLog()
  private var reason: SkipReason?
  private var duplicates: DriveDuplicates?
  private var duplicateCount = 0
  /// The identifiers of the drives that it has had.
  private var ids: Set<UUID> = []
  /// Bytes of the drives' geometries.
  private var size = 0
  private var isContainer = false

  /// Bytes that the geometries of one record may take: a drive of two million points, or some hundreds of an hour.
  static let largestSize = 1 << 28
  /// How many errors of one path are told; the last one says that there are more.
  private static let mostErrors = 100

  init(source: String, keepsDuplicates: Bool) {
    self.source = source
    duplicates = keepsDuplicates ? nil : DriveDuplicates()
  }

  // MARK: Reading

  /// Makes the drives of the file, or of all that is in the archive or the folder.
  mutating func read(_ extraction: DriveExtraction, _ options: WalkOptions) {
    let walk = InputWalk([InputWalk.file(source)], options: options)
    while size <= FilterRecord.largestSize, let step = walk.next() {
      switch step {
      case .container: isContainer = true
      case .skipped(_, _, let reason): self.reason = self.reason ?? reason
      case .failed(_, let label, let error): add(error, of: label.path)
      case .input(let input): read(input, walk, extraction)
      }
    }
    guard size > FilterRecord.largestSize else { return }
    drives = []
    errors = []
    add(
      TrackError(
        .limitExceeded, "the drives take more than \(FilterRecord.largestSize >> 20) MiB in one record",
        suggestion: .text(
          isContainer
            ? "unpack it and list the files in it" : "import it by itself, without --stdin-paths --json")),
      of: source)
  }

  private mutating func read(_ input: WalkedInput, _ walk: InputWalk, _ extraction: DriveExtraction) {
    var extraction = extraction
    extraction.sketchesRides = input.isInContainer && duplicates != nil
    let path = input.label.path
    extraction.run(
      input, { () throws(TrackError) in try input.isStreamed ? walk.takeStream() : input.open() }
    ) { step in
      switch step {
      case .drive(let imported, let sketch): add(imported, sketch, of: input)
      case .trackFailure(let error):
        if input.isInContainer, error.code == .tooFewPoints {
          reason = reason ?? .tooFewPoints
        } else {
          add(error, of: path)
        }
      case .end(let ending):
        warnings.add(ending.warnings)
        // Another copy may have more.
        if ending.isDamaged { duplicates?.forget(path) }
        if let fault = ending.fault { add(fault, of: path) }
        reason = reason ?? ending.skip
      }
      return size <= FilterRecord.largestSize
    }
  }

  /// Adds what was wrong with the path, or with something in it.
  mutating func add(_ error: TrackError, of path: String) {
    guard errors.count <= FilterRecord.mostErrors else { return }
    let last = TrackError(error.code, "and more that are not told one by one")
    errors.append((path, errors.count < FilterRecord.mostErrors ? error.withoutFormats : last))
  }

  private mutating func add(_ imported: ImportedDrive, _ sketch: RideSketch?, of input: WalkedInput) {
    let drive = imported.drive
    if duplicates != nil, !ids.insert(drive.id).inserted {
      duplicateCount += 1
      return
    }
    if input.isInContainer, let finding = duplicates?.add(drive, sketch, label: input.label.path),
      case .duplicate = finding
    {
      duplicateCount += 1
      return
    }
    let coordinates: [Coordinate]
    do throws(TrackError) { coordinates = try drive.coordinates } catch {
      return add(error, of: input.label.path)
    }
    let geometry = WellKnownBinary.hexadecimalLine(coordinates)
    let blob = Base64.encode(drive.coordinatesData.span)
    size += geometry.count + blob.count
    guard size <= FilterRecord.largestSize else { return }
    let entry: JSONValue = input.isInContainer ? .string(FileName.shown(input.label.path)) : .null
    drives.append(
      .object(
        [("entry", entry)] + imported.members + [
          ("bbox", FilterRecord.bounds(coordinates)), ("wkb", .plain(geometry)),
          ("coordinatesData", .plain(blob)),
        ]))
  }

  /// West, south, east, north, as the numbers of the coordinates go: a line across the antimeridian spans the world.
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

  // MARK: Writing

  private var state: String {
    if !errors.isEmpty { return "failed" }
    return drives.isEmpty ? "skipped" : "imported"
  }

  /// The record with the line feed behind it.
  var line: [UInt8] {
    var members: [(String, JSONValue)] = [("source", .string(FileName.shown(source)))]
    if !FileName.isText(source) {
      members.append(("source_base64", .plain(Base64.encode(FileName.bytes(source).span))))
    }
    let skip = state == "skipped" ? reason ?? .noTrack : nil
    members += [
      ("state", .string(state)), ("reason", .optional(skip?.code)), ("message", .optional(skip?.text)),
      ("error", errors.first.map(FilterRecord.value) ?? .null),
      ("more_errors", .array(errors.dropFirst().map(FilterRecord.value))),
      ("duplicates", .integer(duplicateCount)), ("warnings", .warnings(warnings.warnings)),
      ("drives", .array(drives)),
    ]
    var buffer = ByteBuffer(capacity: size + 4096)
    JSONValue.object(members).append(to: &buffer)
    buffer.append(UInt8(ascii: "\n"))
    return buffer.array
  }

  private static func value(_ source: String, _ error: TrackError) -> JSONValue {
    .object([
      ("source", .string(FileName.shown(source))), ("code", .string(error.code.description)),
      ("message", .string(FileName.shown(error.message))),
      ("line", error.place.line.map { .integer($0) } ?? .null),
      ("hint", .optional(error.suggestion.map(\.advice).map(FileName.shown))),
    ])
  }
}
