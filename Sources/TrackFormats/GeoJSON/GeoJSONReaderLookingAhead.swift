import TrackModel

/// Lines whose points need not wait for the properties behind them, because the input can be read from there
/// first.
///
/// Only of an object in which all is as it should be. Any other is read in its own order, and what is wrong
/// with it is found and told then. Nor of texts in a row, of which a broken one is left out: that it is
/// broken may show only in its line, whose points would be gone by then.
extension GeoJSONReader {
  /// Sees to it that the properties are known before the coordinates at hand are read, which are those of a
  /// line: where there were none yet, reads all members of the object behind them, and goes back.
  ///
  /// - Returns: false, and nothing is changed, where that cannot be done or would need a warning.
  mutating func readProperties(behindLineOf type: GeoJSONType) throws(TrackError) -> Bool {
    if object.hasProperties { return true }
    let isOnly = records.whole == 0 && records.fault == nil && !lexer.isInSequence
    guard isOnly, lexer.canGoBack, !options.isLive, let depth = type.depth else { return false }
    let start = lexer.standpoint()
    let before = (lexer.log, feature, object, geometry, rootMembers)
    var end: JSONLexer.Standpoint?
    do throws(TrackError) {
      if try lexer.passOverArrays(depth: depth) { end = try readRestOfMembers() }
    } catch {
      // Thrown once more when its turn comes.
    }
    let isSilent = lexer.log.count == before.0.count && queue.isEmpty
    if isSilent, object.type == .feature, let end {
      geometry = before.3
      endOfMembers = end
    } else {
      (lexer.log, feature, object, geometry, rootMembers) = before
    }
    try lexer.go(to: start)
    return endOfMembers != nil
  }

  /// Reads on from behind the coordinates to the end of the object.
  ///
  /// - Returns: where its last member ends; nil where the object is the first of several texts.
  private mutating func readRestOfMembers() throws(TrackError) -> JSONLexer.Standpoint? {
    geometry.hasContent = true
    while try lexer.nextMember() {
      let member = GeoJSONMember(rawValue: lexer.code(in: GeoJSONMember.names)) ?? .other
      try feature.geometry.readMember(member, of: &geometry, &lexer)
    }
    var end = lexer.standpoint()
    while try lexer.nextMember() {
      if root.isCollection { try readObjectMember() } else { try readRootMember() }
      end = lexer.standpoint()
    }
    if !root.isCollection {
      if try lexer.nextText() { return nil }
      for member in rootMembers { feature.members.append(member) }
      rootMembers = []
    }
    return end
  }
}
