import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  static let libraryCommand: Command = Command(
    "library", summary: "Look into a library of drives, export and compare what is in it",
    discussion: """
      A library is a file that import --library fills: a GeoPackage, which QGIS, ogr2ogr and every SQLite client open \
      as it is. Besides the drives it keeps the times of the recorded points, so that comparisons are exact.

      Without --library a command takes the library that the environment variable GHOST_LIBRARY names, or drives.gpkg \
      in the current folder. A drive is named by the beginning of its id, as library list prints it.

      For other programs: library export gives out the recorded points with their times in every format. In the library \
      itself they are bytes, whose layout stands in the manual page: ghost-convert manual | man -l -
      """,
    details: """
      The recorded points are bytes in the column data of the table recordings, a row per drive_id: a byte 1, the layout; a byte 1 \
      where there are accuracies, else 0; the number of segments, and of points per segment, as varints (seven bits a byte, \
      the lowest first, the high bit set but for the last); per point a zigzag varint, its time in microseconds since 1970 \
      less that of the point before, of the first less 0 (no time is the smallest 64-bit number; differences wrap); then \
      per point the latitude, then per point the longitude in degrees, each 8 bytes, then, where there are any, per point \
      the accuracy in metres, 4 bytes (-1 where it is not known), IEEE 754, little-endian.
      """,
    examples: [
      Example("ghost-convert library list --since 2025-01", "the drives from January 2025 on"),
      Example("ghost-convert library list --near 52.52,13.40", "those that came by this place"),
      Example("ghost-convert library export --since 2025-01 -o january.kmz", "puts them on a map"),
      Example("ghost-convert library routes", "the ways that were driven again and again"),
    ],
    commands: [
      libraryListCommand, libraryShowCommand, libraryRoutesCommand, libraryCompareCommand,
      libraryExportCommand, libraryRemoveCommand, libraryCheckCommand,
    ])
}

/// A command whose options say which library is meant.
protocol LibraryCommandOptions: Sendable {
  var library: String? { get set }
  var quiet: Bool { get set }
}

extension Parameter where Options: LibraryCommandOptions {
  static var library: Parameter {
    .option(
      "--library", \.library, value: "FILE", default: "GHOST_LIBRARY, or drives.gpkg in this folder",
      "The library of drives.", completion: .files, parse: { try LibraryPath.argument($0) })
  }
}

extension LibraryCommandOptions {
  /// Opens the library that is meant and does something with it; says what went wrong.
  ///
  /// - Returns: the exit status.
  func withLibrary(
    _ mode: DriveLibrary.Mode = .reading, _ body: (DriveLibrary) throws(TrackError) -> Int32
  ) -> Int32 {
    Console.isQuiet = quiet
    do throws(TrackError) {
      return try body(try DriveLibrary(path: try LibraryPath.path(library), mode: mode))
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }
}
