import BulkImport
import TrackFormats
import TrackModel
import TrackTransforms

/// One run of the info command: a summary of each argument, in their order.
struct InfoRun {
  private enum Finding: Sendable {
    case summary(FileSummary)
    case skip(SkipReason)
    case fault(TrackError)
  }

  private let options: GhostConvert.InfoOptions
  private var status = ExitStatus.success
  private var origin: InputOrigin?
  /// The archive or folder whose inputs come at the moment.
  private var container: ContainerSummary?

  init(_ options: GhostConvert.InfoOptions) { self.options = options }

  /// - Returns: the exit status; that of the first failure where there were several.
  mutating func run() -> Int32 {
    var opening = TrackOpening()
    opening.format = options.format
    opening.columns = options.columns
    opening.isStrict = options.strict
    for part in LibraryInputs.parts(options.inputs) {
      switch part {
      case .drive(let reference, let path): look(at: reference, path, opening)
      case .files(let paths): look(at: paths, opening)
      }
    }
    finishContainer()
    return status
  }

  /// A drive of a library.
  private mutating func look(at reference: LibraryReference, _ path: String, _ opening: TrackOpening) {
    finishContainer()
    do throws(TrackError) {
      let tracks = try reference.open(opening)
      let summary = FileSummary(
        file: path, format: "gpkg", maximumAccuracy: options.maximumAccuracy)
      let found = try InfoRun.find(tracks, summary, isStrict: opening.isStrict) {}
      take(.result(found))
    } catch {
      fail(error, InputLabel(path: path))
    }
  }

  private mutating func look(at paths: [String], _ opening: TrackOpening) {
    var walk = WalkOptions()
    walk.format = options.format
    walk.standardInput = options.listing.standardInput
    let inputs = InputRun<Finding>(paths, jobs: options.jobs, walk: walk)
    inputs.run(
      { [opening, options] input, content, _, progress, emit in
        do throws(TrackError) {
          _ = emit(try InfoRun.find(input, content, opening, options.maximumAccuracy, progress))
        } catch {
          _ = emit(.fault(error))
        }
      },
      {
        take($0)
        return true
      })
  }

  private static func find(
    _ input: WalkedInput, _ content: () throws(TrackError) -> ByteInput, _ opening: TrackOpening,
    _ maximumAccuracy: Double?, _ progress: any InputProgress
  ) throws(TrackError) -> Finding {
    let tracks = try opening.adapted(to: input).open(try content(), format: input.format)
    var summary = FileSummary(
      file: InputPath.name(input.label.path), format: tracks.format.name, maximumAccuracy: maximumAccuracy)
    summary.keepsRides = input.isInContainer
    if !input.notes.needsStart { summary.timeSpan = input.notes.notes(start: nil)?.timeSpan }
    return try find(tracks, summary, isStrict: opening.isStrict) { progress.update() }
  }

  private static func find(
    _ opened: consuming OpenTracks, _ begun: FileSummary, isStrict: Bool, _ onPoints: () -> Void
  ) throws(TrackError) -> Finding {
    var tracks = opened
    var summary = begun
    var batch = PointBatch()
    while let event = try tracks.reader.next(into: &batch) {
      if case .points = event { onPoints() }
      summary.add(event, batch)
    }
    summary.finish(shared: tracks.reader.sharedPoints)
    let warnings = tracks.reader.warnings
    if isStrict, let first = warnings.first { throw first.asError }
    summary.warnings.insert(contentsOf: warnings, at: 0)
    let isToldElsewhere = tracks.reader.stages.contains {
      (($0 as? UncoveredMonthsStage)?.removed ?? 0) > 0
    }
    return isToldElsewhere && summary.isWithoutPoints ? .skip(.coarserCopy) : .summary(summary)
  }

  private mutating func take(_ event: InputEvent<Finding>) {
    switch event {
    case .idle: break
    case .begin(let origin):
      if container?.root != origin.root { finishContainer() }
      self.origin = origin
    case .result(.summary(let summary)):
      if container == nil {
        Console.report(summary.warnings, file: summary.file)
        Console.print(options.json ? summary.json.text : summary.text)
      } else {
        container?.add(summary)
      }
    case .result(.skip(let reason)): container?.add(reason)
    case .result(.fault(let error)): fail(error, origin?.label)
    case .passed(let step): passed(step)
    }
  }

  private mutating func passed(_ step: WalkStep) {
    switch step {
    case .input: break
    case .container(let opened):
      if container?.root != opened.root { finishContainer() }
      if container == nil { container = ContainerSummary(opened) } else { container?.add(opened) }
    case .skipped(_, _, let reason): container?.add(reason)
    case .failed(let root, let label, let error):
      if container?.root != root { finishContainer() }
      fail(error, label)
    }
  }

  private mutating func fail(_ error: TrackError, _ label: InputLabel?) {
    let path = label?.path ?? ""
    if container == nil {
      report(error.inFile(InputPath.name(path)), of: path)
    } else {
      container?.add(error, of: path)
    }
  }

  /// - Parameter isContainer: whether an archive or a folder has a record of its own.
  private mutating func report(_ error: TrackError, of path: String, isContainer: Bool = false) {
    Console.report(error)
    if status == ExitStatus.success { status = ExitStatus.of(error) }
    guard options.json, options.listing.isOn || !isContainer else { return }
    Console.print(JSONValue.failure(error, of: path).text)
  }

  private mutating func finishContainer() {
    guard let summary = container.take() else { return }
    if let fault = summary.fault {
      report(fault, of: summary.path, isContainer: summary.isWorthPrinting)
    }
    if summary.isWorthPrinting { Console.print(options.json ? summary.json.text : summary.text) }
  }
}
