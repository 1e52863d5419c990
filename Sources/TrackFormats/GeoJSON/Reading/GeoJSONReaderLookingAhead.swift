import TrackModel

/// Lines that can be streamed because the input is seekable, so that the properties after the line are read
/// first.
///
/// Only for valid objects. Other objects are read in file order, so that problems are reported as usual. Not
/// for sequences, in which a broken text is skipped: the error may only become apparent in its line, whose
/// points would already have been delivered.
extension GeoJSONReader {
  /// Reads the members after the current coordinates if no properties have been read yet, and seeks back.
  ///
  /// - Returns: false, without any change, if this is not possible or would cause a warning.
  mutating func readProperties(behindLineOf type: GeoJSONType) throws(TrackError) -> Bool {
    if object.hasProperties { return true }
    let isOnly = records.whole == 0 && records.fault == nil && !lexer.isInSequence
    guard isOnly, lexer.canGoBack, !options.isLive, let depth = type.depth else { return false }
    let start = lexer.checkpoint()
    let before = (lexer.log, feature, object, geometry, rootMembers)
    var end: JSONLexer.Checkpoint?
    do throws(TrackError) {
      if try lexer.skipArrays(depth: depth) { end = try readRestOfMembers() }
    } catch {
      // The error is thrown again when reading gets there.
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

  /// Reads from the end of the coordinates to the end of the object.
  ///
  /// - Returns: the end of its last member, or `nil` if further texts follow.
  private mutating func readRestOfMembers() throws(TrackError) -> JSONLexer.Checkpoint? {
    geometry.hasContent = true
    while try lexer.nextMember() {
      let member = GeoJSONMember(rawValue: lexer.code(in: GeoJSONMember.names)) ?? .other
      try feature.geometry.readMember(member, of: &geometry, &lexer)
    }
    var end = lexer.checkpoint()
    while try lexer.nextMember() {
      if root.isCollection { try readObjectMember() } else { try readRootMember() }
      end = lexer.checkpoint()
    }
    if !root.isCollection {
      if try lexer.nextText() { return nil }
      for member in rootMembers { feature.members.append(member) }
      rootMembers = []
    }
    return end
  }
}
