package import DriveLibrary
package import GhostModel
import TrackFormats
package import TrackModel
package import TrackTransforms

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes drives of a library to files.
package struct DriveExport {
  private let library: DriveLibrary
  private let options: OutputFormat.WritingOptions
  private let minute: (Instant) -> String
  /// The stage that has removed the privacy zones from all drives so far, or nil without zones.
  package private(set) var privacy: PrivacyStage?

  /// - Parameter minute: formats the start of a drive as `2025-01-31 07:30`, with a time zone after it.
  package init(
    _ library: DriveLibrary, _ options: OutputFormat.WritingOptions, minute: @escaping (Instant) -> String
  ) {
    self.library = library
    self.options = options
    self.minute = minute
    if !options.privacyZones.isEmpty { privacy = PrivacyStage(options.privacyZones, splitsTracks: true) }
  }

  /// Returns the names of drives. Names that occur several times are extended by a label.
  ///
  /// - Parameters:
  ///   - labels: a label for each drive, such as its date.
  ///   - format: the format of the file. All names include the label, for viewers that show only names, if
  ///     the format has placemarks.
  static func names(
    _ drives: [LibraryDrive], labels: [String], in format: OutputFormat
  ) -> [String] {
    var counts: [String: Int] = [:]
    for drive in drives { counts[drive.name, default: 0] += 1 }
    return zip(drives, labels).map { drive, label in
      let isLabelled =
        format.hasPlacemarks ? drive.startTime != nil || drive.name.isEmpty : counts[drive.name] != 1
      return isLabelled ? [drive.name, label].filter { !$0.isEmpty }.joined(separator: ", ") : drive.name
    }
  }

  /// Writes drives to one file: a drive document, or a file of tracks without damaged drives.
  ///
  /// - Parameter losses: receives the values that the format cannot represent, if any.
  /// - Returns: an error for each damaged drive.
  /// - Throws: `usage` for a document of several drives; if the file cannot be written, or if all drives are
  ///   damaged.
  package mutating func write(
    _ drives: [LibraryDrive], to format: OutputFormat, _ output: String, losses: (LossReport) -> Void
  ) throws(TrackError) -> [TrackError] {
    if case .drive = format {
      guard drives.count == 1 else {
        throw TrackError(
          .usage, "\(drives.count) drives, but a drive document contains one", file: output,
          suggestion: .writeDocumentPerDrive)
      }
      try writeDocument(of: drives[0], to: output)
      return []
    }
    do throws(TrackError) {
      // A single drive needs no identifier to be distinct.
      let labels = DriveLabels.labels(
        drives.map { ($0.id, $0.startTime) },
        identifierLength: drives.count > 1
          ? try library.distinctIdentifierLength() : DriveLibrary.leastIdentifierLength, minute: minute)
      let (lost, damaged) = try writeTracks(
        drives, names: Self.names(drives, labels: labels, in: format), to: format, output)
      if !lost.isEmpty { losses(lost) }
      return damaged
    } catch {
      throw error.inFile(output == "-" ? "standard output" : output)
    }
  }

  /// Writes each drive to a separate file in a folder, which is created if it does not exist. Drives without
  /// points outside the privacy zones are left out.
  ///
  /// - Parameters:
  ///   - losses: receives the values that the format cannot represent in a file.
  ///   - written: receives each written drive and its file.
  /// - Returns: an error for each damaged drive.
  package mutating func writeEach(
    _ drives: [LibraryDrive], to format: OutputFormat, in folder: String,
    losses: (LossReport, String) -> Void, written: (LibraryDrive, String) -> Void
  ) throws(TrackError) -> [TrackError] {
    try ByteSink.makeFolder(folder)
    var names = OutputNames()
    var damaged: [TrackError] = []
    var hidden: TrackError?
    var count = 0
    for drive in drives {
      let output = names.unused(
        FileName.folderPrefix(folder) + Self.stem(drive, minute: minute), ending: format.fileEnding)
      do throws(TrackError) {
        _ = try write([drive], to: format, output) { losses($0, output) }
        written(drive, output)
        count += 1
      } catch {
        switch error.code {
        case .invalidValue: damaged.append(error)
        case .noTracks where privacy != nil: hidden = error
        default: throw error
        }
      }
    }
    if count == 0, damaged.isEmpty, let hidden { throw hidden.inFile(folder) }
    return damaged
  }

  /// Writes drives to one file of tracks. Damaged drives are left out.
  ///
  /// - Parameter names: a name for each track.
  /// - Returns: the values that the format cannot represent, and an error for each damaged drive.
  /// - Throws: if the file cannot be written, or if all drives are damaged; `noTracks` if no point is outside
  ///   the privacy zones.
  mutating func writeTracks(
    _ drives: [LibraryDrive], names: [String], to format: OutputFormat, _ output: String
  ) throws(TrackError) -> (losses: LossReport, damaged: [TrackError]) {
    var damaged: [TrackError] = []
    var writer = try format.writer(try ByteSink(path: output), options)
    var batch = PointBatch()
    try writer.write(.header(FileInfo()), batch)
    var hasPoints = false
    for (drive, name) in zip(drives, names) {
      let track = try intact(&damaged) { () throws(TrackError) in
        try LibraryTrack(drive, in: library, name: name)
      }
      guard let track else { continue }
      guard let zones = privacy else {
        try track.write(to: &writer, needsTimes: format.needsTimes, &batch)
        hasPoints = true
        continue
      }
      // The parts of a drive need separate times.
      var reader = track.reader([SpreadTimesStage(.drives, keepsIdentity: false), zones])
      while let event = try reader.next(into: &batch) {
        if case .header = event { continue }
        if case .points = event { hasPoints = true }
        try writer.write(event, batch)
      }
      privacy = reader.stages.last as? PrivacyStage
    }
    if let error = damaged.first, damaged.count == drives.count { throw error }
    guard hasPoints || privacy == nil else {
      throw TrackError(.noTracks, "no points left outside the privacy zones")
    }
    try writer.finish()
    return (writer.losses, damaged)
  }

  /// Reads a drive. If it is damaged, adds the error and returns nil.
  private func intact<Value>(
    _ damaged: inout [TrackError], _ read: () throws(TrackError) -> Value?
  ) throws(TrackError) -> Value? {
    do throws(TrackError) { return try read() } catch {
      guard error.code == .invalidValue else { throw error }
      damaged.append(error)
      return nil
    }
  }

  /// Writes the document of a drive.
  ///
  /// - Throws: if the file cannot be written, or `notFound` if the drive was removed.
  package func writeDocument(of drive: LibraryDrive, to output: String) throws(TrackError) {
    guard let drive = try library.drive(drive.id) else {
      throw TrackError(.notFound, "the drive was removed from the library", file: output)
    }
    try DriveExport.writeDocument(drive, to: output)
  }

  /// Writes the document of a drive.
  package static func writeDocument(_ drive: Drive, to output: String) throws(TrackError) {
    var sink = try ByteSink(path: output)
    try DriveDocument.encode(drive) { piece throws(TrackError) in try sink.write(piece) }
    try sink.finish()
  }

  /// Writes a script that creates the drives in PostGIS. Damaged drives are left out.
  ///
  /// - Returns: an error for each damaged drive.
  /// - Throws: if the file cannot be written, or if all drives are damaged.
  package func writeScript(
    _ drives: [LibraryDrive], to output: String
  ) throws(TrackError) -> [TrackError] {
    var damaged: [TrackError] = []
    var sink = try ByteSink(path: output)
    try sink.write(PostGISScript.opening)
    for drive in drives {
      let row = try intact(&damaged) { () throws(TrackError) -> [UInt8]? in
        guard let coordinates = try library.drive(drive.id)?.coordinates else { return nil }
        return PostGISScript.row(drive, coordinates: coordinates, recording: try library.recording(drive.id))
      }
      if let row { try sink.write(row.span) }
    }
    if let error = damaged.first, damaged.count == drives.count { throw error }
    try sink.write(PostGISScript.closing)
    try sink.finish()
    return damaged
  }

  /// Returns the stem of a drive's file name, without characters that file systems do not allow:
  /// `2025-01-31-0730-Commute`, or the id if there is neither a start nor a name.
  ///
  /// - Parameter minute: formats the start as `2025-01-31 07:30`.
  static func stem(_ drive: LibraryDrive, minute: (Instant) -> String) -> String {
    // The date and an extension follow.
    let name = FileName.safe(drive.name, limit: 180)
    let date = drive.startTime.map { start in
      let text = minute(start)
      return "\(text.prefix(10))-\(text.dropFirst(11).prefix(2))\(text.dropFirst(14).prefix(2))"
    }
    let parts = [date, name.isEmpty ? nil : name].compactMap(\.self)
    return parts.isEmpty ? drive.id.uuidString : parts.joined(separator: "-")
  }
}
