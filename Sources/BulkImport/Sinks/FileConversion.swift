import GhostModel
import TrackArchives
import TrackFormats
public import TrackModel

/// Converts inputs into files in a folder, one for each input.
///
/// Outputs are synchronized with the disk in batches. Messages about them are delayed until they have their
/// final names.
public struct FileConversion: InputSink {
  /// The options of a conversion into a folder.
  public struct Settings: Sendable {
    /// Whether outputs are written directly to the folder, without the subfolders of input folders.
    public var isFlat = false
    /// Whether outputs of listed inputs may replace files that no earlier run created.
    public var replacesFiles = false

    /// Creates settings with the defaults.
    public init() {}
  }

  /// An outcome with its messages, in the order of the inputs.
  public struct Message: Sendable {
    /// The messages about the input and its output.
    public let messages: ConversionMessages
    /// The reason why the output did not get its final name.
    public let fault: TrackError?
    /// Whether an earlier failure had the same cause.
    public let isRepeated: Bool
  }

  /// The outcome of an input.
  public struct Product: Sendable {
    /// The first failure.
    fileprivate var fault: TrackError?
    fileprivate var messages = ConversionMessages()
    fileprivate var record: InputRecord
    /// The output before it gets its final name.
    fileprivate var held: StagedFile?
    fileprivate var fingerprint: String?
    /// The input's name in the journal.
    fileprivate var source = ""
    /// Whether the output replaces a file that no earlier run created.
    fileprivate var replaces = false

    fileprivate init(_ record: InputRecord) { self.record = record }

    /// An input that failed, or an entry that cannot be read.
    fileprivate init(_ source: String, failed error: TrackError, _ messages: ConversionMessages = .init()) {
      self.messages = messages
      self.messages.report(error)
      fault = error
      record = InputRecord(InputPath.name(source), failed: error)
    }
  }

  private let conversion: TrackConversion
  /// The folder, with a slash at the end.
  private let folder: String
  private let settings: Settings
  private let protection: InputProtection
  private let report: InputReport
  /// The outputs of earlier runs and of this one; nil for a single input.
  private let journal: ConversionJournal?
  private let names: SharedOutputNames
  private let stop: WorkStop
  private let present: (Message) -> Void
  private var batch = OutputBatch<Product>()

  /// The first failure.
  public private(set) var firstFault: TrackError?
  /// The failures of all inputs and outputs so far.
  public private(set) var failures = FoldedFailures()
  /// The warnings and losses of all outputs with their final names.
  public private(set) var warnings = FoldedWarnings()
  /// The number of inputs by outcome.
  public private(set) var counts: [InputRecord.State: Int] = [:]
  /// The reasons for skipped inputs, as text, in the order of first occurrence.
  public var reasons: [(reason: String, count: Int)] { skipReasons.counts }
  private var skipReasons = ReasonCounts<String>()
  /// The number of outputs that replaced a file that no earlier run created from the same input.
  public private(set) var replaced = 0
  /// Whether the disk had no space for an output.
  public private(set) var isFull = false

  /// Creates a conversion into a folder.
  ///
  /// - Parameters:
  ///   - conversion: the format, the cleaning and the options for reading.
  ///   - folder: an existing folder, with a slash at the end.
  ///   - settings: the options of outputs.
  ///   - protection: rejects outputs that are inputs.
  ///   - report: receives one record for each input.
  ///   - journal: the journal of the folder, or `nil` to neither read nor write one.
  ///   - stop: requested when the disk is full.
  ///   - present: receives the messages.
  public init(
    _ conversion: TrackConversion, into folder: String, _ settings: Settings, protection: InputProtection,
    report: InputReport, journal: ConversionJournal?, stop: WorkStop, present: @escaping (Message) -> Void
  ) {
    self.conversion = conversion
    self.folder = folder
    self.settings = settings
    self.protection = protection
    self.report = report
    self.journal = journal
    self.stop = stop
    self.present = present
    names = SharedOutputNames(reserved: journal?.outputs ?? [])
  }

  // MARK: Work

  public static func prepare(_ run: inout InputRun<Product>) {
    run.slack = OutputBatch<Product>.countLimit
  }

  public var work: InputRun<Product>.Work {
    let worker = Worker(
      conversion: conversion, folder: folder, settings: settings, protection: protection,
      isReported: report.isWanted, journal: journal, names: names)
    return { input, content, turn, progress, emit in
      withoutActuallyEscaping(content) { _ = emit(worker.convert(input, $0, turn, progress)) }
    }
  }

  /// Converts inputs, on any thread.
  private struct Worker: Sendable {
    let conversion: TrackConversion
    let folder: String
    let settings: Settings
    let protection: InputProtection
    let isReported: Bool
    let journal: ConversionJournal?
    let names: SharedOutputNames

