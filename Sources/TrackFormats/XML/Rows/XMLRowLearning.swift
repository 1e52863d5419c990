import TrackModel

/// Finds the shape of an element, as ``XMLRowShapes`` needs it.
///
/// It supports the plainest markup only: leaves without attributes, containers without text, and names that
/// the scanner has resolved before in the same scope.
struct XMLRowLearning: Sendable {
  /// The meaning of a name in a format, by its code and that of its parent, which is nil for a row; nil for a
  /// name that a row cannot contain.
  ///
  /// The result is one container, or the roles of the values of a leaf, separated by spaces. The last ones
  /// may be missing.
  typealias Grammar =
    @Sendable (_ code: UInt16, _ parent: UInt16?, _ isAttribute: Bool) -> [XMLRowShapes.Role]?

  /// The codes of the rows' elements.
  let elements: ClosedRange<UInt16>
  let grammar: Grammar
  /// Returns whether a row may have the values of these fields, besides a time.
  let accepts: @Sendable (_ fields: [UInt16]) -> Bool

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
    guard cursor.take("<"), let row = cursor.name(), let element = resolve(text.extracting(row), false),
      elements.contains(element), let content = grammar(element, nil, false)
    else { return nil }
    while cursor.skipBlanks(), let name = cursor.name() {
      guard cursor.take("="), let quote = cursor.takeAny("\"'"),
        let code = resolve(text.extracting(name), true), let role = grammar(code, element, true)?.first,
        !cursor.steps.contains(where: { $0.role == role })
      else { return nil }
      cursor.endLiteral(role)
      guard cursor.skipValue(until: quote), cursor.takeAny("\"'") != nil else { return nil }
    }
    let isContainer = content == [.container]
    let isEmpty = isContainer && cursor.take("/")
    guard cursor.take(">"), isContainer || cursor.takeValues(content, in: row) else { return nil }
    var open = isContainer && !isEmpty ? [(name: row, code: element)] : []
    while let parent = open.last {
      cursor.skipBlanks()
      guard cursor.take("<") else { return nil }
      if cursor.take("/") {
        guard cursor.take(parent.name), cursor.take(">") else { return nil }
        open.removeLast()
        continue
      }
      guard let name = cursor.name(), cursor.take(">"), let code = resolve(text.extracting(name), false),
        let content = grammar(code, parent.code, false)
      else { return nil }
      if content == [.container] {
        open.append((name, code))
      } else if !cursor.takeValues(content, in: name) {
        return nil
      }
    }
    cursor.endLiteral(.end)
    let fields = cursor.steps.compactMap { if case .number(let field, _) = $0.role { field } else { nil } }
    let isShort = cursor.steps.allSatisfy { $0.literal.count <= XMLRowLearning.literalSize }
    return isShort && cursor.steps.count <= XMLRow.capacity && accepts(fields) ? cursor.steps : nil
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

    /// Skips the values and the end tag of a leaf.
    mutating func takeValues(_ roles: [XMLRowShapes.Role], in name: Range<Int>) -> Bool {
      let separator = roles.count > 1 ? UInt8(ascii: " ") : nil
      for (index, role) in roles.enumerated() {
        if index > 0, !take(" ") { break }
        endLiteral(role)
        guard skipValue(until: UInt8(ascii: "<"), or: separator) else { return false }
      }
      return take("</") && take(name) && take(">")
    }

    /// Skips a value. Returns whether it is not empty and its end is present.
    mutating func skipValue(until end: UInt8, or separator: UInt8? = nil) -> Bool {
      let start = index
      while let byte = next, byte != end, byte != separator { index += 1 }
      literalStart = index
      return index > start && index < text.count
    }
  }
}
