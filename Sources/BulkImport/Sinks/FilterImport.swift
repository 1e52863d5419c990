import DriveMatching
import TrackArchives
import TrackFormats
package import TrackModel

/// Imports listed paths as a filter: one JSON record for each path, in the order of the list, and no files.
///
/// A record is written as soon as its path and all earlier paths are done, without waiting for further paths.
/// An archive or a folder produces one record with all of its drives.
package struct FilterImport: InputSink {
  package struct Settings: Sendable {
    /// Whether to keep all copies of a drive that occurs several times in one path.
    package var keepsDuplicates = false
    /// Returns the suggestion for an error.
    package var hint: @Sendable (TrackError) -> String? = { _ in nil }

    package init() {}
  }

  /// A step of an input.
  package enum Product: Sendable {
    case drive(FilteredDrive)
    case trackFailure(TrackError)
    case end(DriveEnding)
    /// The drives of the input are too large for one record, and the rest of it was not read.
    case tooLarge
  }

  private let extraction: DriveExtraction
  private let settings: Settings
  private let stop: WorkStop
  private let write: ([UInt8]) -> Bool
  private var input: InputOrigin?
  private var record: FilterRecord?
  /// The archive or folder of the record.
  private var container: Int?

  /// The reason why the list ended early.
  package private(set) var fault: TrackError?
  /// Whether a record could not be written.
  package private(set) var isOutputLost = false

  /// - Parameters:
  ///   - stop: requested when a record cannot be written.
  ///   - write: receives a record with its line feed, and returns whether it was written.
  package init(
    _ extraction: DriveExtraction, _ settings: Settings, stop: WorkStop, write: @escaping ([UInt8]) -> Bool
  ) {
    self.extraction = extraction
    self.settings = settings
    self.stop = stop
    self.write = write
  }

  // MARK: Work

  package static func prepare(_ run: inout InputRun<Product>) {
    run.cost = { if case .drive(let drive) = $0 { drive.size } else { 0 } }
    run.holdsInputs = true
  }

  package var work: InputRun<Product>.Work {
    { [extraction, settings] input, content, _, progress, emit in
      var extraction = extraction
      extraction.takesFingerprints = input.isInContainer && !settings.keepsDuplicates
      let entry = input.isInContainer ? input.label.path : nil
      var size = 0
      extraction.run(input, { () throws(TrackError) in try content(nil) }, { progress.update() }) { step in
        switch step {
        case .drive(let imported, let fingerprint):
          let drive = FilteredDrive(imported, fingerprint, entry: entry)
          size += drive.size
          guard size <= FilterRecord.largestSize else {
            _ = emit(.tooLarge)
            return false
          }
          return emit(.drive(drive))
        case .trackFailure(let error): return emit(.trackFailure(error))
        case .end(let ending): return emit(.end(ending))
        }
      }
    }
  }

  // MARK: Events

  package mutating func take(_ event: InputEvent<Product>) -> Bool {
    switch event {
    case .idle: break
    case .begin(let origin):
      input = origin
      if container == nil { begin(origin.rootPath) }
    case .result(let product): take(product)
    case .passed(.container(let opened)):
      if container == nil {
        container = opened.root
        begin(opened.rootPath)
        record?.isContainer = true
      }
    case .passed(.skipped(_, _, let reason)): record?.skip(reason)
    case .passed(.failed(let root, let label, let error)): fail(error, label.path, root: root)
    case .passed(.left):
      container = nil
      end()
    case .passed(.input): break
    }
    return !isOutputLost
  }

  private mutating func take(_ product: Product) {
    guard let input else { return }
    switch product {
    case .drive(let drive): record?.add(drive, of: input)
    case .trackFailure(let error): record?.add(trackFailure: error, of: input)
    case .end(let ending):
      record?.end(ending, of: input)
      if container == nil { end() }
    case .tooLarge:
      record?.isTooLarge = true
      if container == nil { end() }
    }
  }

  /// Adds an item that cannot be read: an entry, a path, or the list itself.
  private mutating func fail(_ error: TrackError, _ path: String, root: Int) {
    if container == root {
      record?.add(error, of: path)
      return
    }
    // In a list, the path `-` must be written as `./-`.
    if path == "-", error.code == .unreadable {
      fault = error
      return
    }
    let source = path == "-" ? "" : path
    begin(source)
    record?.add(error, of: source)
    end()
  }

  private mutating func begin(_ source: String) {
    record = FilterRecord(source: source, keepsDuplicates: settings.keepsDuplicates)
  }

  private mutating func end() {
    guard let line = record.take()?.line(hint: settings.hint), !isOutputLost else { return }
    guard !write(line) else { return }
    isOutputLost = true
    stop.request()
  }
}
