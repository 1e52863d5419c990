import TrackModel

// Objects in properties of a Feature, as written by this package. Unknown members are skipped.

extension TrackLink {
  /// Reads `{"href": …, "text": …, "type": …}`. A missing address is empty.
  ///
  /// - Parameter isStrict: whether an unknown member is an error.
  init(geoJSON lexer: inout JSONLexer, isStrict: Bool = false) throws(TrackError) {
    var link = TrackLink(address: "")
    try lexer.readObject { name, lexer throws(TrackError) in
      switch name {
      case "href": link.address = try lexer.stringOrNothing() ?? ""
      case "text": link.text = try lexer.stringOrNothing()
      case "type": link.mediaType = try lexer.stringOrNothing()
      case _ where isStrict: throw lexer.expected("a member of a link")
      default: try lexer.skip()
      }
    }
    self = link
  }
}

extension TimeSpan {
  /// Reads `{"begin": …, "end": …}`.
  init(geoJSON lexer: inout JSONLexer) throws(TrackError) {
    var span = TimeSpan()
    try lexer.readObject { name, lexer throws(TrackError) in
      switch name {
      case "begin": span.begin = try JSONTime.read(&lexer)
      case "end": span.end = try JSONTime.read(&lexer)
      default: try lexer.skip()
      }
    }
    self = span
  }
}

extension Lap {
  /// Reads `{"startTime": …, "timerTime": …, "elapsedTime": …, "distance": …, "calories": …, "trigger": …}`.
  init(geoJSON lexer: inout JSONLexer) throws(TrackError) {
    var lap = Lap()
    try lexer.readObject { name, lexer throws(TrackError) in
      switch name {
      case "startTime": lap.start = try JSONTime.read(&lexer)
      case "timerTime": lap.timerTime = try lexer.numberOrNothing()
      case "elapsedTime": lap.elapsedTime = try lexer.numberOrNothing()
      case "distance": lap.distance = try lexer.numberOrNothing()
      case "calories": lap.calories = try lexer.numberOrNothing()
      case "trigger": lap.trigger = try lexer.stringOrNothing()
      default: try lexer.skip()
      }
    }
    self = lap
  }
}

extension Resolution {
  /// Reads `{"time": …, "position": …}`.
  init(geoJSON lexer: inout JSONLexer) throws(TrackError) {
    var resolution = Resolution()
    try lexer.readObject { name, lexer throws(TrackError) in
      switch name {
      case "time": resolution.time = try lexer.numberOrNothing()
      case "position": resolution.position = try lexer.numberOrNothing()
      default: try lexer.skip()
      }
    }
    self = resolution
  }
}
