import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

extension DriveDetails {
  /// The details as text.
  var text: String {
    var lines = [Diagnostic.singleLine(drive.name.isEmpty ? "(no name)" : drive.name)]
    func line(_ title: String, _ text: String?) {
      guard let text else { return }
      lines.append("  " + title.padded(to: 10) + Diagnostic.singleLine(text))
    }
    line("id", drive.id.text)
    line("start", drive.startTime.map(LocalTime.text))
    line("end", drive.endTime.map(LocalTime.text))
    line("duration", Text.clock(drive.duration))
    line("distance", Text.distance(drive.distanceInMeters))
    line("points", "\(drive.points)" + (step.map { " every \(Formatted.fixed($0, 3)) s" } ?? ""))
    line("recorded", recorded)
    line("from", drive.start.map { Text.place($0) })
    line("to", drive.end.map { Text.place($0) })
    line("kind", drive.kind)
    line("gear", drive.gear)
    line("notes", drive.description)
    line("source", drive.source)
    for relative in relatives {
      line(
        relative.relation == .companion ? "beside" : "same ride",
        "\(relative.drive.id.text.prefix(8)) \(relative.drive.source ?? relative.drive.name)"
          + (relative.relation == .duplicate ? ", the same recording" : ""))
    }
    return lines.joined(separator: "\n")
  }

  private var recorded: String {
    guard let recording else { return "only the points" }
    let segments = recording.segments.count > 1 ? " in \(recording.segments.count) segments" : ""
    let timed =
      timedPoints == recording.count
      ? ", each with its time" : timedPoints == 0 ? ", without times" : ", \(timedPoints) with a time"
    return Counted.of(recording.count, "point") + segments + timed
  }
}
