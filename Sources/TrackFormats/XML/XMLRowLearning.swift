import TrackModel

/// Finds the shape of an element, as ``XMLRowShapes`` needs it.
///
/// It supports the plainest markup only: leaves without attributes, containers without text, and names that
/// the scanner has resolved before in the same scope.
struct XMLRowLearning: Sendable {
  /// The meaning of a name in a format, by its code and that of its parent; nil for a name that a row cannot
  /// contain. The parent of an attribute is the row.
  typealias Grammar = @Sendable (_ code: UInt16, _ parent: UInt16) -> XMLRowShapes.Role?

  /// The code of the row's element.
  let element: UInt16
  /// The number of attributes that every row has.
  let attributeCount: Int
  let grammar: Grammar

  /// The maximum number of bytes between two values.
  private static let literalSize = 512

  /// Returns the steps of the row at the start of the bytes, or nil if it is incomplete or of another form.
  ///
  /// - Parameter resolve: returns the code of a name in the current scope; nil if it is unknown.
  func steps(
    _ text: Span<UInt8>, resolve: (_ name: Span<UInt8>, _ isAttribute: Bool) -> UInt16?
  ) -> [XMLRowShapes.Step]? {
    var cursor = Cursor(text)
    cursor.skipBlanks()
    guard cursor.take("<"), let row = cursor.name(), resolve(text.extracting(row), false) == element else {
      return nil
    }
    var fields: [XMLRowShapes.Role] = []
    while cursor.skipBlanks(), let name = cursor.name() {
      guard cursor.take("="), let quote = cursor.takeAny("\"'"),
        let code = resolve(text.extracting(name), true), let role = grammar(code, element),
        role != .container, !fields.contains(role)
      else { return nil }
      cursor.endLiteral(role)
      guard cursor.skipValue(until: quote), cursor.takeAny("\"'") != nil else { return nil }
      fields.append(role)
    }
    guard fields.count == attributeCount else { return nil }
    var open = [(name: row, code: element)]
    if cursor.take("/") { open = [] }
    guard cursor.take(">") else { return nil }
    while let parent = open.last {
      cursor.skipBlanks()
      guard cursor.take("<") else { return nil }
      if cursor.take("/") {
        guard cursor.take(parent.name), cursor.take(">") else { return nil }
        open.removeLast()
        continue
      }
      guard let name = cursor.name(), cursor.take(">"), let code = resolve(text.extracting(name), false),
        let role = grammar(code, parent.code)
      else { return nil }
      guard role != .container else {
        open.append((name, code))
        continue
      }
      cursor.endLiteral(role)
      guard cursor.skipValue(until: UInt8(ascii: "<")), cursor.take("</"), cursor.take(name), cursor.take(">")
      else { return nil }
    }
    cursor.endLiteral(.end)
    let isShort = cursor.steps.allSatisfy { $0.literal.count <= XMLRowLearning.literalSize }
    return isShort && cursor.steps.count <= XMLRow.capacity ? cursor.steps : nil
  }

  /// A position in the bytes, and the steps before it.
  private struct Cursor: ~Escapable {
    private let text: Span<UInt8>
    private var index = 0
    private var literalStart = 0
    private(set) var steps: [XMLRowShapes.Step] = []

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) { self.text = text }

    private var next: UInt8? { index < text.count ? text[index] : nil }

    private func isBlank(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Skips white space. Returns whether there was any.
    @discardableResult
    mutating func skipBlanks() -> Bool {
      let start = index
      while let byte = next, isBlank(byte) { index += 1 }
      return index > start
    }

    mutating func take(_ expected: StaticString) -> Bool {
      let bytes = expected.description.utf8
      guard text.count - index >= bytes.count else { return false }
      for (offset, byte) in bytes.enumerated() where text[index + offset] != byte { return false }
      index += bytes.count
      return true
    }

    /// Skips the same bytes as at an earlier place.
    mutating func take(_ earlier: Range<Int>) -> Bool {
      guard text.count - index >= earlier.count else { return false }
      for offset in 0..<earlier.count where text[index + offset] != text[earlier.lowerBound + offset] {
        return false
      }
      index += earlier.count
      return true
    }

    mutating func takeAny(_ expected: StaticString) -> UInt8? {
      guard let byte = next, expected.description.utf8.contains(byte) else { return nil }
      index += 1
      return byte
    }

    /// Skips a name, which ends at white space or punctuation of a tag.
    mutating func name() -> Range<Int>? {
      let start = index
      while let byte = next, !isBlank(byte), !"<>/='\"&".utf8.contains(byte) { index += 1 }
      return index > start ? start..<index : nil
    }

    /// Ends the bytes without a value before a value.
    mutating func endLiteral(_ role: XMLRowShapes.Role) {
      steps.append(
        XMLRowShapes.Step(literal: text.extracting(literalStart..<index).array, role: role))
    }

    /// Skips a value. Returns whether it is not empty and its end is present.
    mutating func skipValue(until end: UInt8) -> Bool {
      let start = index
      while let byte = next, byte != end { index += 1 }
      literalStart = index
      return index > start && index < text.count
    }
  }
}
