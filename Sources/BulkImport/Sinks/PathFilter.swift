import Synchronization
public import TrackArchives
import TrackFormats
public import TrackModel

/// Imports a list of paths as a filter: one JSON record per path, in the order of the list, and no files.
///
/// A record is complete as soon as its path and those before it are done; nothing waits for further paths. An
/// archive or a
/// folder is one record with all of its drives.
public struct PathFilter: Sendable {
  public var extraction: DriveExtraction
  public var walk: WalkOptions
  /// Whether drives are kept that occur several times in one path.
  public var keepsDuplicates = false
  public var jobs: Int
  /// The advice on an error.
  public var hint: @Sendable (TrackError) -> String? = { _ in nil }
  /// The hint for drives that are too large for one record, from whether they come from an archive or a
  /// folder.
  public var tooLarge: @Sendable (_ isContainer: Bool) -> TrackError = { _ in
    TrackError(.limitExceeded, "the drives take more than \(largestRecord >> 20) MiB in one record")
  }

  /// Bytes that the geometries of one record may take: a drive of two million points, or some hundreds of an
  /// hour.
  public static let largestRecord = FilterRecord.largestSize
  /// Bytes of input in progress; one input is always let in.
  private static let heldLimit = 1 << 26

  public init(_ extraction: DriveExtraction, _ walk: WalkOptions, jobs: Int) {
    self.extraction = extraction
    self.walk = walk
    self.jobs = jobs
    self.walk.isOneOfSeveral = true
  }

  private enum Line: Sendable {
    case record([UInt8])
    /// The list is broken off.
    case fault(TrackError)
  }

  private enum Item: Sendable {
    case path(String)
    /// Something in the list that is not a path.
    case fault(TrackError)
  }

  /// Runs over a list.
  ///
  /// - Parameter write: takes a record with its line feed; returns whether it was written. After a failure
  ///   the list is not read
  ///   any further.
  /// - Throws: if the list cannot be read to its end.
  public func run(_ list: StandardInput, _ write: ([UInt8]) -> Bool) throws(TrackError) {
    let isOutputLost = Atomic(false)
    var fault: TrackError?
    OrderedWork<Item, Line>(jobs: jobs, heldLimit: Self.heldLimit).run(
      produce: { intake in Self.produce(list, intake) { isOutputLost.load(ordering: .relaxed) } },
      work: { item, _, emit in _ = emit(.record(line(of: item))) },
      consume: { line in
        switch line {
        case .fault(let error): fault = error
        case .record(let bytes):
          if !isOutputLost.load(ordering: .relaxed), !write(bytes) {
            isOutputLost.store(true, ordering: .relaxed)
          }
        }
        return true
      })
    if let fault { throw fault }
  }

  private func line(of item: Item) -> [UInt8] {
    var record: FilterRecord
    switch item {
    case .path(let path):
      record = FilterRecord(source: path, keepsDuplicates: keepsDuplicates)
      record.read(extraction, walk, tooLarge: tooLarge)
    case .fault(let error):
      record = FilterRecord(source: "", keepsDuplicates: keepsDuplicates)
      record.add(error, of: "")
    }
    return record.line(hint: hint)
  }

  private static func produce(
    _ list: StandardInput, _ intake: OrderedWork<Item, Line>.Intake, isOver: () -> Bool
  ) {
    do throws(TrackError) {
      var paths = try list.takePaths()
      while !isOver() {
        do throws(TrackError) {
          guard let path = try paths.next() else { return }
          intake.submit(.path(path), cost: InputWalk.size(path) ?? 0)
        } catch  where error.code == .limitExceeded {
          intake.submit(.fault(error))
        }
      }
    } catch {
      intake.perform { _, emit in _ = emit(.fault(error)) }
    }
  }
}
