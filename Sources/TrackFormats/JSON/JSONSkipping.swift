package import TrackModel

/// Values that are skipped or kept unchanged. They are checked as strictly as all others, without recursion.
extension JSONLexer {
  /// Skips a value of any kind.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` if it is nested deeper than ``depthLimit``.
  package mutating func skip() throws(TrackError) {
    switch try kind() {
    case .string: try takeString()
    case .number: _ = try number()
    case .true, .false, .null: try literal()
    case .array, .object: _ = try walk(limit: 0)
    }
  }

  /// Reads a value of any kind and stores it in ``copied`` as JSON without white space.
  ///
  /// - Parameter limit: the largest size in bytes. A larger value is skipped and not copied.
  /// - Returns: whether the value was copied.
  mutating func copyValue(limit: Int) throws(TrackError) -> Bool {
    copied.removeAll()
    if try walk(limit: limit) { return true }
    copied.removeAll()
    return false
  }

  /// - Returns: whether the value has at most `limit` bytes, and was appended to the copy.
  private mutating func walk(limit: Int) throws(TrackError) -> Bool {
    var nesting = JSONNesting()
    var copies = limit > 0
    repeat {
      if nesting.depth > 0 {
        // Advances to the next value, and leaves containers that have ended.
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

  /// Copies the current string in quotation marks.
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

/// The kinds of the open brackets: one bit per level, 1 for braces.
private struct JSONNesting {
  private(set) var depth = 0
  /// The up to 64 innermost levels, the innermost in the lowest bit.
  private var bits: UInt64 = 0
  /// The outer levels, 64 per element.
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
