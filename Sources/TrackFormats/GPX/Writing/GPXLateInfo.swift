import TrackModel

extension TrackInfo {
  /// Returns the fields that have no value in `known`. Lists are returned completely.
  func fieldsMissing(in known: TrackInfo) -> TrackInfo {
    var rest = self
    if known.name != nil { rest.name = nil }
    if known.comment != nil { rest.comment = nil }
    if known.description != nil { rest.description = nil }
    if known.source != nil { rest.source = nil }
    if known.number != nil { rest.number = nil }
    if known.type != nil { rest.type = nil }
    if known.style != nil { rest.style = nil }
    if known.timeSpan != nil { rest.timeSpan = nil }
    if known.resolution != nil { rest.resolution = nil }
    return rest
  }

  /// The fields that GPX cannot represent.
  var unwritable: TrackInfo {
    var rest = TrackInfo()
    rest.timeSpan = timeSpan
    rest.resolution = resolution
    rest.laps = laps
    return rest
  }
}
