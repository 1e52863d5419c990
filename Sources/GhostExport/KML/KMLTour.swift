import DriveMatching
import GhostModel
import TrackModel

/// A flight that follows the leading drive during the race.
struct KMLTour: Sendable {
  /// The views in the order of the flight.
  var views: [KMLView]
  /// The seconds of flight from one view to the next.
  static let step = 1.0

  /// Returns `nil` if nothing is shown.
  init?(_ document: ComparisonDocument, _ layers: ComparisonLayers) {
    guard let span = layers.span else { return nil }
    let clock = ExportClock(document)
    let leader = Leader(document, clock)
    let length = span.upperBound - span.lowerBound
    // Ten times the real speed, but between one and four minutes.
    let count = Int(min(max(length / 10, 60), 240))
    views = (0...count).map { index in
      let time = span.lowerBound + length * Double(index) / Double(count)
      let places = layers.drives.indices.map { drive in
        KMLTour.place(document, drive, time, clock)
      }
      let leading = places[leader.drive(at: time)]
      // Keeps all ghosts in view: the view is about as wide as its distance.
      let farthest = places.reduce(0) { max($0, Geodesy.distance(from: leading, to: $1)) }
      var view = KMLView(center: leading, range: min(max(farthest * 2.2, 600), 20_000))
      view.tilt = 45
      view.span = span.lowerBound...max(time, span.lowerBound)
      return view
    }
  }

  /// Returns the position of a drive at a time on the shared clock, clamped to its start and end.
  private static func place(
    _ document: ComparisonDocument, _ drive: Int, _ time: Double, _ clock: ExportClock
  ) -> Coordinate {
    let trace = document.traces[drive]
    let rows = document.comparedRows(of: drive)
    let elapsed = time - clock.time(0, of: drive)
    guard let first = rows.first, let last = rows.last else { return trace.coordinate(at: 0) }
    return trace.coordinate(atElapsed: min(max(elapsed, trace.elapsed[first]), trace.elapsed[last]))
  }

  /// Appends the element.
  func append(to bytes: inout ByteBuffer) {
    bytes.append("<gx:Tour><name>Follow the leader</name><gx:Playlist>\n")
    for (index, view) in views.enumerated() {
      bytes.append("<gx:FlyTo><gx:duration>")
      // The first flight starts at the viewer's current position.
      bytes.append(decimal: index == 0 ? 3 : KMLTour.step)
      bytes.append("</gx:duration><gx:flyToMode>\(index == 0 ? "bounce" : "smooth")</gx:flyToMode>")
      view.append(to: &bytes)
      bytes.append("</gx:FlyTo>\n")
    }
    bytes.append("</gx:Playlist></gx:Tour>\n")
  }
}
