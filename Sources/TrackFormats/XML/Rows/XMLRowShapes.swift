import TrackModel

/// The values of one element of a repeating shape, such as a trackpoint.
struct XMLRow: ~Copyable {
  /// The maximum number of values.
  static let capacity = 24

  /// The number of ``numbers``.
  fileprivate(set) var count = 0
  /// What each number is, as defined by the format.
  fileprivate(set) var fields = [24 of UInt16](repeating: 0)
  fileprivate(set) var numbers = [24 of Double](repeating: 0)
  /// The time, or ``Instant/absent``.
  fileprivate(set) var time = Instant.absent
  fileprivate var clock = ISO8601Scanner()
}

/// The shapes of an element that repeats: the bytes around its values, learned from the document itself.
///
/// Programs write all points alike, so that a point differs from one before it only in its numbers. Comparing
/// the bytes between them takes a fraction of the time of scanning tags. Shapes that begin alike share their
/// nodes, so that a value that some points lack costs one comparison.
///
/// A shape contains only elements and values that the format accepts without a warning. Anything else, even
/// an invalid number, is left to the scanner and the format's grammar.
struct XMLRowShapes {
  /// The meaning of an element or attribute in a row.
  enum Role: Equatable {
    /// An element that contains elements.
    case container
    /// A number with a magnitude of at most `limit`.
    case number(field: UInt16, limit: Double)
    /// A number that is not needed.
    case unneededNumber
    /// A time with a zone.
    case time
    /// The end of the row.
    case end

    /// Returns ``unneededNumber`` for a channel that is not needed. The field of a channel is its raw value.
    func ifNeeded(_ channels: ChannelSet) -> Role {
      guard case .number(let field, _) = self, let rawValue = UInt8(exactly: field),
        let channel = Channel(rawValue: rawValue), !channels.contains(channel)
      else { return self }
      return .unneededNumber
    }
  }

  /// Bytes without a value, and the role of the value after them.
  struct Step: Equatable {
    var literal: [UInt8]
    var role: Role
  }

  /// The result of reading a row.
  enum Outcome: Equatable {
    /// The row ends before an index. It contains `lines` line feeds; the last line begins at `lineStart`.
    case row(end: Int, lines: Int, lineStart: Int)
    /// The bytes end inside the row.
    case cut
    /// The bytes have none of the shapes.
    case other
  }

  private struct Node {
    /// The index of its first word, and the number of words, at least 1.
    var word: Int
    var wordCount: Int
    var byteCount: Int
    /// The bytes that count in the last word.
    var lastMask: UInt64
    var lines: Int
    /// The number of bytes after the last line feed.
    var indentation: Int
    var role: Role
    /// The first node that follows, or -1.
    var child = -1
    /// The next node with the same predecessor, or -1.
    var sibling = -1
  }

  /// The maximum number of nodes. More would hardly make reading faster.
  private static let capacity = 128
  /// The maximum length of a number or time in bytes.
  private static let valueSize = 64

  private var nodes: [Node] = []
  private var words: [UInt64] = []

  /// Forgets all shapes.
  mutating func removeAll() {
    nodes.removeAll()
    words.removeAll()
  }

  // MARK: Reading

