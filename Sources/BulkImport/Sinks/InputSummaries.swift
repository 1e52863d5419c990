package import TrackArchives
import TrackFormats
package import TrackModel
import TrackTransforms

/// Summarizes inputs: each file separately, and each archive or folder as a whole.
package struct InputSummaries: InputSink {
  package enum Product: Sendable {
    case summary(FileSummary)
    case skip(SkipReason)
    case fault(TrackError)
  }

  /// A message, delivered in the order of the inputs.
  package enum Message {
    case file(FileSummary)
    case container(ContainerSummary)
    /// - Parameter hasSummary: whether the summary of an archive or a folder follows.
    case failure(TrackError, path: String, hasSummary: Bool)
  }

  private let opening: TrackOpening
  /// The accuracy, in metres, above which drives omit points; nil keeps all.
  private let maximumAccuracy: Double?
  private let describe: (TrackError) -> String
  private let present: (Message) -> Void
  private var origin: InputOrigin?
  /// The current archive or folder.
  private var container: ContainerSummary?
  /// The first failure.
  package private(set) var firstFault: TrackError?

  /// - Parameters:
  ///   - maximumAccuracy: the accuracy, in metres, above which drives omit points; nil keeps all.
  ///   - describe: returns an error as text.
  ///   - present: receives the messages.
  package init(
    _ opening: TrackOpening, maximumAccuracy: Double?,
    describe: @escaping (TrackError) -> String = { $0.description }, present: @escaping (Message) -> Void
  ) {
    self.describe = describe
    self.opening = opening
    self.maximumAccuracy = maximumAccuracy
    self.present = present
  }

  // MARK: Work

  package var work: InputRun<Product>.Work {
    { [opening, maximumAccuracy] input, content, _, progress, emit in
      do throws(TrackError) {
        let tracks = try opening.adapted(to: input).open(try content(nil), format: input.format)
        var summary = FileSummary(
          file: InputPath.name(input.label.path), format: tracks.format.name, maximumAccuracy: maximumAccuracy
        )
        summary.keepsRides = input.isInContainer
        if !input.notes.needsStart, let notes = input.notes.notes(start: nil) {
          summary.timeSpan = notes.timeSpan
          summary.kind = notes.type
        }
        _ = emit(
          try Self.product(of: tracks, summary, isStrict: opening.isStrict) { progress.update() })
      } catch {
        _ = emit(.fault(error))
      }
    }
  }

  private static func product(
    of opened: consuming OpenTracks, _ begun: FileSummary, isStrict: Bool, _ onPoints: () -> Void
  ) throws(TrackError) -> Product {
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

  // MARK: Events

  /// Adds tracks from a source other than a file.
  package mutating func add(path: String, format: String, _ open: @escaping InputPart.Opening) {
    finish()
    do throws(TrackError) {
      let summary = FileSummary(file: path, format: format, maximumAccuracy: maximumAccuracy)
      let product = try Self.product(of: try open(opening), summary, isStrict: opening.isStrict) {}
      _ = take(.result(product))
    } catch {
      fail(error, path)
    }
  }

  package mutating func take(_ event: InputEvent<Product>) -> Bool {
    switch event {
    case .idle: break
    case .begin(let origin):
      if container?.root != origin.root { finish() }
      self.origin = origin
    case .result(.summary(let summary)):
      if container == nil { present(.file(summary)) } else { container?.add(summary) }
    case .result(.skip(let reason)): container?.add(reason)
    case .result(.fault(let error)): fail(error, origin?.label.path ?? "")
    case .passed(let step): passed(step)
    }
    return true
  }

  private mutating func passed(_ step: EnumerationStep) {
    switch step {
    case .input, .left: break
    case .container(let opened):
      if container?.root != opened.root { finish() }
      if container == nil { container = ContainerSummary(opened) } else { container?.add(opened) }
    case .skipped(_, _, let reason): container?.add(reason)
    case .failed(let root, let label, let error):
      if container?.root != root { finish() }
      fail(error, label.path)
    }
  }

  private mutating func fail(_ error: TrackError, _ path: String) {
    if container == nil {
      failed(error.inFile(InputPath.name(path)), path, hasSummary: false)
    } else {
      container?.add(error, of: path)
    }
  }

  private mutating func failed(_ error: TrackError, _ path: String, hasSummary: Bool) {
    firstFault = firstFault ?? error
    present(.failure(error, path: path, hasSummary: hasSummary))
  }

  /// Ends the current archive or folder.
  package mutating func finish() {
    guard let summary = container.take() else { return }
    if let fault = summary.fault(describe) {
      failed(fault, summary.path, hasSummary: summary.isWorthPrinting)
    }
    if summary.isWorthPrinting { present(.container(summary)) }
  }
}
