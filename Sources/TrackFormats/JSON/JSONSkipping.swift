package import TrackModel

/// Values that nobody needs, or that are kept as they are: checked as strictly as all others, without
/// recursion.
extension JSONLexer {
  /// Moves behind a value of any kind.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` where it is nested deeper than ``depthLimit``.
  package mutating func skip() throws(TrackError) {
    switch try kind() {
    case .string: try takeString()
    case .number: _ = try number()
    case .true, .false, .null: try literal()
    case .array, .object: _ = try walk(limit: 0)
    }
  }

  /// Takes a value of any kind; what it was, as JSON without blanks, is ``copied`` then.
  ///
  /// - Parameter limit: how many bytes it may have; what is longer is passed over, and nothing is copied.
  /// - Returns: whether it was copied.
  mutating func copyValue(limit: Int) throws(TrackError) -> Bool {
    copied.removeAll()
    if try walk(limit: limit) { return true }
    copied.removeAll()
    return false
  }

  /// - Returns: whether the value has at most `limit` bytes, and was appended to what is copied.
  private mutating func walk(limit: Int) throws(TrackError) -> Bool {
    var nesting = JSONNesting()
    var copies = limit > 0
    repeat {
      if nesting.depth > 0 {
        // Goes on behind the value before, and leaves what is over.
        if nesting.isObject {
          guard try nextMember() else {
            nesting.leave()
            if copies { copied.append(UInt8(ascii: "}")) }
            continue
          }
          if copies {
            copied.separate()
            copyText()
            copied.append(UInt8(ascii: ":"))
          }
        } else {
          guard try nextElement() else {
            nesting.leave()
            if copies { copied.append(UInt8(ascii: "]")) }
            continue
          }
          if copies { copied.separate() }
        }
      }
      switch try kind() {
      case .object:
        try beginObject()
        nesting.enter(isObject: true)
        if copies { copied.append(UInt8(ascii: "{")) }
      case .array:
        try beginArray()
        nesting.enter(isObject: false)
        if copies { copied.append(UInt8(ascii: "[")) }
      case .string:
        try takeString()
        if copies { copyText() }
      case .number:
        _ = try number()
        if copies { copyRawText() }
      case .true, .false, .null:
        try literal()
        if copies { copyRawText() }
      }
      if nesting.depth > JSONLexer.depthLimit {
        throw TrackError(
          .limitExceeded, "nested deeper than \(JSONLexer.depthLimit) levels", place: place)
      }
      if copies, copied.count > limit { copies = false }
    } while nesting.depth > 0
    return copies
  }

  /// Copies the string at hand in its quotation marks.
  private mutating func copyText() {
    guard isTextSound else {
      copied.append(json: text)
      return
    }
    copied.append(UInt8(ascii: "\""))
    copyRawText()
    copied.append(UInt8(ascii: "\""))
  }
}

/// Which of the open brackets are braces: one bit a level.
private struct JSONNesting {
  private(set) var depth = 0
  /// The innermost levels, up to 64, the innermost lowest.
  private var bits: UInt64 = 0
  /// The levels around them, in words.
  private var outer: [UInt64] = []

  var isObject: Bool { bits & 1 == 1 }

  mutating func enter(isObject: Bool) {
    if depth > 0, depth % 64 == 0 {
      outer.append(bits)
      bits = 0
    }
    bits = bits << 1 | (isObject ? 1 : 0)
    depth += 1
  }

  mutating func leave() {
    bits >>= 1
    depth -= 1
    if depth > 0, depth % 64 == 0, let word = outer.popLast() { bits = word }
  }
}
