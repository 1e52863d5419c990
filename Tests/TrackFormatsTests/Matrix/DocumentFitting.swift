import TrackModel

/// Reduces documents to the content that formats can store.
extension TrackDocument {
  /// Returns the document without the content that a format cannot store.
  ///
  /// - Parameter exception: A field that is always kept, with its container (`track.name`).
  func stripped(for row: FormatTable.Row, except exception: String = "") -> TrackDocument {
    let container = String(exception.prefix { $0 != "." })
    var result = cleared { row.loses($0, $1) && "\($0).\($1)" != exception }
    if row.lost.contains("waypoint"), container != "waypoint" { result.waypoints = [] }
    if row.lost.contains("route"), !["route", "routepoint"].contains(container) { result.routes = [] }
    if row.lost.contains("trackpoint"), !["track", "trackpoint", "segment"].contains(container) {
      result.tracks = []
    }
    return result
  }

  /// Returns a document with a single field, the fields it requires, and times for all points.
  func only(_ name: String) -> TrackDocument {
    let dot = name.firstIndex(of: ".") ?? name.endIndex
    let container = String(name[..<dot])
    let field = String(name[dot...].dropFirst())
    let needed =
      [
        "opacity": "colour", "link text": "link", "link type": "link", "further links": "link",
        "author's address": "author", "author's link": "author", "elapsed times of laps": "laps",
      ][field]
    var result = cleared { $0 != container || ($1 != field && $1 != needed) }
    if container != "waypoint" { result.waypoints = [] }
    if !["route", "routepoint"].contains(container) { result.routes = [] }
    if !["track", "trackpoint", "segment"].contains(container) { result.tracks = [] }
    var clock: Int64 = 1_700_000_000_000_000
    func timed(_ point: Waypoint) -> Waypoint {
      clock += 1_000_000
      var point = point
      point.time = Instant(microseconds: clock)
      return point
    }
    result.waypoints = result.waypoints.map(timed)
    result.changePoints { $0.map(timed) }
    return result
  }

  /// Returns the document without the fields for which `isCleared` returns true, given container and field.
  private func cleared(_ isCleared: (String, String) -> Bool) -> TrackDocument {
    var result = self
    func clear<Root>(_ container: String, _ fields: [DocumentField<Root>], _ root: inout Root) {
      for field in fields where isCleared(container, field.name) { field.clear(&root) }
    }
    func pointFields(_ container: String) -> [DocumentField<Waypoint>] {
      DocumentField<Waypoint>.all.filter { isCleared(container, $0.name) }
    }
    func clear(_ fields: [DocumentField<Waypoint>], _ points: PointColumns) -> PointColumns {
      if fields.isEmpty { return points }
      return PointColumns(
        points.waypoints.map { point in
          var point = point
          for field in fields { field.clear(&point) }
          return point
        })
    }
    clear("file", DocumentField<FileInfo>.all, &result.info)
    let waypointFields = pointFields("waypoint")
    for index in result.waypoints.indices {
      for field in waypointFields { field.clear(&result.waypoints[index]) }
    }
    let routepointFields = pointFields("routepoint")
    for index in result.routes.indices {
      clear("route", DocumentField<TrackInfo>.all, &result.routes[index].info)
      result.routes[index].points = clear(routepointFields, result.routes[index].points)
    }
    let trackpointFields = pointFields("trackpoint")
    for index in result.tracks.indices {
      clear("track", DocumentField<TrackInfo>.all, &result.tracks[index].info)
      for segment in result.tracks[index].segments.indices {
        if isCleared("segment", "extensions") {
          result.tracks[index].segments[segment].extensions = []
        }
        result.tracks[index].segments[segment].points = clear(
          trackpointFields, result.tracks[index].segments[segment].points)
      }
    }
    return result.withoutEmptyValues
  }

  /// The document without empty styles, time spans and authors.
  private var withoutEmptyValues: TrackDocument {
    var result = self
    if result.info.author == Person() { result.info.author = nil }
    result.changeInfos { info in
      if info.style == LineStyle() { info.style = nil }
      if info.timeSpan == TimeSpan() { info.timeSpan = nil }
    }
    return result
  }

