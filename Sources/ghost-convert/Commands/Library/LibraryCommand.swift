import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  static let libraryCommand: Command = Command(
    "library", summary: "List, compare, change and export the drives of a library",
    discussion: """
      A library is a GeoPackage that import --library creates. QGIS, ogr2ogr and every SQLite client can \
      open it. It also stores the times and elevations of the recorded points, so that comparisons are exact.

      The default library is $GHOST_LIBRARY or drives.gpkg in the current folder. Drives are identified by a \
      prefix of their id, as printed by library list.

      library export writes the recorded positions with their times in every format. Their binary layout in the \
      library is described in the manual page: ghost-convert manual | man -l -
      """,
    details: """
      The recorded points are stored in the column data of the table recordings, one row per drive_id. \
      The layout is: a version byte 1; a byte that is the sum of 1 if accuracies follow and 2 if \
      elevations follow; the number of segments and the number of points of each segment as varints \
      (seven bits per byte, lowest first, with the high bit set on all bytes except the last); for each \
      point a zigzag varint with the difference of its time to the previous point in microseconds, where \
      the first point is relative to 0 (a missing time is the smallest 64-bit integer, and differences \
      wrap around); then for each point the latitude, then for each point the longitude in degrees as 8 \
      bytes each; then, if present, for each point the accuracy in metres as 4 bytes (-1 if unknown); \
      then, if present, for each point a varint that is 0 if its elevation is unknown, and otherwise 1 \
      more than the zigzag difference to the previous known elevation in millimetres, where the first is \
      relative to 0. Numbers are IEEE 754, little-endian.
      """,
    examples: [
      Example("ghost-convert library list --since 2025-01", "list the drives since January 2025"),
      Example("ghost-convert library list --near 52.52,13.40", "list the drives that passed near a place"),
      Example("ghost-convert library export --since 2025-01 -o january.kmz", "export drives to a map"),
      Example("ghost-convert library routes", "list repeated routes"),
    ],
    commands: [
      libraryListCommand, libraryShowCommand, libraryRoutesCommand, libraryCompareCommand,
      libraryExportCommand, librarySetCommand, libraryFuseCommand, libraryRemoveCommand, libraryCheckCommand,
    ])
}

/// A command with an option for the library.
protocol LibraryCommandOptions: DisplayedOptions {
  var library: String? { get set }
  /// Whether the command prints JSON.
  var json: Bool { get }
}

/// A command that changes drives of a library and prints them.
protocol LibraryChangeOptions: LibraryCommandOptions {}

extension LibraryChangeOptions {
  /// Prints a drive after the word for its change.
  func report(_ word: String, _ drive: LibraryDrive, identifierLength: Int) {
    if json {
      Console.print(drive.json)
    } else if !display.quiet {
      Console.print(word + "  " + DriveLine.text(drive, identifierLength: identifierLength))
    }
  }
}

extension Parameter where Options: LibraryCommandOptions {
  static var library: Parameter {
    .option(
      "--library", \.library, value: "FILE", default: "$GHOST_LIBRARY or drives.gpkg",
      "Use this library.", completion: .files, parse: LibraryPath.argument)
  }
}

extension LibraryCommandOptions {
  var json: Bool { false }

  /// Opens the library, calls a closure with it and reports errors.
  ///
  /// - Returns: the exit status.
  func withLibrary(
    _ mode: DriveLibrary.Mode = .reading, _ body: (DriveLibrary) throws(TrackError) -> Int32
  ) -> Int32 {
    ExitStatus.reporting(isJSON: json) { () throws(TrackError) in
      try body(try DriveLibrary(path: try LibraryPath.path(library), mode: mode))
    }
  }
}
