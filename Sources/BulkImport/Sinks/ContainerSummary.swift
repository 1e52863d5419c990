import DriveMatching
package import TrackArchives
import TrackFormats
package import TrackModel

/// The contents of an archive or a folder: the totals of its inputs, and the entries that are not inputs.
package struct ContainerSummary: Sendable {
  package let root: Int
  package let path: String
  private let kind: String
  package private(set) var services: [String]
  package private(set) var sums: FileSummary
  /// The number of inputs by format, in the order of first occurrence.
  package private(set) var formats: [(name: String, count: Int)] = []
  package private(set) var earliest: Instant?
  package private(set) var latest: Instant?
  package private(set) var withTracks = 0
  package var skipped: [(reason: SkipReason, count: Int)] { skipReasons.counts }
  private var skipReasons = ReasonCounts<SkipReason>()
  package private(set) var failures: [(path: String, error: TrackError)] = []
  private var log = WarningLog()
  /// The warnings of all inputs with their files.
  package private(set) var foldedWarnings = FoldedWarnings()
  private var duplicates = DriveDuplicates()
  package private(set) var duplicateCount = 0
  package private(set) var simultaneousCount = 0
  /// The number of inputs from which an import would create no drive.
  package private(set) var withoutDrive = 0

  package init(_ container: DiscoveredContainer) {
    root = container.root
    path = container.label.path
    kind = container.kind
    services = container.services
    sums = FileSummary(file: InputPath.name(container.label.path), format: container.kind)
  }

  /// Adds an archive contained in this one.
  package mutating func add(_ container: DiscoveredContainer) {
    services += container.services.filter { !services.contains($0) }
  }

  package mutating func add(_ summary: FileSummary) {
    log.add(summary.warnings)
    foldedWarnings.add(summary.warnings, file: summary.file)
    var imported = summary
    for ride in summary.rides {
      switch duplicates.add(ride.drive, ride.fingerprint, label: "") {
      case .duplicate:
        duplicateCount += 1
        imported.leaveOut(ride)
      case .simultaneous: simultaneousCount += 1
      case .new, .extension, .companion: break
      }
    }
    sums.merge(imported)
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

  package mutating func add(_ reason: SkipReason) { skipReasons.add(reason) }

  package mutating func add(_ error: TrackError, of path: String) {
    failures.append((path, error.withoutFormats))
  }

  /// The warnings of all inputs, with each kind listed once.
  package var warnings: [TrackWarning] { log.warnings }
  /// The number of inputs that could be read.
  package var inputs: Int { formats.reduce(0) { $0 + $1.count } }

  /// The number of inputs, with those that an import skips or cannot read.
  package var count: Int { inputs + failures.count + skipped.reduce(0) { $0 + $1.count } }

  /// Returns the error of the command: an input that cannot be read, or the lack of inputs.
  ///
  /// - Parameter describe: returns an error as text.
  package func fault(_ describe: (TrackError) -> String) -> TrackError? {
    let name = InputPath.name(path)
    if let first = failures.first {
      guard failures.count > 1 || inputs > 0 else { return first.error.inFile(first.path) }
      return TrackError(
        first.error.code,
        "\(failures.count) of \(Counted.of(count, "input")) cannot be read, the first: "
          + describe(first.error.inFile(first.path)), file: name)
    }
    if inputs == 0 { return TrackError(.noTracks, "no file with tracks", file: name) }
    return nil
  }

  /// Whether there is anything to print besides the fault.
  var isWorthPrinting: Bool { inputs > 0 || failures.count > 1 }
}
