import Foundation
import TestSupport
import TrackArchives
import TrackFormats

/// An export of Strava with three activities of the same name: the fixture of Tuesday, the same drive on
/// Wednesday, and the fixture of Thursday.
enum StravaExport {
  /// Writes the export as `export_12345.zip` to a folder.
  static func write(to folder: TemporaryFolder) throws {
    func fixture(_ name: String) throws -> String {
      let url = TemporaryFolder.packageRoot.appendingPathComponent("Fixtures/gpx/\(name).gpx")
      return try String(contentsOf: url, encoding: .utf8)
    }
    let tuesday = try fixture("tuesday")
    let wednesday = tuesday.replacingOccurrences(of: "2024-05-14", with: "2024-05-15")
    let table = """
      ID,Date,Name,Type,Description,Seconds,km,Gear,File
      1,"May 14, 2024, 6:30:00 AM",Morning Ride,Ride,,396,3.7,,activities/1.gpx
      2,"May 15, 2024, 6:30:00 AM",Morning Ride,Ride,,396,3.7,,activities/2.gpx
      3,"May 16, 2024, 6:30:00 AM",Morning Ride,Ride,,318,4.4,,activities/3.gpx
      """
    try zip(
      [
        ("activities.csv", table), ("activities/1.gpx", tuesday), ("activities/2.gpx", wednesday),
        ("activities/3.gpx", fixture("thursday")),
      ], at: folder.url.appendingPathComponent("export_12345.zip"))
  }

  /// Writes a ZIP archive.
  static func zip(_ entries: [(String, String)], at url: URL) throws {
    let writer = try ArchiveWriter(ByteSink(path: url.path))
    for (name, content) in entries {
      try writer.beginEntry(name)
      try writer.write(Array(content.utf8).span)
    }
    try writer.finish()
  }
}
