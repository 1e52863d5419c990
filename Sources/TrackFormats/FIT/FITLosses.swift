import TrackModel

/// What FIT has no place for, beside points.
enum FITLosses {
  static func of(_ info: FileInfo) -> LossReport {
    var losses = LossReport()
    if info.name != nil { losses.add("names of files") }
    if info.description != nil { losses.add("descriptions of files") }
    if info.author != nil { losses.add("authors of files") }
    if info.copyright != nil { losses.add("copyrights of files") }
    losses.add("links of files", info.links.count)
    if info.keywords != nil { losses.add("keywords of files") }
    losses.add("extensions", info.extensions.count)
    return losses
  }

  /// Beside name, type, laps and the stretch of time, whose place depends on the kind of file.
  static func of(_ info: TrackInfo) -> LossReport {
    var losses = LossReport()
    if info.comment != nil { losses.add("comments of tracks") }
    if info.description != nil { losses.add("descriptions of tracks") }
    if info.source != nil { losses.add("sources of tracks") }
    losses.add("links of tracks", info.links.count)
    if info.number != nil { losses.add("numbers of tracks") }
    if info.style != nil { losses.add("line styles") }
    if info.coarseness != nil { losses.add("notes on coarse sources") }
    losses.add("extensions", info.extensions.count)
    return losses
  }

  /// - Parameters:
  ///   - what: whose details they are, in the plural.
  ///   - hasName: whether name and type have a place.
  static func of(_ details: PointDetails, _ what: String, hasName: Bool = false) -> LossReport {
    var losses = LossReport()
    if !hasName {
      if details.name != nil { losses.add("names of \(what)") }
      if details.type != nil { losses.add("types of \(what)") }
    }
    if details.comment != nil { losses.add("comments of \(what)") }
    if details.description != nil { losses.add("descriptions of \(what)") }
    if details.source != nil { losses.add("sources of \(what)") }
    losses.add("links of \(what)", details.links.count)
    if details.symbol != nil { losses.add("symbols of \(what)") }
    if details.color != nil { losses.add("colours of \(what)") }
    if details.fix != nil { losses.add("kinds of fix") }
    if details.differentialStation != nil { losses.add("differential stations") }
    losses.add("extensions", details.extensions.count)
    return losses
  }
}