  /// Returns the document reduced to the content that all formats can store, or nil if nothing is left and
  /// one of them requires content.
  ///
  /// - Parameter exception: See ``stripped(for:except:)``.
  func fitted(to rows: [FormatTable.Row], except exception: String = "") -> TrackDocument? {
    let needs = FormatTable.Need.allCases.filter { need in rows.contains { $0.needs.contains(need) } }
    let cutting = needs.filter { !$0.isChange }
    // Content is removed before and after additions: these depend on the remaining content, and may
    // themselves not be storable in the other format.
    let changed = cutting.reduce(self) { $0.fitted(to: $1) }
    let whole = needs.filter(\.isChange).reduce(changed) { $0.fitted(to: $1) }
    let stripped = rows.reduce(whole) { $0.stripped(for: $1, except: exception) }
    let result = cutting.reduce(stripped) { $0.fitted(to: $1) }
    let isEmpty = result.tracks.isEmpty && result.routes.isEmpty && result.waypoints.isEmpty
    return isEmpty && needs.contains(.something) ? nil : result
  }

  /// Returns the document changed to meet these conditions, in their order.
  func fitted(to needs: [FormatTable.Need]) -> TrackDocument { needs.reduce(self) { $0.fitted(to: $1) } }

  private func fitted(to need: FormatTable.Need) -> TrackDocument {
    var result = self
    switch need {
    case .pointsInSegments: result.keepSegments { $0.count > 0 }
    case .segmentsInTracks: result.tracks.removeAll { $0.segments.isEmpty }
    case .pointsInRoutes: result.routes.removeAll { $0.points.isEmpty }
    case .twoPoints: result.keepSegments { $0.count > 1 }
    case .times:
      result.changePoints { points in points.filter { $0.time != nil } }
      result.waypoints.removeAll { $0.time == nil }
      result.routes.removeAll { $0.points.isEmpty }
      result.keepSegments { $0.count > 0 }
    case .trackTimes:
      for index in result.tracks.indices {
        for segment in result.tracks[index].segments.indices {
          let points = result.tracks[index].segments[segment].points.waypoints
          result.tracks[index].segments[segment].points = PointColumns(points.filter { $0.time != nil })
        }
      }
      result.keepSegments { $0.count > 0 }
    case .timesOrNone:
      result.changePoints { points in
        guard points.contains(where: { $0.time == nil }) else { return points }
        return points.map { point in
          var point = point
          point.time = nil
          return point
        }
      }
    case .withinAntimeridian:
      if result.crossesAntimeridian { result.changeLongitudes { ($0 * 5e4).rounded() / 1e5 } }
    case .belowAntimeridian: result.changeLongitudes { $0 == 180 ? -180 : $0 }
    case .fiveDecimals: result.round(1e5)
    case .sixDecimals: result.round(1e6)
    case .oneSegment:
      for index in result.tracks.indices {
        result.tracks[index].segments = Array(result.tracks[index].segments.prefix(1))
      }
    case .oneTrack: result.tracks = Array(result.tracks.prefix(1))
    case .waypointsOnTrack: result.putWaypointsOnTrack()
    case .courseTypes: for index in result.tracks.indices { result.tracks[index].info.type = "Course" }
    case .trackNames:
      for index in result.tracks.indices where result.tracks[index].info.name == nil {
        result.tracks[index].info.name = "Course"
      }
    case .activityTypes:
      for index in result.tracks.indices where result.tracks[index].info.type != nil {
        result.tracks[index].info.type = "driving"
      }
    case .waypointTypes:
      for index in result.waypoints.indices where result.waypoints[index].details.type != nil {
        result.waypoints[index].details.type = "Summit"
      }
    case .fileTime: result.info.time = Instant(microseconds: 1_700_000_000_000_000)
    case .distances: result.makeDistancesRise()
    case .fitSteps: result.roundToFIT()
    case .vboSteps: result.roundToVBO()
    case .igcSteps: result.roundToIGC()
    case .oziExplorerSteps: result.roundToOziExplorer()
    case .waypoint:
      if result.waypoints.isEmpty {
        result.waypoints = [Waypoint(coordinate: Coordinate(latitude: 1, longitude: 2))]
      }
    case .numbersRise:
      for index in result.tracks.indices { result.tracks[index].info.number = index + 1 }
      for index in result.routes.indices { result.routes[index].info.number = index + 1 }
    case .garminColours:
      result.changeInfos { info in
        if info.style?.color != nil { info.style?.color = TrackColor(red: 0, green: 0, blue: 139) }
      }
    case .wordOfLetters: if result.info.author?.email != nil { result.info.author?.email = "a.b@c.org" }
    case .begins:
      for index in result.tracks.indices {
        let first = result.tracks[index].segments.first?.points.times.first ?? Instant.absent
        if first != Instant.absent {
          result.tracks[index].info.timeSpan = TimeSpan(begin: Instant(microseconds: first))
        }
      }
    case .timeSpans:
      for index in result.tracks.indices {
        let times = result.tracks[index].segments.flatMap(\.points.times).filter { $0 != Instant.absent }
        guard let first = times.first, var last = times.max() else { continue }
        // FIT counts 2³² milliseconds.
        if last - first >= 4_294_967_000_000 { last -= last % 1_000_000 }
        result.tracks[index].info.timeSpan = TimeSpan(
          begin: Instant(microseconds: first), end: Instant(microseconds: last))
      }
    case .elapsedTimes:
      for index in result.tracks.indices {
        for lap in result.tracks[index].info.laps.indices {
          result.tracks[index].info.laps[lap].elapsedTime = 13.25
        }
      }
    case .laps:
      for index in result.tracks.indices {
        result.tracks[index].segments.sort {
          ($0.points.times.first ?? 0) < ($1.points.times.first ?? 0)
        }
        result.tracks[index].info.laps = result.tracks[index].segments.compactMap { segment in
          guard let first = segment.points.times.first, first != Instant.absent else { return nil }
          var lap = Lap(start: Instant(microseconds: first))
          lap.timerTime = 12.5
          lap.distance = 100
          lap.calories = 7
          lap.trigger = "Manual"
          return lap
        }
      }
    case .oneLine:
      func line(_ text: String?) -> String? {
        text?.split { $0.unicodeScalars.allSatisfy { $0.value <= 0x20 } }.joined(separator: " ")
      }
      result.info.creator = line(info.creator)
      result.changeInfos { $0.source = line($0.source) }
    case .something: break
    case .timedExtensions:
      for index in result.tracks.indices {
        let isTimed = result.tracks[index].segments.contains { segment in
          segment.points.times.contains { $0 != Instant.absent }
        }
        guard !isTimed else { continue }
        for segment in result.tracks[index].segments.indices {
          result.tracks[index].segments[segment].extensions = []
        }
      }
    }
    return result
  }

