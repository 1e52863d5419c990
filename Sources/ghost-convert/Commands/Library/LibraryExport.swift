import BulkImport
import DriveLibrary
import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs the library export command.
struct LibraryExport {
  enum Target: Sendable {
    case file(String, LibraryExportFormat)
    case folder(String, OutputFormat)

    var format: LibraryExportFormat {
      switch self {
      case .file(_, let format): format
      case .folder(_, let format): .files(format)
      }
    }
  }

  private let library: DriveLibrary
  private let options: GhostConvert.LibraryExportOptions
  private let target: Target

  init(_ library: DriveLibrary, _ options: GhostConvert.LibraryExportOptions, _ target: Target) {
    self.library = library
    self.options = options
    self.target = target
  }

  /// Runs the command and returns its exit status.
  func run() throws(TrackError) -> Int32 {
    let drives =
      options.identifiers.isEmpty
      ? try library.drives(options.selection.filter)
      : try library.drives(withPrefixes: options.identifiers)
    guard !drives.isEmpty else {
      throw TrackError(
        .noTracks, try library.count == 0 ? "the library is empty" : "no drive of the library matches",
        suggestion: .text("list the drives with ghost-convert library list"))
    }
    switch target {
    case .folder(let folder, let format): try write(drives, to: format, in: folder)
    case .file(let output, let format):
      try InputProtection().check([output])
      switch format {
      case .postGIS: try writeScript(drives, to: output)
      case .files(.drive): try writeDocument(drives, to: output)
      case .files(let format): try write(drives, to: format, output)
      }
      if output != "-", !options.display.quiet {
        Console.print("\(Counted.of(drives.count, "drive")) → \(output)")
      }
    }
    return ExitStatus.success
  }

  // MARK: Files

  private func write(
    _ drives: [LibraryDrive], to format: OutputFormat, _ output: String
  ) throws(TrackError) {
    let name = output == "-" ? "standard output" : output
    do throws(TrackError) {
      var writer = try format.writer(try ByteSink(path: output), options.writing)
      var batch = PointBatch()
      try writer.write(.header(FileInfo()), batch)
      let names = try distinctNames(drives, areAllDated: format.hasPlacemarks)
      for (drive, name) in zip(drives, names) {
        try LibraryTrack(drive, in: library, name: name)?.write(
          to: &writer, needsTimes: format.needsTimes, &batch)
      }
      try writer.finish()
      guard !writer.losses.isEmpty else { return }
      Console.note(
        "\(name): warning: not representable in \(format.name.uppercased()): \(writer.losses.text)")
    } catch {
      throw error.inFile(name)
    }
  }

  /// Returns the names of drives. Names that occur several times are extended by the start date.
  ///
  /// - Parameter areAllDated: whether all names include the date, for viewers that show only names.
  private func distinctNames(_ drives: [LibraryDrive], areAllDated: Bool) throws(TrackError) -> [String] {
    let days = RouteLabels.labels(
      drives.map { ($0.id, $0.startTime) }, identifierLength: try library.distinctIdentifierLength())
    var counts: [String: Int] = [:]
    for drive in drives { counts[drive.name, default: 0] += 1 }
    return zip(drives, days).map { drive, day in
      let isDated = areAllDated ? drive.startTime != nil || drive.name.isEmpty : counts[drive.name] != 1
      return isDated ? [drive.name, day].filter { !$0.isEmpty }.joined(separator: ", ") : drive.name
    }
  }

  private func writeDocument(_ drives: [LibraryDrive], to output: String) throws(TrackError) {
    guard drives.count == 1, let first = drives.first, let drive = try library.drive(first.id) else {
      throw TrackError(
        .usage, "\(drives.count) drives, but a drive document contains one", file: output,
        suggestion: .text("use --output-directory, which writes a document per drive"))
    }
    var sink = try ByteSink(path: output)
    try DriveDocument.encode(drive) { piece throws(TrackError) in try sink.write(piece) }
    try sink.finish()
  }

  private func writeScript(_ drives: [LibraryDrive], to output: String) throws(TrackError) {
    var sink = try ByteSink(path: output)
    try sink.write(PostGISScript.opening)
    for drive in drives {
      guard let coordinates = try library.drive(drive.id)?.coordinates else { continue }
      let row = PostGISScript.row(drive, coordinates: coordinates, recording: try library.recording(drive.id))
      try sink.write(row.span)
    }
    try sink.write(PostGISScript.closing)
    try sink.finish()
  }

  // MARK: A file for each

  private func write(
    _ drives: [LibraryDrive], to format: OutputFormat, in folder: String
  ) throws(TrackError) {
    try ByteSink.makeFolder(folder)
    let prefix = FileName.folderPrefix(folder)
    var names = OutputNames()
    for drive in drives {
      let output = names.unused(prefix + LibraryExport.stem(drive), ending: format.fileEnding)
      if case .drive = format {
        try writeDocument([drive], to: output)
      } else {
        try write([drive], to: format, output)
      }
      if !options.display.quiet { Console.print(Diagnostic.singleLine("\(drive.name) → \(output)")) }
    }
  }

  /// Returns the stem of a drive's file name: `2025-01-31-0730-Commute` in local time, without characters
  /// that file systems do not allow.
  static func stem(_ drive: LibraryDrive) -> String {
    // The date and an extension follow.
    let name = FileName.safe(drive.name, limit: 180)
    let date = drive.startTime.map { start in
      let text = LocalTime.minute(start)
      return "\(text.prefix(10))-\(text.dropFirst(11).prefix(2))\(text.dropFirst(14).prefix(2))"
    }
    let parts = [date, name.isEmpty ? nil : name].compactMap(\.self)
    return parts.isEmpty ? drive.id.uuidString : parts.joined(separator: "-")
  }
}
