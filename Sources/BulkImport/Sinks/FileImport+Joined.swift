import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

extension FileImport {
  /// Imports all inputs as one recording, in the order of their first times.
  ///
  /// - Parameters:
  ///   - next: returns the inputs one by one.
  ///   - cleaning: the changes, which join the tracks.
  ///   - container: the archive or folder of all inputs, which determines the drive's name; nil to use the
  ///     first input.
  /// - Returns: the messages about the inputs.
  package mutating func takeJoined(
    _ next: @escaping () -> ConversionInput?, _ cleaning: TrackCleaning, container: String?
  ) -> ConversionMessages {
    var cleaning = cleaning
    cleaning.isForDrives = true
    var opening = extraction.opening
    opening.stages = { [cleaning] in cleaning.stagesOfImport(isJoined: true) }
    let open = { [opening] (input: ConversionInput) throws(TrackError) -> OpenTracks in
      try input.open(opening)
    }
    let outcome = JoinedInputs.Outcome()
    let inputs = JoinedInputs.inTimeOrder(next, open: open)
    // Fusing keeps the rides apart, each of which has the name of its file.
    let joined = JoinedInputs(
      inputs.next, outcome, isForDrives: true, namesTracks: cleaning.fuses && !cleaning.merges, open: open)
    var path = container ?? inputs.first?.path ?? "-"
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    _ = take(.begin(InputOrigin(path: path)))
    extraction.run(
      OpenTracks(reader: StagedReader(joined, cleaning.stagesOfAll), format: .gpx),
      name: InputPath.stem(path),
      hasHiddenPoints: { outcome.hasHiddenPoints }
    ) { take(.result($0)) }
    for record in outcome.records {
      guard let error = record.error else { continue }
      var ending = DriveEnding()
      ending.fault = error
      _ = take(.begin(InputOrigin(path: record.source)))
      _ = take(.result(.end(ending)))
    }
    flush()
    return outcome.messages
  }
}
