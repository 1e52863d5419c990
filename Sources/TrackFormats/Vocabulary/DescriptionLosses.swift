package import TrackModel

extension LossReport {
  /// Counts the information about a file that a format cannot represent.
  ///
  /// - Parameter kept: the fields that the format can represent.
  package mutating func add(words info: FileInfo, beside kept: Set<PartialKeyPath<FileInfo>> = []) {
    func isLost<Value>(_ part: KeyPath<FileInfo, Value?>) -> Bool {
      info[keyPath: part] != nil && !kept.contains(part)
    }
    if isLost(\.name) { add("names of files") }
    if isLost(\.description) { add("descriptions of files") }
    if isLost(\.author) { add("authors of files") }
    if isLost(\.copyright) { add("copyrights of files") }
    if !kept.contains(\FileInfo.links) { add("links of files", info.links.count) }
    if isLost(\.time) { add("times of files") }
    if isLost(\.keywords) { add("keywords of files") }
    if !kept.contains(\FileInfo.extensions) { add("extensions", info.extensions.count) }
  }

  /// Counts the information about a track or a route that a format cannot represent.
  ///
  /// - Parameter kept: the fields that the format can represent, or that are counted elsewhere.
  package mutating func add(words info: TrackInfo, beside kept: Set<PartialKeyPath<TrackInfo>> = []) {
    func isLost<Value>(_ part: KeyPath<TrackInfo, Value?>) -> Bool {
      info[keyPath: part] != nil && !kept.contains(part)
    }
    if isLost(\.name) { add("names of tracks") }
    if isLost(\.comment) { add("comments of tracks") }
    if isLost(\.description) { add("descriptions of tracks") }
    if isLost(\.source) { add("sources of tracks") }
    if !kept.contains(\TrackInfo.links) { add("links of tracks", info.links.count) }
    if isLost(\.number) { add("numbers of tracks") }
    if isLost(\.type) { add("types of tracks") }
    if isLost(\.style) { add("line styles") }
    if isLost(\.timeSpan) { add("time spans of tracks") }
    if !kept.contains(\TrackInfo.laps) { add("laps", info.laps.count) }
    if isLost(\.resolution) { add("notes on coarse sources") }
    if !kept.contains(\TrackInfo.extensions) {
      // The number of a drive's coordinates is redundant.
      add("extensions", info.extensions.count { !$0.isDrive || $0.attributes.count > 1 })
    }
  }

  /// Counts the details of a point that a format cannot represent.
  ///
  /// - Parameters:
  ///   - what: the kind of points, in the plural.
  ///   - kept: the fields that the format can represent.
  mutating func add(
    words details: PointDetails, of what: String, beside kept: Set<PartialKeyPath<PointDetails>> = []
  ) {
    func isLost<Value>(_ part: KeyPath<PointDetails, Value?>) -> Bool {
      details[keyPath: part] != nil && !kept.contains(part)
    }
    if isLost(\.name) { add("names of \(what)") }
    if isLost(\.type) { add("types of \(what)") }
    if isLost(\.comment) { add("comments of \(what)") }
    if isLost(\.description) { add("descriptions of \(what)") }
    if isLost(\.source) { add("sources of \(what)") }
    if !kept.contains(\PointDetails.links) { add("links of \(what)", details.links.count) }
    if isLost(\.symbol) { add("symbols of \(what)") }
    if isLost(\.color) { add("colours of \(what)") }
    if isLost(\.fix) { add("kinds of fix") }
    if !kept.contains(\PointDetails.extraValues), let extra = details.extraValues { add(extra) }
    if isLost(\.differentialStation) { add("differential stations") }
    if !kept.contains(\PointDetails.extensions) { add("extensions", details.extensions.count) }
  }

  /// Counts values in channels that a format cannot represent.
  package mutating func add(_ extra: ExtraValues) {
    add("values of other channels", extra.values.count { !$0.isNaN })
  }
}

extension LossReport {
  /// Counts the details of points that a format cannot represent at all, and the values in other channels
  /// than it represents.
  mutating func add(
    valuesOf batch: borrowing PointBatch, except kept: ChannelSet = [], keepsExtraValues: Bool = false
  ) {
    for channel in batch.channels.channels where !kept.contains(channel) {
      let values = batch.values(of: channel)
      add("values of \(channel.title)", values.indices.count { !values[$0].isNaN })
    }
    add(detailsOf: batch, keepsExtraValues: keepsExtraValues)
  }

  /// Counts the details of points that a format cannot represent at all.
  ///
  /// - Parameter keepsExtraValues: whether the format represents the values of other channels.
  package mutating func add(detailsOf batch: borrowing PointBatch, keepsExtraValues: Bool = false) {
    for row in batch.details {
      var words = row.details
      if let extra = words.extraValues.take(), !keepsExtraValues { add(extra) }
      if !words.isEmpty { add("names and extensions of points") }
    }
  }
}

extension PointBatch {
  /// Whether rows have values in channels that the batch has no columns for.
  var hasExtraValues: Bool { details.contains { $0.details.extraValues != nil } }
}
