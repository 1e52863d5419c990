import DriveMatching
import GhostModel
import TrackModel

/// A flight that follows whoever is ahead, while the drives race below.
struct KMLTour: Sendable {
  /// In the order of the flight.
  var views: [KMLView]
  /// Seconds that the flight takes from one view to the next.
  static let step = 1.0

  /// Nil where nothing is shown.
  init?(_ document: ComparisonDocument, _ layers: ComparisonLayers) {
    guard let span = layers.span else { return nil }
    let clock = SharedClock(document)
    let leader = Leader(document, clock)
    let length = span.upperBound - span.lowerBound
    // Ten times as fast as it was, in one to four minutes.
    let count = Int(min(max(length / 10, 60), 240))
    views = (0...count).map { index in
      let time = span.lowerBound + length * Double(index) / Double(count)
      let places = layers.drives.indices.map { drive in
        KMLTour.place(document, drive, time, clock)
      }
      let leading = places[leader.drive(at: time)]
      // All ghosts stay in sight: Earth sees about as far to the side as the eye is away.
      let farthest = places.reduce(0) { max($0, Geodesy.distance(from: leading, to: $1)) }
      var view = KMLView(center: leading, range: min(max(farthest * 2.2, 600), 20_000))
      view.tilt = 45
      view.span = span.lowerBound...max(time, span.lowerBound)
      return view
    }
  }

  /// Where a drive is at a time on the shared clock; before its start and after its end it waits there.
  private static func place(
    _ document: ComparisonDocument, _ drive: Int, _ time: Double, _ clock: SharedClock
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
      // The first view is flown to from wherever the viewer is.
      bytes.append(decimal: index == 0 ? 3 : KMLTour.step)
      bytes.append("</gx:duration><gx:flyToMode>\(index == 0 ? "bounce" : "smooth")</gx:flyToMode>")
      view.append(to: &bytes)
      bytes.append("</gx:FlyTo>\n")
    }
    bytes.append("</gx:Playlist></gx:Tour>\n")
  }
}
