import BulkImport
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

/// An input of a conversion, or why it is none.
struct ConversionInput {
  enum Content {
    case input(WalkedInput, InputRun<ConversionResult>.Content)
    case drive(LibraryReference)
    case fault(TrackError)
    /// The output would replace the input, so that nothing may be written.
    case refused(TrackError)
    /// It is passed over, and only told of.
    case skipped(SkipReason)
  }

  let path: String
  let content: Content
  let progress: any InputProgress
  /// Looks at its bytes, where somebody wants to know them.
  var tap: ContentTap?

  /// Whether it can be opened only once, and before the next one is asked for.
  var isStreamed: Bool { if case .input(let input, _) = content { input.isStreamed } else { false } }

  /// Opens it, with what its export says about it.
  ///
  /// - Parameter opening: how inputs are read; its stages come behind those of the export.
  func open(_ opening: TrackOpening) throws(TrackError) -> OpenTracks {
    switch content {
    case .fault(let error), .refused(let error): throw error
    case .drive(let reference): return try reference.open(opening)
    case .skipped(let reason): throw TrackError(.noTracks, reason.text)
    case .input(let input, let content):
      var opening = opening.adapted(to: input)
      let start = input.notes.needsStart ? opening.firstTime(of: input) : nil
      let notes = input.notes.notes(start: start).map { NotesStage($0) }
      opening.stages = { [stages = opening.stages] in
        var result = stages()
        // The kind is asked of the file as it is; all else counts with what the export says.
        let kinds = result.firstIndex { $0 is KindStage }.map { $0 + 1 } ?? 0
        if let notes { result.insert(notes, at: kinds) }
        return result
      }
      return try opening.open(try content(), format: input.format)
    }
  }
}

/// What a conversion has to say, held until it is its turn.
struct ConversionMessages: Sendable {
  private var lines: [(text: String, isError: Bool)] = []
  private(set) var warnings = FoldedWarnings()

  mutating func add(_ others: ConversionMessages) {
    lines += others.lines
    warnings.add(others.warnings)
  }
  mutating func add(_ losses: LossReport, _ description: String, file: String) {
    warnings.add(losses, description, file: file)
  }
  mutating func complain(_ message: String) { lines.append((message, false)) }
  mutating func report(_ error: TrackError) { lines.append((error.text, error.code != .warning)) }
  mutating func report(_ warnings: [TrackWarning], file: String) {
    self.warnings.add(warnings, file: file)
  }

  /// Prints all but the warnings.
  func printLines() {
    for line in lines { if line.isError { Console.complain(line.text) } else { Console.note(line.text) } }
  }

  func print() {
    for line in warnings.lines { Console.note(line) }
    printLines()
  }
}

struct ConversionResult: Sendable {
  var status: Int32
  var messages: ConversionMessages
  var record: InputRecord
  /// The output, where it has yet to take its place, and how its input looked.
  var held: HeldOutput?
  var fingerprint: String?
  /// What the journal calls the input.
  var source = ""
  /// Whether there was a file already where the output goes.
  var replaces = false
}

extension GhostConvert {
  /// The inputs one after the other, for one output.
  ///
  /// - Parameters:
  ///   - taps: whether the bytes of the inputs are looked at.
  ///   - tellsSkipped: whether what is passed over comes as well.
  ///   - refusal: throws if the output would replace the input.
  static func walkedInputs(
    _ paths: [String], _ options: WalkOptions, taps: Bool = false,
    tellsSkipped: Bool = false, refusal: @escaping (WalkedInput) throws(TrackError) -> Void
  ) -> () -> ConversionInput? {
    var parts = LibraryInputs.parts(paths)[...]
    var files: (() -> ConversionInput?)?
    return {
      while true {
        if let input = files?() { return input }
        files = nil
        switch parts.popFirst() {
        case .drive(let reference, let path)?:
          return ConversionInput(path: path, content: .drive(reference), progress: RunProgress([]))
        case .files(let paths)?:
          files = walkedFiles(paths, options, taps: taps, tellsSkipped: tellsSkipped, refusal: refusal)
        case nil: return nil
        }
      }
    }
  }

  private static func walkedFiles(
    _ paths: [String], _ options: WalkOptions, taps: Bool, tellsSkipped: Bool,
    refusal: @escaping (WalkedInput) throws(TrackError) -> Void
  ) -> () -> ConversionInput? {
    var options = options
    options.lookAtStandardInput(paths)
    let progress = RunProgress(paths, isListed: options.standardInput?.list != nil)
    let walk = InputWalk(paths, options: options, progress: progress.walk)
    return {
      while let step = walk.next() {
        progress.update()
        switch step {
        case .container: continue
        case .skipped(_, let label, let reason):
          guard tellsSkipped else { continue }
          return ConversionInput(path: label.path, content: .skipped(reason), progress: progress)
        case .failed(_, let label, let error):
          return ConversionInput(path: label.path, content: .fault(error), progress: progress)
        case .input(let input):
          progress.addInput()
          do throws(TrackError) { try refusal(input) } catch {
            return ConversionInput(path: input.label.path, content: .refused(error), progress: progress)
          }
          let tap = taps ? ContentTap() : nil
          return ConversionInput(
            path: input.label.path,
            content: .input(
              input,
              { () throws(TrackError) in
                try input.isStreamed
                  ? walk.takeStream(tap: tap) : input.open(progress: progress.bytes, tap: tap)
              }), progress: progress, tap: tap)
        }
      }
      return nil
    }
  }

  static func walkOptions(_ options: ConvertOptions) -> WalkOptions {
    var walk = WalkOptions()
    walk.format = options.from
    walk.excludedFolder = options.outputDirectory
    if let report = options.report { walk.excludedFiles += InputReport.files(report) }
    walk.standardInput = options.listing.standardInput
    return walk
  }

  /// Returns the reason why an output must not be written, or nil.
  ///
  /// - Parameter isOwn: whether an earlier run has made it of this input.
  static func refusal(
    of output: String, for input: WalkedInput, isOwn: Bool, _ options: ConvertOptions,
    _ protection: InputProtection
  ) -> TrackError? {
    if !isOwn {
      do throws(TrackError) { try protection.check(output, input: input.file) } catch { return error }
    }
    // What is there may be an input that the list comes to later.
    guard input.isListed, !isOwn, !options.force, InputWalk.exists(output) else { return nil }
    return TrackError(
      .notCreatable, "is there, and nothing is replaced where inputs come from a list", file: output,
      suggestion: .text("name a folder without it with --output-directory, or pass --force to replace it"))
  }
}
