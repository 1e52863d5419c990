public import DriveLibrary
public import GhostModel
import TrackArchives
import TrackFormats
public import TrackModel

/// What came of an input that goes into a library, encoded for it.
public struct ExtractedInput: Sendable {
  /// A drive and what is said about how it came about.
  public struct ExtractedDrive: Sendable {
    public var drive: PreparedDrive
    public var report: ImportReport
  }

  /// Whether it was not read, because the library has its content.
  public var isKnown = false
  public var identity: ContentIdentity?
  /// What its export calls it, where that is known by its file.
  public var exportName: String?
  public var drives: [ExtractedDrive] = []
  /// Tracks that could not become drives.
  public var trackFailures: [TrackError] = []
  public var ending = DriveEnding()

  public init() {}

  /// Bytes that it holds.
  public var cost: Int { drives.reduce(1024) { $0 + $1.drive.cost } }
}

/// Reads inputs for a library. One value serves many threads.
struct LibraryExtraction: Sendable {
  var extraction: DriveExtraction
  private let known: Set<ContentIdentity>
  /// Only what has one of these sizes can be known.
  private let knownSizes: Set<Int>

  /// - Parameter known: the contents that need not be read.
  init(_ extraction: DriveExtraction, known: Set<ContentIdentity>) {
    self.extraction = extraction
    self.known = known
    knownSizes = Set(known.map(\.size))
  }

  /// Reads an input to its end, once: its content is hashed on the way. Only where the library has a content
  /// of the same
  /// size is it hashed first.
  ///
  /// - Parameter isWanted: is asked now and then whether to go on.
  func run(
    _ input: WalkedInput, _ content: InputRun<ExtractedInput>.TapContent, _ isWanted: () -> Bool
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
    let tap = ContentTap()
    extraction.run(input, { () throws(TrackError) in try content(tap) }) {
      _ = isWanted()
    } _: { step in
      result.add(step)
      return isWanted()
    }
    // What cannot be read to its end has no content to be known by.
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

  /// The decision on the input, as far as its tracks tell. The library decides on the drives.
  func decision(isInContainer: Bool) -> InputDecision {
    var decision = InputDecision()
    for failure in trackFailures { decision.add(failure, isInContainer: isInContainer) }
    decision.end(ending)
    return decision
  }
}
