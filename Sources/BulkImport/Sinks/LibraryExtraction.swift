public import DriveLibrary
public import GhostModel
import TrackArchives
import TrackFormats
public import TrackModel

/// The results of an input for a library, in encoded form.
public struct ExtractedInput: Sendable {
  /// A drive and the messages about its creation.
  public struct ExtractedDrive: Sendable {
    /// The drive, encoded for storage.
    public var drive: PreparedDrive
    /// The measures and warnings of its creation.
    public var report: ImportReport
  }

  /// Whether it was not read because the library already contains it.
  public var isKnown = false
  /// The hash and size of the content, or `nil` if the input could not be read to its end.
  public var identity: ContentIdentity?
  /// The name in the export, if the export lists the file.
  public var exportName: String?
  /// The drives in the order of their tracks.
  public var drives: [ExtractedDrive] = []
  /// Tracks that could not become drives.
  public var trackFailures: [TrackError] = []
  /// The warnings, the summaries of the stages and the failure of the input.
  public var ending = DriveEnding()

  init() {}

  /// The memory used, in bytes.
  public var cost: Int { drives.reduce(1024) { $0 + $1.drive.cost } }
}

/// Reads inputs for a library. A value can be used by many threads.
struct LibraryExtraction: Sendable {
  var extraction: DriveExtraction
  private let known: Set<ContentIdentity>
  /// The sizes of known contents. Content of any other size is unknown.
  private let knownSizes: Set<Int>

  /// - Parameter known: the contents that need not be read.
  init(_ extraction: DriveExtraction, known: Set<ContentIdentity>) {
    self.extraction = extraction
    self.known = known
    knownSizes = Set(known.map(\.size))
  }

  /// Reads an input once, to its end, and hashes its content at the same time. Hashes it beforehand only if
  /// the library contains content of the same size.
  ///
  /// - Parameter isWanted: called regularly; returns whether to continue.
  func run(
    _ input: DiscoveredInput, _ content: InputRun<ExtractedInput>.TapContent, _ isWanted: () -> Bool
  ) -> ExtractedInput {
    var result = ExtractedInput()
    if !input.notes.needsStart { result.exportName = input.notes.notes(start: nil)?.name }
    if let size = input.size, knownSizes.contains(size), let identity = try? input.identity(),
      known.contains(identity)
    {
      result.isKnown = true
      result.identity = identity
      return result
    }
    let tap = HashingInput()
    extraction.run(input, { () throws(TrackError) in try content(tap) }) {
      _ = isWanted()
    } _: { step in
      result.add(step)
      return isWanted()
    }
    // Content that cannot be read to its end has no identity.
    result.identity = (try? tap.finish()) ?? nil
    return result
  }
}

extension ExtractedInput {
  fileprivate mutating func add(_ step: DriveStep) {
    switch step {
    case .drive(let imported, _):
      let drive = imported.drive
      let new = NewLibraryDrive(
        drive, recording: imported.recording, kind: drive.kind, description: drive.notes, gear: drive.gear)
      drives.append(ExtractedDrive(drive: PreparedDrive(new), report: imported.report))
    case .trackFailure(let error): trackFailures.append(error)
    case .end(let ending): self.ending = ending
    }
  }

  /// Returns the decision on the input based on its tracks. The library decides on the drives.
  func decision(isInContainer: Bool) -> InputDecision {
    var decision = InputDecision()
    for failure in trackFailures { decision.add(failure, isInContainer: isInContainer) }
    decision.end(ending)
    return decision
  }
}
