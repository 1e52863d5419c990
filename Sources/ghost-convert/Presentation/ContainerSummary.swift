import BulkImport
import DriveMatching
import TrackFormats
import TrackModel

/// What is in an archive or a folder: the sums over its inputs, and what is no input.
struct ContainerSummary {
  let root: Int
  let path: String
  private let kind: String
  private var services: [String]
  private var sums: FileSummary
  /// Inputs by format, in the order of first occurrence.
  private var formats: [(name: String, count: Int)] = []
  private var earliest: Instant?
  private var latest: Instant?
  private var withTracks = 0
  private var skipped: [(reason: SkipReason, count: Int)] = []
  private var failures: [(path: String, error: TrackError)] = []
  private var warnings = WarningLog()
  private var duplicates = DriveDuplicates()
  private var duplicateCount = 0
  private var simultaneousCount = 0
  /// Inputs that an import would make no drive of.
  private var withoutDrive = 0

  init(_ container: WalkedContainer) {
    root = container.root
    path = container.label.path
    kind = container.kind
    services = container.services
    sums = FileSummary(file: InputPath.name(container.label.path), format: container.kind)
  }

  /// Takes an archive that lies in this one.
  mutating func add(_ container: WalkedContainer) {
    services += container.services.filter { !services.contains($0) }
  }

  mutating func add(_ summary: FileSummary) {
    sums.merge(summary)
    warnings.add(summary.warnings)
    for (drive, sketch) in summary.rides {
      switch duplicates.add(drive, sketch, label: "") {
      case .duplicate: duplicateCount += 1
      case .simultaneous: simultaneousCount += 1
      case .new, .extension, .companion: break
      }
    }
    if summary.drives == 0 { withoutDrive += 1 }
    if let index = formats.firstIndex(where: { $0.name == summary.format }) {
      formats[index].count += 1
    } else {
      formats.append((summary.format, 1))
    }
    if !summary.isEmpty { withTracks += 1 }
    if let times = summary.times {
      earliest = min(earliest ?? times.first, times.first, times.last)
      latest = max(latest ?? times.last, times.first, times.last)
    }
  }

  mutating func add(_ reason: SkipReason) {
    if let index = skipped.firstIndex(where: { $0.reason == reason }) {
      skipped[index].count += 1
    } else {
      skipped.append((reason, 1))
    }
  }

  mutating func add(_ error: TrackError, of path: String) { failures.append((path, error.withoutFormats)) }

  private var inputs: Int { formats.reduce(0) { $0 + $1.count } }

  /// What makes the command fail: an input that cannot be read, or that there is none.
  var fault: TrackError? {
    let name = InputPath.name(path)
    if let first = failures.first {
      guard failures.count > 1 || inputs > 0 else { return first.error.inFile(first.path) }
      return TrackError(
        first.error.code,
        "\(failures.count) of \(Counted.of(failures.count + inputs, "input")) cannot be read, the first: "
          + first.error.inFile(first.path).description, file: name)
    }
    if inputs == 0 { return TrackError(.noTracks, "holds no file with tracks", file: name) }
    return nil
  }

  /// Whether there is more to say than the fault.
  var isWorthPrinting: Bool { inputs > 0 || failures.count > 1 }

  var json: JSONValue {
    var members = sums.members
    if let index = members.firstIndex(where: { $0.0 == "warnings" }) {
      members[index].1 = .warnings(warnings.warnings)
    }
    return .object(
      members + [
        ("export", services.isEmpty ? .null : .string(services.joined(separator: ", "))),
        ("inputs", .integer(inputs)), ("inputs_with_tracks", .integer(withTracks)),
        ("formats", .object(formats.map { ($0.name, .integer($0.count)) })),
        ("duplicates", .integer(duplicateCount)), ("simultaneous", .integer(simultaneousCount)),
        ("inputs_without_drive", .integer(withoutDrive)),
        ("earliest_time", .time(earliest)), ("latest_time", .time(latest)),
        (
          "skipped",
          .array(
            skipped.map {
              .object([
                ("reason", .string($0.reason.code)), ("message", .string($0.reason.text)),
                ("count", .integer($0.count)),
              ])
            })
        ),
        (
          "failed",
          .array(failures.map { .object([("source", .string($0.path)), ("error", .error($0.error))]) })
        ),
      ])
  }

  /// The same for people.
  var text: String {
    var lines = [sums.text]
    func line(_ title: String, _ text: String) {
      lines.append("  " + GhostConvert.padded(title, 10) + Diagnostic.singleLine(text))
    }
    if !services.isEmpty { line("export", services.joined(separator: ", ")) }
    line(
      "inputs",
      "\(inputs): "
        + formats.map { "\($0.count) \($0.name)" }.joined(separator: ", ") + "; \(withTracks) with tracks")
    if let earliest, let latest { line("dates", "\(earliest) to \(latest)") }
    if duplicateCount > 0 {
      line("twice", "\(Counted.of(duplicateCount, "drive")) that an import would leave out")
    }
    if simultaneousCount > 0 {
      line("together", "\(Counted.of(simultaneousCount, "drive")) of rides that another device recorded too")
    }
    if withoutDrive > 0 {
      line("no drive", "\(Counted.of(withoutDrive, "input")), without a track to import")
    }
    for (reason, count) in skipped { line("skipped", "\(count): \(reason.text)") }
    for (path, error) in failures { line("failed", error.inFile(path).description) }
    return lines.joined(separator: "\n")
  }
}
