import TrackFormats
import TrackModel

/// Classifies content by its first bytes and its name.
enum InputRecognition {
  enum Verdict {
    case track
    case skipped(SkipReason)
    case failed(TrackError)
  }

  /// Returns the kind of a container, or `nil` for other files.
  static func container(_ bytes: borrowing ByteInput, _ label: InputLabel) -> ContainerKind? {
    if let kind = ContainerKind(bytes.available) { return kind }
    // A ZIP can follow a program or other data, so its end is checked.
    guard !bytes.available.isEmpty, label.path.suffix(4).lowercased() == ".zip",
      FormatRegistry.withArchives.recognized(FileOpening(bytes.available)) == nil
    else { return nil }
    return .zip
  }

  /// Returns whether to read content that is not a container.
  ///
  /// - Parameter options: the options of the enumeration.
  static func verdict(
    on input: inout ByteInput, _ label: InputLabel, _ notes: ActivityNotesSource,
    _ options: EnumerationOptions
  ) throws(TrackError) -> Verdict {
    // Devices also store settings and monitoring data as FIT.
    if let type = try FITFileType.peek(&input), type != .activity,
      notes.needsStart || (type != .course && type != .locations)
    {
      return .skipped(.fitFile(type))
    }
    if options.format != nil { return .track }
    if options.acceptsAnyTable, let named = FormatRegistry.standard.forFile(label.path),
      named == .csv || named == .tsv
    {
      return .track
    }
    if input.available.isEmpty {
      let isTrack =
        isTrackName(label.path, packed: true) || isTrackName(label.path, packed: false)
        || UnsupportedFormat.name(ofFile: label.path) != nil
      return isTrack ? .failed(TrackError(.truncated, "the file is empty")) : .skipped(.noTrackFile)
    }
    let opening = FileOpening(input.available, name: label.path)
    if let found = FormatRegistry.withArchives.recognized(opening) {
      return found == .mp4 ? try film(&input) : .track
    }
    // If the name indicates a track, reading reports the error.
    if isTrackName(label.path, packed: false) || isTrackName(label.path, packed: true) { return .track }
    return UnsupportedFormat(opening).map { .failed($0.error) } ?? .skipped(.noTrackFile)
  }

  /// Whether content begins like a film, whose positions require reading from several offsets.
  static func isFilm(_ bytes: borrowing ByteInput, _ label: InputLabel) -> Bool {
    !bytes.available.isEmpty
      && TrackFormat.mp4.recognizes(FileOpening(bytes.available, name: label.path))
  }

  /// Classifies a film, which is usually not a track. Streams cannot be searched for positions.
  private static func film(_ input: inout ByteInput) throws(TrackError) -> Verdict {
    switch try MP4Reader.searchPositions(&input) {
    case .found: .track
    case .none: .skipped(.filmWithoutPositions)
    case .unfinished: .skipped(.unfinishedFilm)
    case .unsearchable: .skipped(.filmInArchive)
    }
  }

  /// Whether a name has the extension of a pure track format.
  ///
  /// - Parameter packed: whether a compression extension follows it.
  static func isTrackName(_ name: String, packed: Bool) -> Bool {
    var name = name[...]
    func removeExtension(in extensions: [String]) -> Bool {
      guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
        extensions.contains(name[name.utf8.index(after: dot)...].lowercased())
      else { return false }
      name = name[..<dot]
      return true
    }
    return (!packed || removeExtension(in: ["gz", "xz", "zst", "bz2"]))
      && removeExtension(in: ["gpx", "fit", "tcx", "kml", "kmz", "nmea"])
  }
}