  /// Reads the row at the start of the bytes.
  ///
  /// - Parameter row: receives the values, valid only for the outcome ``Outcome/row(end:lines:lineStart:)``.
  func read(_ text: Span<UInt8>, into row: inout XMLRow) -> Outcome {
    row.count = 0
    row.time = Instant.absent
    let nodes = nodes.span
    let words = words.span
    var index = 0
    var lines = 0
    var lineStart = 0
    var count = 0
    var next = nodes.isEmpty ? -1 : 0
    while next >= 0 {
      let node = next
      let size = nodes[node].wordCount
      let isHere = XMLRowShapes.begins(
        text, at: index, with: words, nodes[node].word, size, nodes[node].lastMask)
      guard isHere else {
        if text.count &- index < size &* 8 { return .cut }
        next = nodes[node].sibling
        continue
      }
      index &+= nodes[node].byteCount
      if nodes[node].lines > 0 {
        lines &+= nodes[node].lines
        lineStart = index &- nodes[node].indentation
      }
      switch nodes[node].role {
      case .number(let field, let limit):
        let start = index
        guard
          let value = DecimalReading.scanInline(text, at: &index) ?? DecimalReading.scan(text, at: &index),
          abs(value) <= limit, index &- start <= XMLRowShapes.valueSize, count < XMLRow.capacity
        else { return .other }
        row.fields[count] = field
        row.numbers[count] = value
        count &+= 1
      case .unneededNumber:
        let start = index
        if let end = DecimalReading.endOfPlainNumber(text, at: index) {
          index = end
        } else if DecimalReading.scan(text, at: &index) == nil {
          return .other
        }
        guard index &- start <= XMLRowShapes.valueSize else { return .other }
      case .time:
        guard let time = row.clock.scan(text, at: &index) ?? XMLRowShapes.anyTime(text, at: &index) else {
          return .other
        }
        row.time = time
      case .end:
        row.count = count
        return .row(end: index, lines: lines, lineStart: lineStart)
      case .container: return .other
      }
      next = nodes[node].child
    }
    return .other
  }

  /// Returns whether words, of which a mask limits the last, begin at an index and enough bytes follow to
  /// compare whole words.
  @inline(__always)
  private static func begins(
    _ text: Span<UInt8>, at index: Int, with words: Span<UInt64>, _ first: Int, _ count: Int, _ mask: UInt64
  ) -> Bool {
    guard text.count &- index >= count &* 8 else { return false }
    // The nodes refer only to existing words.
    assert(first >= 0 && count > 0 && first + count <= words.count)
    var offset = index
    var word = first
    let last = first &+ count &- 1
    while word < last {
      guard unsafe XMLByte.word(text, at: offset) == words[unchecked: word] else { return false }
      word &+= 1
      offset &+= 8
    }
    return unsafe (XMLByte.word(text, at: offset) ^ words[unchecked: last]) & mask == 0
  }

  private static func anyTime(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
    let start = index
    // A line feed would have to be counted.
    while index < text.count, text[index] != UInt8(ascii: "<"), text[index] >= 0x20 { index &+= 1 }
    guard index &- start <= XMLRowShapes.valueSize,
      let reading = ISO8601.read(text.extracting(start..<index)), reading.hasZone
    else { return nil }
    return reading.instant.microseconds
  }

  // MARK: Learning

  /// Adds a shape.
  ///
  /// - Returns: false if it is known or there are too many.
  mutating func add(_ steps: [Step]) -> Bool {
    guard nodes.count + steps.count <= XMLRowShapes.capacity else { return false }
    let before = nodes.count
    var parent = -1
    for step in steps {
      var last = -1
      var next = parent >= 0 ? nodes[parent].child : nodes.isEmpty ? -1 : 0
      while next >= 0, !isEqual(nodes[next], step) {
        last = next
        next = nodes[next].sibling
      }
      if next < 0 {
        next = nodes.count
        nodes.append(node(step))
        if last >= 0 {
          nodes[last].sibling = next
        } else if parent >= 0 {
          nodes[parent].child = next
        }
      }
      parent = next
    }
    return nodes.count > before
  }

  private func isEqual(_ node: Node, _ step: Step) -> Bool {
    node.role == step.role && node.byteCount == step.literal.count
      && words[node.word..<(node.word + node.wordCount)].elementsEqual(XMLRowShapes.words(of: step.literal))
  }

  private mutating func node(_ step: Step) -> Node {
    let first = words.count
    words += XMLRowShapes.words(of: step.literal)
    let lineFeed = step.literal.lastIndex(of: 0x0A)
    return Node(
      word: first, wordCount: words.count - first, byteCount: step.literal.count,
      lastMask: UInt64.max >> UInt64(8 * (8 * (words.count - first) - step.literal.count)),
      lines: step.literal.count { $0 == 0x0A },
      indentation: lineFeed.map { step.literal.count - $0 - 1 } ?? 0, role: step.role)
  }

  /// Returns bytes as words, the first byte in the lowest bits, padded with zeros.
  private static func words(of bytes: [UInt8]) -> [UInt64] {
    stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<min(start + 8, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