    func convert(
      _ input: DiscoveredInput, _ content: @escaping InputRun<Product>.TapContent,
      _ turn: InputRun<Product>.SequencePoint, _ progress: any InputProgress
    ) -> Product {
      let source = input.label.path
      let ending = conversion.format.fileEnding
      let place =
        folder
        + (settings.isFlat
          ? "" : InputEnumerator.subfolder(of: input.label, in: input.file, below: input.rootPath))
      let stem = place + (input.isInContainer ? input.label.stem : InputPath.stem(input.file))
      let (known, output) = turn.take {
        let known = journal?.claim(source, in: place, ending: ending)
        return (known, known?.path ?? names.unused(stem, ending: ending))
      }
      let fingerprint = journal == nil ? nil : Self.fingerprint(input)
      if let known, let journal, journal.isWhole(known, fingerprint: fingerprint) {
        var record = InputRecord(InputPath.name(source), .alreadyThere)
        record.outputs = [output]
        return Product(record)
      }
      var messages = ConversionMessages()
      if let error = refusal(of: output, for: input, isOwn: known != nil) {
        return Product(source, failed: error)
      }
      // An output of a listed input replaces only its own earlier output.
      if input.isListed, known == nil { journal?.begin(output, source: source) }
      let tap = isReported ? HashingInput() : nil
      var next: ConversionInput? = ConversionInput(
        path: source, content: .input(input, { () throws(TrackError) in try content(tap) }),
        progress: progress, tap: tap)
      var records: [InputRecord] = []
      do throws(TrackError) {
        if place != folder { try ByteSink.makeFolder(place) }
        let held = StagedFile()
        let fault = try conversion.run(
          { next.take() }, output: output, held: held, &messages, &records)
        var product = Product(records.first ?? InputRecord(InputPath.name(source), .converted))
        product.fault = fault
        product.messages = messages
        product.held = product.record.outputs.isEmpty ? nil : held
        product.fingerprint = fingerprint
        product.source = source
        product.replaces = known == nil && InputEnumerator.exists(output)
        return product
      } catch {
        // As in an import, one of many inputs that has no content is not a failure.
        if error.code == .noTracks, input.isInContainer {
          // The error of an input that has no content before the cleaning names its file.
          let reason = error.file == nil ? SkipReason.nothingLeft : .noTrack
          var product = Product(InputRecord(InputPath.name(source), skipped: reason))
          product.messages = messages
          return product
        }
        return Product(source, failed: error.inFile(output), messages)
      }
    }

    /// Returns the reason why an output must not be written, or nil.
    ///
    /// - Parameter isOwn: whether an earlier run created it from this input.
    private func refusal(of output: String, for input: DiscoveredInput, isOwn: Bool) -> TrackError? {
      guard !isOwn else { return nil }
      do throws(TrackError) { try protection.check(output, input: input.file) } catch { return error }
      // An existing file may be an input that follows in the list.
      guard input.isListed, !settings.replacesFiles, InputEnumerator.exists(output) else { return nil }
      return TrackError(
        .notCreatable, "already exists; outputs are not replaced if inputs come from a list", file: output,
        suggestion: .writeToOtherFolderOrReplace)
    }

    /// Returns a cheap fingerprint of an input, including the notes of its export.
    private static func fingerprint(_ input: DiscoveredInput) -> String? {
      guard let stamp = input.fingerprint(inside: input.rootPath) else { return nil }
      guard !input.notes.needsStart, let notes = input.notes.notes(start: nil) else { return stamp }
      return "\(stamp) \(ContentHash(Array("\(notes)".utf8).span))"
    }
  }

  // MARK: Events

  public mutating func take(_ event: InputEvent<Product>) -> Bool {
    switch event {
    case .result(let product): add(product)
    case .passed(.failed(_, let label, let error)):
      add(Product(label.path, failed: error.inFile(InputPath.name(label.path))))
    case .passed(.skipped(_, let label, let reason)):
      add(Product(InputRecord(label.path, skipped: reason)))
    case .idle: flush()
    case .begin, .passed: break
    }
    return true
  }

  private mutating func add(_ product: Product) {
    batch.add(product, held: product.held)
    if batch.isDue || product.record.error?.code == .noSpace { flush() }
  }

  /// Gives the outputs their final names, and presents the messages about them.
  private mutating func flush() {
    for (product, held) in batch.steps where product.fault == nil {
      guard let held, let output = product.record.outputs.first else { continue }
      journal?.note(held, at: output, source: product.source, fingerprint: product.fingerprint)
    }
    var records: [InputRecord] = []
    for (product, fault) in batch.keep() {
      if let record = end(product, fault) { records.append(record) }
    }
    report.add(records)
  }

  /// - Returns: nil if the disk was already full. The input is converted when the run is continued.
  private mutating func end(_ product: Product, _ fault: TrackError?) -> InputRecord? {
    var record = product.record
    let error = fault ?? record.error
    if error?.code == .noSpace {
      // There is no space for the other outputs either.
      guard !isFull else { return nil }
      isFull = true
      stop.request()
    }
    // A full disk is reported once and not listed at the end.
    let isFirst = error.flatMap { error in
      error.code == .noSpace ? nil : failures.add(error.inFile(InputPath.name(record.source)))
    }
    present(Message(messages: product.messages, fault: fault, isRepeated: isFirst == false))
    warnings.add(product.messages.warnings)
    if let fault {
      record = InputRecord(record.source, failed: fault)
    } else if product.replaces {
      replaced += 1
    }
    firstFault = firstFault ?? fault ?? product.fault
    counts[record.state, default: 0] += 1
    if record.state == .skipped, let reason = record.message { skipReasons.add(reason) }
    return record
  }

  /// The error of a conversion without an output because all inputs were skipped, as for a single output.
  public var emptiness: TrackError? {
    guard counts.keys.elementsEqual([.skipped]) else { return nil }
    let removal = SkipReason.removals.first { removal in reasons.contains { $0.reason == removal.text } }
    return TrackError(.noTracks, "nothing converted: \(removal?.text ?? "no readable tracks")")
  }

  /// Ends the conversion and its report.
  public mutating func finish() {
    flush()
    report.finish()
  }
}
