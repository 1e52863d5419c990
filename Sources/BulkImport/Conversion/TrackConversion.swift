package import TrackFormats
package import TrackModel
import TrackTransforms

/// Converts inputs into one output. One value can be used for several outputs and by several threads.
public struct TrackConversion: Sendable {
  /// The format of the outputs.
  public let format: OutputFormat
  /// The options of the writer.
  public var writing = OutputFormat.WritingOptions()
  /// The options for reading inputs, without stages.
  public var opening = TrackOpening()
  /// The changes between reading and writing. With ``TrackCleaning/merges`` and ``TrackCleaning/fuses``, all
  /// inputs of an output are one stream.
  public var cleaning = TrackCleaning()

  /// Creates a conversion without changes and with default options.
  public init(to format: OutputFormat) { self.format = format }

  /// Creates a conversion with the changes that its format requires: tracks without times get them if their
  /// pace is given, and drives if the format needs times.
  package init(
    to format: OutputFormat, opening: TrackOpening, writing: OutputFormat.WritingOptions,
    cleaning: TrackCleaning
  ) {
    self.format = format
    self.opening = opening
    self.writing = writing
    self.cleaning = cleaning
    if cleaning.pace != SpreadTimesStage.Pace() { self.cleaning.spreadTimes = true }
    self.opening.reportsUnknownStart = cleaning.pace.start == nil
    self.cleaning.timesDrives = format.needsTimes
    if case .drive = format {
      self.cleaning.isForDrives = true
      self.writing.privacyZones = cleaning.privacy
    }
  }

  private var isStrict: Bool { opening.isStrict }

  /// Writes all inputs to one output.
  ///
  /// A failing input is reported and does not stop the others. The output contains the complete content of
  /// the failing input up to the failure. Nothing is written if all inputs fail, or in strict reading if any
  /// does.
  ///
  /// - Parameters:
  ///   - next: returns the inputs one by one.
  ///   - held: receives the output, whose final name the caller then sets. If nil, the output gets its final
  ///     name at the end.
  ///   - records: receives one record for each input.
  /// - Returns: the first failure of an input.
  /// - Throws: ``TrackError`` if the output cannot be written.
  package func run(
    _ next: @escaping () -> ConversionInput?, output: String, held: StagedFile? = nil,
    _ messages: inout ConversionMessages, _ records: inout [InputRecord]
  ) throws(TrackError) -> TrackError? {
    // The losses are known only when everything is written.
    let own = held == nil && isStrict ? StagedFile() : nil
    var writing = writing
    if output != "-" { writing.driveName = InputPath.stem(output) }
    var writer = try format.writer(try ByteSink(path: output, held: held ?? own), writing)
    let name = output == "-" ? "standard output" : output
    let outcome = JoinedInputs.Outcome()
    var isWritten = false
    defer {
      messages.add(outcome.messages)
      records += outcome.records.map { $0.written(isWritten ? output : nil) }
    }
    let hasContent = try copy(next, named: name, to: &writer, outcome)
    if outcome.count == 0 { throw TrackError(.noTracks, "contains no readable tracks") }
    guard outcome.good > 0, outcome.firstFault == nil || !isStrict else {
      if outcome.count > 1 { outcome.messages.add(note: "\(name): not written") }
      return outcome.firstFault
    }
    guard hasContent || !outcome.isChanged && !outcome.records.contains(where: \.hasRejectedPoints) else {
      let error =
        outcome.isChanged
        ? TrackError(.noTracks, "not written: no data left")
        : TrackError(
          .noTracks, "no track with points", file: outcome.count == 1 ? outcome.records.first?.source : nil)
      for index in outcome.records.indices where outcome.records[index].state == .converted {
        outcome.records[index].fail(error)
      }
      throw error
    }
    try writer.finish()
    if isStrict { try writer.losses.check(writer.warnings, in: format.name) }
    if isStrict, !outcome.unsupportedContent.isEmpty {
      throw TrackError(.warning, "not copied: \(outcome.unsupportedContent.text)")
    }
    try own?.keep()
    if !outcome.unsupportedContent.isEmpty {
      outcome.messages.add(outcome.unsupportedContent, "not copied", file: name)
    }
    isWritten = true
    outcome.messages.report(writer.warnings, file: name)
    if !writer.losses.isEmpty {
      outcome.messages.add(writer.losses, LossReport.description(in: format.name), file: name)
    }
    if outcome.good < outcome.count {
      outcome.messages.add(
        note: "\(name): written with \(outcome.good) of \(outcome.count) inputs whole")
    }
    return outcome.firstFault
  }

  /// Writes the content of all inputs.
  ///
  /// - Returns: whether there was a point.
  /// - Throws: ``TrackError`` if the output cannot be written. Failures of inputs are in the outcome.
  private func copy(
    _ next: @escaping () -> ConversionInput?, named name: String,
    to writer: inout any TrackWriter & ~Copyable, _ outcome: JoinedInputs.Outcome
  ) throws(TrackError) -> Bool {
    let isJoined = cleaning.joinsInputs
    var opening = opening
    opening.stages = { [cleaning] in isJoined ? cleaning.stagesOfInputs : cleaning.stages }
    var inputs = next
    if isJoined {
      var sorting = opening
      sorting.readsAhead = false
      inputs =
        JoinedInputs.inTimeOrder(next) { [sorting] input throws(TrackError) in try input.open(sorting) }.next
    }
    let joined = JoinedInputs(inputs, outcome, isDriveWritten: cleaning.isForDrives) {
      [opening] input throws(TrackError) in try input.open(opening)
    }
    var reader = StagedReader(joined, isJoined ? cleaning.stagesOfAll : [])
    var batch = PointBatch()
    var hasContent = false
    while let event = try reader.next(into: &batch) {
      switch event {
      case .points, .waypoint: hasContent = true
      default: break
      }
      try writer.write(event, batch)
    }
    outcome.messages.report(reader.warnings, file: name)
    if !reader.summaries.isEmpty { outcome.isChanged = true }
    for summary in reader.summaries { outcome.messages.add(note: "\(name): \(summary)") }
    return hasContent
  }
}
