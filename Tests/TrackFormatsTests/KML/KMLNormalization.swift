import TrackModel

/// Computes the expected document after a round trip through KML, with every change that it causes.
///
/// - Names, comments, descriptions and attributes are trimmed; empty ones are removed. Values of
///   `ExtendedData` keep their white space. Characters that XML 1.0 does not allow become U+FFFD.
/// - Only the first link keeps its media type. Of an author's link only the address is kept.
/// - Points of tracks and routes have no details. Tracks without a segment are removed.
/// - A segment of a line has no extensions.
/// - Extensions are changed as in ``GPXNormalization``.
enum KMLNormalization {
  static func normalized(_ document: TrackDocument) -> TrackDocument {
    var result = document
    result.info = normalized(document.info)
    result.waypoints = document.waypoints.map { waypoint in
      var details = PointDetails(name: text(waypoint.details.name))
      details.comment = text(waypoint.details.comment)
      details.description = text(waypoint.details.description)
      details.source = characters(waypoint.details.source)
      details.links = links(waypoint.details.links)
      details.symbol = characters(waypoint.details.symbol)
      details.color = waypoint.details.color
      details.type = characters(waypoint.details.type)
      details.fix = waypoint.details.fix
      details.differentialStation = waypoint.details.differentialStation
      details.extensions = waypoint.details.extensions.map(GPXNormalization.normalized)
      return Waypoint(
        coordinate: waypoint.coordinate, time: waypoint.time, values: waypoint.values, details: details)
    }
    result.routes = document.routes.map {
      TrackDocument.Route(info: normalized($0.info), points: withoutDetails($0.points))
    }
    result.tracks = document.tracks.filter { !$0.segments.isEmpty }.map { track in
      let isLine = track.segments.allSatisfy { segment in
        let points = segment.points
        return points.times.allSatisfy { $0 == Instant.absent }
          && points.channels.channels.allSatisfy { channel in
            channel == .elevation || (0..<points.count).allSatisfy { points.value(channel, at: $0) == nil }
          }
      }
      return TrackDocument.Track(
        info: normalized(track.info),
        segments: track.segments.map { segment in
          var result = TrackDocument.Segment(points: withoutDetails(segment.points))
          if !isLine { result.extensions = segment.extensions.map(GPXNormalization.normalized) }
          return result
        })
    }
    return result
  }

  private static func text(_ text: String?) -> String? { GPXNormalization.text(text) }

  private static func characters(_ text: String?) -> String? { text.map(GPXNormalization.characters) }

  private static func normalized(_ info: FileInfo) -> FileInfo {
    var result = info
    result.creator = characters(info.creator)
    result.name = text(info.name)
    result.description = text(info.description)
    result.author = info.author.map {
      Person(name: text($0.name), email: $0.email, link: $0.link.map { TrackLink(address: $0.address) })
    }
    if result.author == Person() { result.author = nil }
    result.copyright = info.copyright.map {
      Copyright(
        author: GPXNormalization.characters($0.author), year: $0.year, license: characters($0.license))
    }
    result.links = links(info.links)
    result.keywords = characters(info.keywords)
    result.namespaces = []
    result.extensions = info.extensions.map(GPXNormalization.normalized)
    return result
  }

  private static func normalized(_ info: TrackInfo) -> TrackInfo {
    var result = info
    result.name = text(info.name)
    result.comment = text(info.comment)
    result.description = text(info.description)
    result.source = characters(info.source)
    result.links = links(info.links)
    result.type = characters(info.type)
    result.extensions = info.extensions.map(GPXNormalization.normalized)
    return result
  }

  private static func links(_ links: [TrackLink]) -> [TrackLink] {
    links.enumerated().map { index, link in
      index == 0
        ? TrackLink(address: link.address, text: text(link.text), mediaType: link.mediaType)
        : TrackLink(address: link.address, text: text(link.text))
    }
  }

  private static func withoutDetails(_ points: PointColumns) -> PointColumns {
    var result = PointColumns()
    for row in 0..<points.count {
      var values: [Channel: Double] = [:]
      for channel in points.channels.channels { values[channel] = points.value(channel, at: row) }
      result.append(points.coordinate(at: row), time: points.time(at: row), values: values)
    }
    return result
  }
}
