import TrackModel

/// What ``XMLScanner`` knows between two chunks, and its loop; the extensions take one kind of markup each.
///
/// Positions are pointers into the chunk at hand. Every step moves a position forward only over what is
/// whole, and looks at no byte from ``end`` on.
@unsafe
struct XMLScannerState {
  /// Where a step stands in the chunk.
  typealias Position = UnsafePointer<UInt8>

  /// What became of a piece of markup.
  enum Outcome { case done, incomplete, fault }

  struct OpenElement {
    /// The index of its name.
    var entry: Int
    var scope: Int
  }

  /// An attribute of the tag at hand: its name in the chunk, its value on the tape.
  @unsafe
  struct Attribute {
    var name: Position
    var nameCount: Int
    var value: Int
    var valueCount: Int
    /// The index of its name once that is resolved; -1 for a declaration of a namespace.
    var entry: Int
  }

  let tape: UnsafeMutablePointer<XMLTapeMemory>
  var names = unsafe XMLNameTable()
  /// The classes of each byte, as ``XMLByte`` names them.
  let classes = unsafe XMLByte.classes
  /// The open elements, the outermost first.
  let open = UnsafeMutablePointer<OpenElement>.allocate(capacity: ReadingLimits.maximumDepth)
  var depth = 0
  var attributes: UnsafeMutablePointer<Attribute>
  var attributeCount = 0
  var attributeCapacity: Int
  /// Whether there is a declaration of a namespace among the attributes.
  var declaresNamespaces = false
  /// Where in the text since the last tag the last run of plain characters begins.
  var literalText = 0
  /// The comment, section or instruction that the position is inside of.
  var section: Section?

  /// The chunk at hand.
  var start: Position
  var end: Position
  var line = 1
  /// Where the line begins, counted from the start of the chunk; negative when it began in an earlier one.
  var lineStart = 0
  /// Whether nothing was scanned yet.
  var isAtStart = true

  init(tape: UnsafeMutablePointer<XMLTapeMemory>) {
    unsafe self.tape = unsafe tape
    unsafe attributeCapacity = unsafe min(max(tape.pointee.limits.attributeCount, 1), 16)
    unsafe attributes = .allocate(capacity: attributeCapacity)
    unsafe start = Position(classes)
    unsafe end = unsafe start
  }

  func free() {
    unsafe names.free()
    unsafe open.deallocate()
    unsafe attributes.deallocate()
  }

  /// Scans a chunk.
  ///
  /// - Returns: how many bytes were scanned; all of them after a fault.
  mutating func scan(_ start: Position, _ count: Int, isLast: Bool) -> Int {
    guard unsafe tape.pointee.fault == nil else { return count }
    unsafe self.start = unsafe start
    unsafe end = unsafe start + count
    // No character becomes longer on the tape than it is in the document.
    unsafe tape.pointee.reserveText(count)
    var position = unsafe start
    var outcome = Outcome.done
    while unsafe position < end, outcome == .done {
      if unsafe section != nil {
        outcome = unsafe goOn(&position)
        continue
      }
      unsafe takeExpected(&position)
      guard unsafe position < end else { break }
      if unsafe position.pointee == UInt8(ascii: "<") {
        outcome = unsafe markup(&position)
      } else {
        outcome = unsafe text(&position)
      }
    }
    if outcome == .fault { return count }
    let scanned = unsafe position - start
    let cut = unsafe tape.pointee.cutText(line: line, column: column(at: position))
    unsafe literalText = unsafe max(literalText - cut, 0)
    if isLast {
      if unsafe section != nil || outcome == .incomplete {
        unsafe fail("the document ends inside a tag, a comment, a section or a reference", at: position)
      } else {
        unsafe finish()
      }
      return count
    }
    unsafe lineStart -= scanned
    return scanned
  }

  /// The document is over; what is missing is a fault.
  mutating func finish() {
    guard unsafe tape.pointee.fault == nil else { return }
    let column = unsafe max(1 - lineStart, 1)
    if unsafe depth > 0 {
      unsafe tape.pointee.record("the document ends inside an element", line: line, column: column)
    } else if unsafe !tape.pointee.hasClosedRoot {
      unsafe tape.pointee.record("there is no element", line: line, column: column)
    }
  }

  /// Takes what begins with `<`; leaves the position where it was unless it is whole, or a section.
  @inline(__always)
  private mutating func markup(_ position: inout Position) -> Outcome {
    guard unsafe end - position >= 2 else { return .incomplete }
    switch unsafe position[1] {
    case UInt8(ascii: "/"): return unsafe endTag(&position)
    case UInt8(ascii: "!"): return unsafe declaration(&position)
    case UInt8(ascii: "?"): return unsafe instruction(&position)
    default: return unsafe startTag(&position)
    }
  }

  /// Records why the document cannot be read on.
  ///
  /// - Parameter isLimit: whether the document exceeds one of the tape's limits.
  @discardableResult
  mutating func fail(_ message: String, at position: Position, isLimit: Bool = false) -> Outcome {
    unsafe tape.pointee.record(message, line: line, column: column(at: position), isLimit: isLimit)
    return .fault
  }

  /// Counts a line feed.
  @inline(__always)
  mutating func newline(at position: Position) {
    unsafe line &+= 1
    unsafe lineStart = unsafe position - start &+ 1
  }

  /// The column of a position in the line at hand, from 1, in bytes.
  @inline(__always)
  func column(at position: Position) -> Int { unsafe position - start &- lineStart &+ 1 }
}