  private var crossesAntimeridian: Bool {
    let lines = routes.map(\.points) + tracks.flatMap { $0.segments.map(\.points) }
    return lines.contains { line in
      line.longitudes.contains { abs($0) == 180 }
        || zip(line.longitudes, line.longitudes.dropFirst()).contains { abs($0 - $1) > 180 }
    }
  }

  mutating func keepSegments(_ isKept: (PointColumns) -> Bool) {
    for index in tracks.indices { tracks[index].segments.removeAll { !isKept($0.points) } }
    tracks.removeAll { $0.segments.isEmpty }
  }

  private mutating func changeInfos(_ change: (inout TrackInfo) -> Void) {
    for index in tracks.indices { change(&tracks[index].info) }
    for index in routes.indices { change(&routes[index].info) }
  }

  /// Changes the points of tracks and routes.
  private mutating func changePoints(_ change: ([Waypoint]) -> [Waypoint]) {
    for index in routes.indices {
      routes[index].points = PointColumns(change(routes[index].points.waypoints))
    }
    for index in tracks.indices {
      for segment in tracks[index].segments.indices {
        let points = tracks[index].segments[segment].points.waypoints
        tracks[index].segments[segment].points = PointColumns(change(points))
      }
    }
  }

  mutating func changeCoordinates(_ change: (inout Coordinate) -> Void) {
    for index in waypoints.indices { change(&waypoints[index].coordinate) }
    changePoints { points in
      points.map { point in
        var point = point
        change(&point.coordinate)
        return point
      }
    }
  }

  private mutating func changeLongitudes(_ change: (Double) -> Double) {
    changeCoordinates { $0.longitude = change($0.longitude) }
  }

  private mutating func round(_ scale: Double) {
    changeCoordinates { coordinate in
      coordinate.latitude = (coordinate.latitude * scale).rounded() / scale
      coordinate.longitude = (coordinate.longitude * scale).rounded() / scale
    }
  }
}
