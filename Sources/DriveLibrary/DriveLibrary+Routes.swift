public import DriveMatching
public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DriveLibrary {
  /// Returns the drives that have a line, as input for `RouteFinder`.
  ///
  /// Lines are read one at a time and reduced to the data needed for finding routes: about 5 KB for a drive
  /// of a thousand points.
  public func routeDrives(_ filter: LibraryFilter = LibraryFilter()) throws(TrackError) -> [RouteDrive] {
    try routeDrives(of: try drives(filter))
  }

  private func routeDrives(of summaries: [LibraryDrive]) throws(TrackError) -> [RouteDrive] {
    let lines = try statement("SELECT geom FROM drives WHERE id = ?")
    var result: [RouteDrive] = []
    result.reserveCapacity(summaries.count)
    for summary in summaries {
      try lines.bind([.text(summary.id.uuidString)])
      var geometry: SQLiteValue?
      while try lines.step() { geometry = lines.row.first }
      guard case .blob(let bytes)? = geometry, let coordinates = GeoPackageGeometry.coordinates(bytes),
        let path = SimplifiedRoute(coordinates, duration: summary.duration)
      else { continue }
      result.append(
        RouteDrive(
          id: summary.id, name: summary.name, startTime: summary.startTime, duration: summary.duration,
          distance: summary.distanceInMeters, path: path))
    }
    try determineRides(of: &result)
    return result
  }

  /// Determines from the recordings which of the drives at the same time record one ride.
  private func determineRides(of drives: inout [RouteDrive]) throws(TrackError) {
    struct Open {
      let index: Int
      let end: Instant
      var fingerprint: RideFingerprint?
    }
    var open: [Open] = []
    for index in drives.indices.sorted(by: { RouteDrive.comesFirst(drives[$0], drives[$1]) }) {
      guard let start = drives[index].startTime, let end = start.advanced(bySeconds: drives[index].duration)
      else { continue }
      drives[index].ride = drives[index].id
      open.removeAll { $0.end < start }
      guard !open.isEmpty else {
        open.append(Open(index: index, end: end))
        continue
      }
      let own = try fingerprint(of: drives[index].id)
      for other in open.indices {
        if open[other].fingerprint == nil {
          open[other].fingerprint = try fingerprint(of: drives[open[other].index].id)
        }
        guard let own, let known = open[other].fingerprint, let match = RideMatch(known, own),
          match.relation != .companion
        else { continue }
        drives[index].ride = drives[open[other].index].ride
        break
      }
      open.append(Open(index: index, end: end, fingerprint: own))
    }
  }

  /// Returns the route of a drive, as `RouteFinder` finds it among all drives, even if it is the only drive
  /// on it. Only the lines of drives with similar ends are read.
  ///
  /// - Parameters:
  ///   - drive: the identifier of the drive.
  ///   - filter: selects drives of the route. It does not affect which route is found.
  /// - Returns: `nil` if the drive does not exist or does not move, or if the filter matches no drive of the
  ///   route.
  public func route(
    of drive: UUID, only filter: LibraryFilter = LibraryFilter()
  ) throws(TrackError) -> DrivenRoute? {
    let placed = try drives().filter { $0.start != nil && $0.end != nil }
    guard let index = placed.firstIndex(where: { $0.id == drive }) else { return nil }
    var settings = RouteSettings()
    settings.leastDrives = 1
    let nowhere = Coordinate(latitude: .nan, longitude: .nan)
    let connected = RouteFinder.indices(
      connectedTo: index, among: placed.map { ($0.start ?? nowhere, $0.end ?? nowhere) }, settings: settings)
    let candidates = try routeDrives(of: connected.map { placed[$0] })
    let routes = RouteFinder.routes(among: candidates, settings: settings)
    guard let route = routes.first(where: { $0.contains(drive) }), filter != LibraryFilter() else {
      return routes.first { $0.contains(drive) }
    }
    let members = Set(route.drives + route.otherRecordings).intersection(try drives(filter).map(\.id))
    return DrivenRoute(candidates.filter { members.contains($0.id) }, settings: settings)
  }

  /// Returns the selected drives of a drive's route, to compare them.
  ///
  /// - Parameters:
  ///   - prefix: the beginning of the drive's id.
  ///   - filter: selects drives of the route.
  /// - Throws: `noTracks` if there are fewer than two drives, or the errors of ``drive(withPrefix:)``.
  public func comparableRoute(
    of prefix: String, only filter: LibraryFilter = LibraryFilter()
  ) throws(TrackError) -> DrivenRoute {
    let drive = try drive(withPrefix: prefix)
    guard let whole = try route(of: drive.id) else {
      throw TrackError(
        .noTracks, "drive \(prefix) has no route: it is shorter than 300 m, or stayed within 100 m")
    }
    guard whole.count > 1 else {
      throw TrackError(
        .noTracks, "drive \(prefix) is the only drive of its route, so there is nothing to compare it with",
        suggestion: .listRoutes)
    }
    guard filter != LibraryFilter() else { return whole }
    guard let route = try route(of: drive.id, only: filter), route.count > 1 else {
      throw TrackError(
        .noTracks, "fewer than two of the \(whole.count) drives of the route are selected",
        suggestion: .text("select more drives"))
    }
    return route
  }

  /// Returns a drive as input for a comparison, with the recorded times of its points if the library has
  /// them.
  ///
  /// - Throws: if the stored drive is damaged or unusable.
  public func trace(of drive: LibraryDrive, label: String) throws(TrackError) -> TimedDrive? {
    if let recording = try recording(drive.id) {
      // If it has no times or is unusable, the drive itself can still be compared.
      if let trace = try? recording.trace(label: label, source: drive.source) { return trace }
    }
    return try self.drive(drive.id).map { drive throws(TrackError) in try TimedDrive(drive, label: label) }
  }
}

extension Recording {
  /// Returns the recording as input for a comparison, or nil if it has no times.
  func trace(label: String, source: String?) throws(TrackError) -> TimedDrive? {
    guard !hasNoTimes else { return nil }
    return try TimedDrive(self, label: label, source: source)
  }
}
