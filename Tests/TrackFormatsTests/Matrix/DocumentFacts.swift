import TrackModel

/// The fields of a document as comparable lines: `track.name` → one line for each track with a name.
struct DocumentFacts: Equatable {
  /// Lines by container and field, in the document's order. Each line begins with the index of its owner.
  private(set) var lines: [String: [String]] = [:]

  init(_ document: TrackDocument) {
    add("file", DocumentField<FileInfo>.all, document.info, "")
    for (index, waypoint) in document.waypoints.enumerated() { add("waypoint", waypoint, "\(index)") }
    for (index, route) in document.routes.enumerated() {
      lines["route", default: []].append("\(index): \(route.points.count) points")
      add("route", DocumentField<TrackInfo>.all, route.info, "\(index)")
      for (row, point) in route.points.waypoints.enumerated() { add("routepoint", point, "\(index).\(row)") }
    }
    for (index, track) in document.tracks.enumerated() {
      lines["track", default: []].append("\(index)")
      add("track", DocumentField<TrackInfo>.all, track.info, "\(index)")
      for (number, segment) in track.segments.enumerated() {
        lines["segment", default: []].append("\(index).\(number): \(segment.points.count) points")
        add(
          "segment", [DocumentField<TrackDocument.Segment>.extensions(\.extensions)], segment,
          "\(index).\(number)")
        for (row, point) in segment.points.waypoints.enumerated() {
          add("trackpoint", point, "\(index).\(number).\(row)")
        }
      }
    }
  }

  private mutating func add(_ container: String, _ point: Waypoint, _ owner: String) {
    lines["\(container).position", default: []].append(
      "\(owner): \(point.coordinate.latitude) \(point.coordinate.longitude)")
    add(container, DocumentField<Waypoint>.all, point, owner)
  }

  private mutating func add<Root>(
    _ container: String, _ fields: [DocumentField<Root>], _ root: Root, _ owner: String
  ) {
    for field in fields {
      if let value = field.value(root) {
        lines["\(container).\(field.name)", default: []].append("\(owner): \(value)")
      }
    }
  }

  /// Returns a description of the first difference among the names for which `isCompared` returns true.
  func difference(from others: DocumentFacts, where isCompared: (String) -> Bool) -> String? {
    for name in Set(lines.keys).union(others.lines.keys).sorted() where isCompared(name) {
      let mine = lines[name] ?? []
      let theirs = others.lines[name] ?? []
      guard mine != theirs else { continue }
      let first = zip(mine, theirs).first { $0 != $1 }
      return first.map { "\(name): \($0.0), expected \($0.1)" }
        ?? "\(name): \(mine.count) of them, expected \(theirs.count): "
        + "\((mine.count > theirs.count ? mine : theirs)[min(mine.count, theirs.count)])"
    }
    return nil
  }
}

extension PointColumns {
  /// The rows as waypoints.
  var waypoints: [Waypoint] {
    let details = Dictionary(uniqueKeysWithValues: details.map { ($0.row, $0.details) })
    return (0..<count).map { row in
      var values: [Channel: Double] = [:]
      for channel in channels.channels { values[channel] = value(channel, at: row) }
      return Waypoint(
        coordinate: coordinate(at: row), time: time(at: row), values: values,
        details: details[row] ?? PointDetails())
    }
  }

  init(_ waypoints: [Waypoint]) {
    self.init()
    for point in waypoints {
      append(point.coordinate, time: point.time, values: point.values, details: point.details)
    }
  }
}
