import TrackModel

extension FileInfo {
  /// Returns whether a single-valued field differs from a value in `known`.
  func contradicts(_ known: FileInfo) -> Bool {
    func differs<Value: Equatable>(_ field: KeyPath<FileInfo, Value?>) -> Bool {
      guard let old = known[keyPath: field], let new = self[keyPath: field] else { return false }
      return old != new
    }
    return differs(\.name) || differs(\.description) || differs(\.author) || differs(\.copyright)
      || differs(\.keywords)
  }

  /// Returns the fields that have no value in `known`. Lists are returned completely.
  func fieldsMissing(in known: FileInfo) -> FileInfo {
    var rest = self
    if known.name != nil { rest.name = nil }
    if known.description != nil { rest.description = nil }
    if known.author != nil { rest.author = nil }
    if known.copyright != nil { rest.copyright = nil }
    if known.keywords != nil { rest.keywords = nil }
    if known.creator != nil { rest.creator = nil }
    if known.time != nil { rest.time = nil }
    return rest
  }
}

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
