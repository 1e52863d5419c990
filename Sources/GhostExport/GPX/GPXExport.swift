import DriveMatching
import GhostModel
import TrackFormats
import TrackModel

extension ComparisonOutput {
  /// GPX 1.1 with a track per drive, whose times are on the shared clock, and a waypoint per anchor.
  public static let gpx = ComparisonOutput(
    name: "gpx", title: "GPX: the drives on one clock, anchors as waypoints"
  ) {
    document, _, sink throws(TrackError) in
    var export = GPXExport(GPXWriter(sink), document)
    try export.write()
    return export.bytes
  }
}

/// Writes a comparison as GPX: a track per drive with its colour, and a waypoint per anchor.
///
/// All recorded points are written, with their times moved to the ``ExportClock``. Trimmed ends are separate
/// segments.
private struct GPXExport: ~Copyable {
  private var writer: GPXWriter
  private let document: ComparisonDocument
  private let clock: ExportClock
  private var batch = PointBatch()

  init(_ writer: consuming GPXWriter, _ document: ComparisonDocument) {
    self.writer = writer
    self.document = document
    clock = ExportClock(document)
  }

  var bytes: [UInt8] { writer.bytes }

  mutating func write() throws(TrackError) {
    let drives = document.comparison.drives
    var info = FileInfo()
    info.creator = "ghost-convert"
    info.name = Quantity.list(drives.map(\.label))
    info.description = ComparisonNotes.sentences(document, bound: nil).joined(separator: " ")
    try put(.header(info))
    for pair in document.comparison.pairs {
      for feature in AnchorLayer.features(document, pair, clock) { try put(feature) }
    }
    for index in drives.indices { try putTrack(index) }
    try writer.finish()
  }

  private mutating func put(_ event: TrackEvent) throws(TrackError) {
    batch.removeAll()
    try writer.write(event, batch)
  }

  private mutating func put(_ feature: LayerFeature) throws(TrackError) {
    guard case .point(let place) = feature.shape else { return }
    var waypoint = Waypoint(coordinate: place, time: feature.time.map(ExportClock.instant))
    waypoint.details.name = feature.name
    waypoint.details.description = feature.table.text
    // Symbol names that Garmin devices know.
    waypoint.details.symbol = feature.kind == "start" || feature.kind == "end" ? "Flag, Blue" : "Pin, Blue"
    waypoint.details.type = feature.kind
    try put(.waypoint(waypoint))
  }

  private mutating func putTrack(_ drive: Int) throws(TrackError) {
    let trace = document.traces[drive]
    let compared = document.comparedRows(of: drive)
    var info = TrackInfo(name: document.comparison.drives[drive].label)
    info.description = DriveLayer.table(document.comparison.drives[drive]).text
    info.source = document.comparison.drives[drive].file
    info.number = drive + 1
    info.style = LineStyle(color: TrackColor(document.colors[drive], opacity: 1), width: 4)
    try put(.beginTrack(info))
    for range in [0..<compared.lowerBound, compared, compared.upperBound..<trace.count] {
      for run in trace.runs(in: range) { try putSegment(drive, run) }
    }
    try put(.endTrack)
  }

  private mutating func putSegment(_ drive: Int, _ rows: Range<Int>) throws(TrackError) {
    let trace = document.traces[drive]
    try put(.beginSegment)
    batch.removeAll()
    for row in rows {
      let time = ExportClock.instant(clock.time(trace.elapsed[row], of: drive))
      batch.append(latitude: trace.latitudes[row], longitude: trace.longitudes[row], time: time.microseconds)
      if batch.isFull {
        try writer.write(.points, batch)
        batch.removeAll()
      }
    }
    if batch.count > 0 { try writer.write(.points, batch) }
    try put(.endSegment)
  }
}
