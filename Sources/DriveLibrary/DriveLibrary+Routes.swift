public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DriveLibrary {
  /// Drives as ``RouteFinder`` takes them in; those without a line are left out.
  ///
  /// The lines are read one after the other, and only what finding routes needs is kept of them: some 5 KB for a drive of
  /// a thousand points.
  public func routeDrives(_ filter: LibraryFilter = LibraryFilter()) throws(TrackError) -> [RouteDrive] {
    let summaries = try drives(filter)
    let lines = try statement("SELECT geom FROM drives WHERE id = ?")
    var result: [RouteDrive] = []
    result.reserveCapacity(summaries.count)
    for summary in summaries {
      try lines.bind([.text(summary.id.uuidString)])
      var geometry: SQLiteValue?
      while try lines.step() { geometry = lines.row.first }
      guard case .blob(let bytes)? = geometry, let coordinates = GeoPackageGeometry.coordinates(bytes),
        let sketch = RouteSketch(coordinates, duration: summary.duration)
      else { continue }
      result.append(
        RouteDrive(
          id: summary.id, name: summary.name, startTime: summary.startTime, duration: summary.duration,
          distance: summary.distance * Drive.metresPerMile, sketch: sketch))
    }
    return result
  }
}
