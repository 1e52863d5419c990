package import TrackArchives
package import TrackFormats
package import TrackModel
import TrackTransforms

/// Inputs that share reading options.
package enum InputPart {
  package typealias Opening = (TrackOpening) throws(TrackError) -> OpenTracks

  /// Tracks from a source other than a file, such as a drive in a library.
  case tracks(path: String, open: Opening)
  /// Files, folders and archives; at least one.
  case files([String])
}

/// An input of a conversion, or the reason why it is not converted.
package struct ConversionInput {
  /// Not internal: the compiler (6.3.1) ignores typed throws when it checks whether a package import is used.
  package enum Content {
    case input(DiscoveredInput, () throws(TrackError) -> ByteInput)
    case tracks(InputPart.Opening)
    case fault(TrackError)
    /// The output would replace the input, so it must not be written.
    case refused(TrackError)
    /// An entry that is not an input and is only reported.
    case skipped(SkipReason)
  }

  package let path: String
  let content: Content
  let progress: any InputProgress
  /// Computes the identity of the content, if requested.
  var tap: HashingInput?

  /// Whether it can be opened only once, before the next input is requested.
  var isStreamed: Bool { if case .input(let input, _) = content { input.isStreamed } else { false } }

  /// Opens the input, with the notes of its export.
  ///
  /// - Parameter opening: the options for reading inputs. Its stages follow those of the export.
  func open(_ opening: TrackOpening) throws(TrackError) -> OpenTracks {
    switch content {
    case .fault(let error), .refused(let error): throw error
    case .tracks(let open): return try open(opening)
    case .skipped(let reason): throw TrackError(.noTracks, reason.text)
    case .input(let input, let content):
      var opening = opening.adapted(to: input)
      let start = input.notes.needsStart ? opening.firstTime(of: input) : nil
      let notes = input.notes.notes(start: start).map { NotesStage($0) }
      opening.stages = { [stages = opening.stages] in
        var result = stages()
        // Kinds are filtered by the file's own kind. All other stages see the notes of the export.
        let kinds = result.firstIndex { $0 is KindStage }.map { $0 + 1 } ?? 0
        if let notes { result.insert(notes, at: kinds) }
        return result
      }
      return try opening.open(try content(), format: input.format)
    }
  }

  // MARK: Sequences

  /// Returns a function that returns the inputs of one output one by one.
  ///
  /// - Parameters:
  ///   - taps: whether to identify the contents of the inputs.
  ///   - reportsSkipped: whether entries that are not inputs are returned as well.
  ///   - progress: creates the progress for some paths.
  ///   - refusal: throws if the output would replace the input.
  package static func sequence(
    _ parts: [InputPart], _ options: EnumerationOptions, taps: Bool = false, reportsSkipped: Bool = false,
    progress: @escaping ([String]) -> any InputProgress,
    refusal: @escaping (DiscoveredInput) throws(TrackError) -> Void
  ) -> () -> ConversionInput? {
    var parts = parts[...]
    var files: (() -> ConversionInput?)?
    return {
      while true {
        if let input = files?() { return input }
        files = nil
        switch parts.popFirst() {
        case .tracks(let path, let open)?:
          return ConversionInput(path: path, content: .tracks(open), progress: progress([]))
        case .files(let paths)?:
          files = sequence(
            paths, options, taps: taps, reportsSkipped: reportsSkipped, progress(paths), refusal: refusal)
        case nil: return nil
        }
      }
    }
  }

  private static func sequence(
    _ paths: [String], _ options: EnumerationOptions, taps: Bool, reportsSkipped: Bool,
    _ progress: any InputProgress, refusal: @escaping (DiscoveredInput) throws(TrackError) -> Void
  ) -> () -> ConversionInput? {
    let walk = InputEnumerator(paths, options: options, progress: progress.walk)
    return {
      while let step = walk.next() {
        progress.update()
        switch step {
        case .container, .left: continue
        case .skipped(_, let label, let reason):
          guard reportsSkipped else { continue }
          return ConversionInput(path: label.path, content: .skipped(reason), progress: progress)
        case .failed(_, let label, let error):
          return ConversionInput(path: label.path, content: .fault(error), progress: progress)
        case .input(let input):
          progress.addInput()
          do throws(TrackError) { try refusal(input) } catch {
            return ConversionInput(path: input.label.path, content: .refused(error), progress: progress)
          }
          let tap = taps ? HashingInput() : nil
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
}
