import BulkImport
import TrackArchives
import Synchronization
import TrackFormats
import TrackModel

/// Import as a filter: a path in, a record out, line by line, with nothing written to any file.
///
/// A record comes out as soon as it and those before it are done: nothing waits for a further path.
struct FilterRun {
  private let options: GhostConvert.ImportCommandOptions
  private let list: StandardInput

  /// How many bytes of input are worked on at the same time; one is always let in.
  private static let heldLimit = 1 << 26

  init(_ options: GhostConvert.ImportCommandOptions, _ list: StandardInput) {
    self.options = options
    self.list = list
  }

  private enum Line: Sendable {
    case record([UInt8])
    /// The list breaks off.
    case fault(TrackError)
  }

  private enum Item: Sendable {
    case path(String)
    /// Something in the list that is no path.
    case fault(TrackError)
  }

  /// - Returns: the exit status: a failure is that of the list or of standard output, never that of an input.
  func run() -> Int32 {
    let extraction = ImportRun.extraction(options)
    var looking = WalkOptions()
    looking.format = options.from
    looking.isOneOfSeveral = true
    let walk = looking
    let keepsDuplicates = options.keepsDuplicates
    let isOutputLost = Atomic(false)
    var status = ExitStatus.success
    OrderedWork<Item, Line>(jobs: options.jobs ?? Processors.count, heldLimit: FilterRun.heldLimit).run(
      produce: { [list] intake in
        FilterRun.produce(list, intake) { isOutputLost.load(ordering: .relaxed) }
      },
      work: { item, _, emit in
        var record: FilterRecord
        switch item {
        case .path(let path):
          record = FilterRecord(source: path, keepsDuplicates: keepsDuplicates)
          record.read(extraction, walk)
        case .fault(let error):
          record = FilterRecord(source: "", keepsDuplicates: keepsDuplicates)
          record.add(error, of: "")
        }
        _ = emit(.record(record.line))
      },
      consume: { line in
        switch line {
        case .fault(let error):
          Console.report(error)
          status = ExitStatus.of(error)
        case .record(let bytes):
          if !isOutputLost.load(ordering: .relaxed), !Console.printLine(bytes) {
            isOutputLost.store(true, ordering: .relaxed)
          }
        }
        return true
      })
    return status
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
