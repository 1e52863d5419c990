import DriveLibrary
import GhostExport
import GhostModel
import TrackModel

/// Formats a drive of a library as one line, with fixed column widths.
enum DriveLine {
  static func heading(identifierLength: Int) -> String {
    line("id", "start", "duration", "distance", "name", identifierLength)
  }

  static func text(_ drive: LibraryDrive, identifierLength: Int) -> String {
    line(
      String(drive.id.text.prefix(identifierLength)), drive.startTime.map(LocalTime.minute) ?? "-",
      Text.clock(drive.duration), Text.distance(drive.distanceInMeters),
      Text.name(drive.name), identifierLength)
  }

  private static func line(
    _ id: String, _ start: String, _ duration: String, _ distance: String, _ name: String, _ length: Int
  ) -> String {
    let columns = [
      id.padded(to: length), start.padded(to: 22), duration.rightAligned(in: 9),
      distance.rightAligned(in: 10),
    ]
    return columns.joined(separator: "  ") + (name.isEmpty ? "" : "  " + name)
  }
}
