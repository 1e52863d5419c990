import TrackModel

/// The state of ``XMLScanner`` between chunks, and its main loop. Each extension handles one kind of markup.
///
/// Positions are pointers into the current chunk. Every step moves a position forward only past complete
/// markup, and reads only bytes before ``end``.
@unsafe
struct XMLScannerState {
  /// The position of a step in the chunk.
  typealias Position = UnsafePointer<UInt8>

  /// The result of scanning a piece of markup.
  enum Outcome { case done, incomplete, fault }

  struct OpenElement {
    /// The index of its name.
    var entry: Int
    var scope: Int
  }

  /// An attribute of the current tag: its name in the chunk, its value on the tape.
  @unsafe
  struct Attribute {
    var name: Position
    var nameCount: Int
    var value: Int
    var valueCount: Int
    /// The index of its resolved name; -1 for a namespace declaration.
    var entry: Int
  }

  let tape: UnsafeMutablePointer<XMLTapeMemory>
  var names = unsafe XMLNameTable()
  /// The classes of each byte, as defined in ``XMLByte``.
  let classes = unsafe XMLByte.classes
  /// The open elements, outermost first.
  let open = UnsafeMutablePointer<OpenElement>.allocate(capacity: ReadingLimits.maximumDepth)
  var depth = 0
  var attributes: UnsafeMutablePointer<Attribute>
  var attributeCount = 0
  var attributeCapacity: Int
  /// Whether the attributes include a namespace declaration.
  var declaresNamespaces = false
  /// The start of the last run of plain characters in the text since the last tag.
  var literalText = 0
  /// The comment, CDATA section or instruction that contains the position.
  var section: Section?

  /// The codes of the elements after whose end the scan pauses.
  var pauses = noPauses
  /// A code that no element has.
  static let noPauses = UInt16.max...UInt16.max
  /// Whether the scan has paused before the end of the chunk.
  var isPaused = false

  /// The current chunk.
  var start: Position
  var end: Position
  var line = 1
  /// The start of the line, relative to the start of the chunk; negative if it is in an earlier chunk.
  var lineStart = 0
  /// Whether nothing has been scanned yet.
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
  /// - Returns: the number of bytes scanned; all of them after a fault. After a pause, the rest may contain
  ///   complete markup.
  mutating func scan(_ start: Position, _ count: Int, isLast: Bool) -> Int {
    guard unsafe tape.pointee.fault == nil else { return count }
    unsafe self.start = unsafe start
    unsafe end = unsafe start + count
    // No character becomes longer on the tape than it is in the document.
    unsafe tape.pointee.reserveText(count)
    unsafe isPaused = false
    var position = unsafe start
    var outcome = Outcome.done
    while unsafe position < end, outcome == .done, unsafe !isPaused {
      if unsafe section != nil {
        outcome = unsafe goOn(&position)
        continue
      }
      unsafe matchExpected(&position)
      guard unsafe position < end, unsafe !isPaused else { break }
      if unsafe position.pointee == UInt8(ascii: "<") {
        outcome = unsafe markup(&position)
      } else {
        outcome = unsafe text(&position)
      }
    }
    if outcome == .fault { return count }
    let scanned = unsafe position - start
    let cut = unsafe tape.pointee.cutText(line: line, column: column(at: position), isLast: isLast)
    unsafe literalText = unsafe max(literalText - cut, 0)
    if isLast, unsafe !isPaused {
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

  /// Ends the document. Missing content is a fault.
  private mutating func finish() {
    guard unsafe tape.pointee.fault == nil else { return }
    let column = unsafe max(1 - lineStart, 1)
    if unsafe depth > 0 {
      unsafe tape.pointee.record("the document ends inside an element", line: line, column: column)
    } else if unsafe !tape.pointee.hasClosedRoot {
      unsafe tape.pointee.record("no element", line: line, column: column)
    }
  }

  /// Scans markup that begins with `<`. Leaves the position unchanged unless the markup is complete or a
  /// section.
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

  /// Records the reason why parsing stops.
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

  /// Returns the column of a position in the current line, from 1, in bytes.
  @inline(__always)
  func column(at position: Position) -> Int { unsafe position - start &- lineStart &+ 1 }
}
