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
