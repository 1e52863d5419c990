import TrackFormats
import TrackModel

/// What a walk makes of a content, by what it begins with and by its name.
enum InputRecognition {
  enum Verdict {
    case track
    case skipped(SkipReason)
    case failed(TrackError)
  }

  /// What holds other files; nil for what does not.
  static func container(_ bytes: borrowing ByteInput, _ label: InputLabel) -> ContainerKind? {
    if let kind = ContainerKind(bytes.available) { return kind }
    // A ZIP may have a program or anything else before it: what is at its end counts.
    guard label.path.lowercased().hasSuffix(".zip"), !bytes.available.isEmpty,
      FormatRegistry.withArchives.recognized(FileOpening(bytes.available)) == nil
    else { return nil }
    return .zip
  }

  /// Whether a content that holds no other files is to be read.
  ///
  /// - Parameters:
  ///   - format: the one that the user says the inputs have.
  ///   - path: the path of the file; nil for an entry of an archive.
  static func verdict(
    on input: inout ByteInput, _ label: InputLabel, _ notes: ActivityNotesSource, format: TrackFormat?,
    path: String?
  ) throws(TrackError) -> Verdict {
    // Devices keep their settings and what they measure at night as FIT, too.
    if let type = try FITFileType.peek(&input), type != .activity,
      notes.needsStart || (type != .course && type != .locations)
    {
      return .skipped(.fitFile(type))
    }
    if format != nil { return .track }
    let bytes = input.available
    if bytes.isEmpty {
      let isTrack =
        isTrackName(label.path, packed: true) || isTrackName(label.path, packed: false)
        || UnsupportedFormat.name(ofFile: label.path) != nil
      return isTrack ? .failed(TrackError(.truncated, "the file is empty")) : .skipped(.noTrackFile)
    }
    let opening = FileOpening(bytes, name: label.path)
    if FormatRegistry.withArchives.recognized(opening) != nil { return .track }
    // The input says what is wrong with it where its name promises a track.
    if isTrackName(label.path, packed: false) || isTrackName(label.path, packed: true) { return .track }
    return UnsupportedFormat(opening, path: path).map { .failed($0.error) } ?? .skipped(.noTrackFile)
  }

  /// Whether a name has the ending of a format that is nothing but tracks.
  ///
  /// - Parameter packed: whether it has one of a compression behind that.
  static func isTrackName(_ name: String, packed: Bool) -> Bool {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false).suffix(3).map { $0.lowercased() }
    if packed {
      guard let last = parts.popLast(), ["gz", "xz", "zst", "bz2"].contains(last) else { return false }
    }
    return parts.count > 1 && ["gpx", "fit", "tcx", "kml", "kmz", "nmea"].contains(parts[parts.count - 1])
  }
}
