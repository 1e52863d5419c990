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

/// What became of one path, with its drives, as one line of JSON.
struct FilterRecord {
  private let source: String
  private var drives: [JSONValue] = []
  private var errors: [(source: String, error: TrackError)] = []
  private var warnings = WarningLog()
  private var decision: InputDecision
  private var duplicates: DriveDuplicates?
  /// Bytes of the drives' geometries.
  private var size = 0
  private var isContainer = false

  /// Bytes that the geometries of one record may take: a drive of two million points, or some hundreds of an
  /// hour.
  static let largestSize = 1 << 28
  /// How many errors of one path are told; the last one says that there are more.
  private static let mostErrors = 100

  init(source: String, keepsDuplicates: Bool) {
    self.source = source
    decision = InputDecision(keepsDuplicates: keepsDuplicates)
    duplicates = keepsDuplicates ? nil : DriveDuplicates()
  }

  // MARK: Reading

  /// Makes the drives of the file, or of all that is in the archive or the folder.
  ///
  /// - Parameter tooLarge: the error for drives that are too large for one record, from whether the path is
  ///   an archive or a
  ///   folder.
  mutating func read(
    _ extraction: DriveExtraction, _ options: WalkOptions, tooLarge: (Bool) -> TrackError
  ) {
    let walk = InputWalk([InputWalk.file(source)], options: options)
    while size <= FilterRecord.largestSize, let step = walk.next() {
      switch step {
      case .container: isContainer = true
      case .skipped(_, _, let reason): decision.skip(reason)
      case .failed(_, let label, let error): add(error, of: label.path)
      case .input(let input): read(input, walk, extraction)
      }
    }
    guard size > FilterRecord.largestSize else { return }
    drives = []
    errors = []
    add(tooLarge(isContainer), of: source)
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
        if decision.add(error, isInContainer: input.isInContainer) { add(error, of: path) }
      case .end(let ending):
        warnings.add(ending.warnings)
        // Another copy may have more.
        if ending.isDamaged { duplicates?.forget(path) }
        if let fault = ending.fault { add(fault, of: path) }
        decision.end(ending)
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
    var none: DriveDuplicates?
    let label = input.label.path
    let verdict =
      input.isInContainer
      ? decision.take(drive, sketch, label: label, isInContainer: true, among: &duplicates)
      : decision.take(drive, sketch, label: label, isInContainer: false, among: &none)
    if case .duplicate = verdict { return }
    let coordinates = drive.coordinates
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

  /// West, south, east, north, as the numbers of the coordinates go: a line across the antimeridian spans the
  /// world.
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

  /// The record and a line feed.
  ///
  /// - Parameter hint: the advice on an error.
  func line(hint: (TrackError) -> String?) -> [UInt8] {
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
