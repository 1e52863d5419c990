import TrackModel

/// What a table of points has no place for, beyond the points.
enum CSVLosses {
  static func of(_ info: FileInfo) -> LossReport {
    var losses = LossReport()
    if info.name != nil { losses.add("names of files") }
    if info.description != nil { losses.add("descriptions of files") }
    if info.author != nil { losses.add("authors") }
    if info.copyright != nil { losses.add("copyrights") }
    losses.add("links of files", info.links.count)
    if info.time != nil { losses.add("times of files") }
    if info.keywords != nil { losses.add("keywords of files") }
    losses.add("extensions", info.extensions.count)
    return losses
  }

  /// Name and number have a place, if they come in time.
  static func of(_ info: TrackInfo) -> LossReport {
    var losses = LossReport()
    if info.comment != nil { losses.add("comments of tracks") }
    if info.description != nil { losses.add("descriptions of tracks") }
    if info.source != nil { losses.add("sources of tracks") }
    losses.add("links of tracks", info.links.count)
    if info.type != nil { losses.add("types of tracks") }
    if info.style != nil { losses.add("styles of tracks") }
    if info.timeSpan != nil { losses.add("time spans of tracks") }
    losses.add("laps", info.laps.count)
    if info.coarseness != nil { losses.add("notes on how coarse tracks are") }
    losses.add("extensions", info.extensions.count)
    return losses
  }
}
