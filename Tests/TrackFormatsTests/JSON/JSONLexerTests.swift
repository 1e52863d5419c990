import Testing
import TrackModel

@testable import TrackFormats

@Suite("JSON lexer")
struct JSONLexerTests {
  static let chunks = [1, 2, 3, 7, 61, 4096]

  /// Valid texts of RFC 8259 and their values.
  static let sound: [(String, JSONTree)] = [
    ("null", .null), (" true ", .bool(true)), ("\t\r\nfalse\n", .bool(false)),
    ("0", .number(0)), ("-0", .number(-0.0)), ("-12", .number(-12)), ("1.5", .number(1.5)),
    ("0.25e2", .number(25)), ("1E-2", .number(0.01)), ("1e+3", .number(1000)), ("0e0", .number(0)),
    ("12345678901234567890", .number(0x1.56a95319d63e1p+63)),
    ("0.1000000000000000055511151231257827", .number(0.1)),
    ("9007199254740993", .number(9007199254740992)), ("5e-324", .number(.leastNonzeroMagnitude)),
    ("1e999", .number(nil)),
    ("-1e400", .number(nil)), ("1e-400", .number(0)),
    ("\"\"", .string("")), ("\"a b\"", .string("a b")),
    (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), (#""\u0041\u00e9\u20AC""#, .string("Aé€")),
    (#""\ud83d\ude97""#, .string("🚗")), (#""\uD83D\uDE97!""#, .string("🚗!")),
    ("\"é€🚗\u{7F}\u{2028}\"", .string("é€🚗\u{7F}\u{2028}")), (#""\u0000""#, .string("\0")),
    (#""\uFFFE\uFFFF""#, .string("\u{FFFE}\u{FFFF}")),
    ("[]", .array([])), ("[ ]", .array([])), ("{}", .object([:])), ("{ }", .object([:])),
    ("[1,2]", .array([.number(1), .number(2)])), ("[[],{}]", .array([.array([]), .object([:])])),
    (#"{"a":1}"#, .object(["a": .number(1)])),
    (" { \"a\" : [ 1 , { \"b\" : null } ] } ", .object(["a": .array([.number(1), .object(["b": .null])])])),
    (#"{"\u0061":1,"":2}"#, .object(["a": .number(1), "": .number(2)])),
    ("\u{FEFF}[1]", .array([.number(1)])),
  ]

  @Test("Valid JSON is read correctly for all chunk sizes", arguments: sound.indices)
  func soundText(_ index: Int) throws {
    let (text, expected) = Self.sound[index]
    for chunk in Self.chunks {
      #expect(try JSONTree.lexed(Array(text.utf8), chunk: chunk) == expected, "\(text), chunks of \(chunk)")
    }
  }

  /// Texts that RFC 8259 does not allow, and the column (from 1, in bytes) of the fault. A column after the
  /// last byte means that the text is truncated.
  static let faulty: [(String, Int)] = [
    ("", 1), (" ", 2), ("nul", 4), ("nulL", 1), ("True", 1), ("tru", 4), ("falsy", 1), ("'a'", 1), ("a", 1),
    ("-", 2), ("+1", 1), (".5", 1), ("1.", 3), ("1.e3", 3), ("1e", 3), ("1e+", 4), ("1eE", 3), ("01", 1),
    ("-01", 1), ("--1", 1), ("0x10", 2), ("1_000", 2), ("NaN", 1), ("Infinity", 1), ("-Infinity", 1),
    ("\"", 2), ("\"a", 3), ("\"\\", 3), ("\"\\x\"", 2), ("\"\\u12\"", 2), ("\"\\u12G4\"", 2), ("\"\\u", 4),
    ("\"a\tb\"", 3), ("\"a\nb\"", 3), ("\"\u{1F}\"", 2),
    ("[", 2), ("[1", 3), ("[1,", 4), ("[1,]", 4), ("[,1]", 2), ("[1 2]", 4), ("[1}", 3), ("[1,,2]", 4),
    ("]", 1),
    ("{", 2), ("{\"a\"", 5), ("{\"a\":", 6), ("{\"a\":1", 7), ("{\"a\":1,", 8), ("{\"a\":1,}", 8),
    ("{,}", 2), ("{\"a\" 1}", 6), ("{\"a\":}", 6), ("{a:1}", 2), ("{1:1}", 2), ("{\"a\":1 \"b\":2}", 8),
    ("{\"a\":1]", 7), ("}", 1), ("[1]]", 4), ("{}{}", 3), ("1 2", 3), ("[1]x", 4), ("/* c */ 1", 1),
    ("[1 // c\n]", 4), ("\u{FEFF}\u{FEFF}1", 4), ("[1,\u{A0}2]", 4), ("[\u{C}1]", 2),
  ]

  @Test("Invalid JSON is rejected at the place of the fault", arguments: faulty.indices)
  func fault(_ index: Int) {
    let (text, column) = Self.faulty[index]
    let bytes = Array(text.utf8)
    for chunk in Self.chunks {
      let error = #expect(throws: TrackError.self, "\(text)") { try JSONTree.lexed(bytes, chunk: chunk) }
      #expect(error?.place.column == column, "\(text), chunks of \(chunk): \(error?.description ?? "")")
      #expect(error?.place.line == 1)
      #expect(error?.place.byteOffset == column - 1)
      #expect(error?.code == (column > bytes.count ? .truncated : .malformed), "\(text)")
    }
  }

  @Test("An error contains line, column and byte, wherever the window is")
  func place() {
    let lines = (0..<500).map { _ in "  [\"äöü\", 1.5, null, true],\r\n" }.joined()
    let text = "[\n" + lines + "   {\"x\": [1,\n2, oops]}]"
    for chunk in Self.chunks {
      let error = #expect(throws: TrackError.self) { try JSONTree.lexed(Array(text.utf8), chunk: chunk) }
      #expect(error?.place.line == 503)
      #expect(error?.place.column == 4)
      #expect(error?.place.byteOffset == text.utf8.count - "oops]}]".utf8.count)
      #expect(error?.offendingText == "oops")
    }
  }

  @Test("A recorded location stays valid after the window has moved", arguments: chunks)
  func mark(_ chunk: Int) throws {
    let text = "[\n1,\n  \"" + String(repeating: "x", count: 5000) + "\",\n\n 7]"
    var lexer = JSONLexer(ByteInput(bytes: Array(text.utf8), chunk: chunk))
    try lexer.beginArray()
    var places: [InputLocation] = []
    while try lexer.nextElement() {
      _ = try lexer.kind()
      let mark = lexer.mark()
      try lexer.skip()
      places.append(lexer.place(of: mark))
    }
    #expect(places.map(\.line) == [2, 3, 5])
    #expect(places.map(\.column) == [1, 3, 2])
    #expect(places.map(\.byteOffset) == [2, 7, 5013])
  }

  // MARK: Repairs

  static let unsoundTexts: [(bytes: [UInt8], repaired: String)] = [
    (Array("\"Z".utf8) + [0xFC] + Array("rich\"".utf8), "Z\u{FFFD}rich"),
    (Array("\"a\\ud800b\"".utf8), "a\u{FFFD}b"), (Array("\"\\udc00\"".utf8), "\u{FFFD}"),
    (Array("\"\\ud800\\u0041\"".utf8), "\u{FFFD}A"),
    (Array("\"\\ud800\\ud800\\udc00\"".utf8), "\u{FFFD}\u{10000}"),
    ([0x22, 0xC0, 0x80, 0x22], "\u{FFFD}\u{FFFD}"), ([0x22, 0xFF, 0x22], "\u{FFFD}"),
    // An encoded surrogate, a value above U+10FFFF, and a truncated character: one U+FFFD for each maximal
    // part.
    ([0x22, 0xED, 0xA0, 0x80, 0x22], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0x22, 0xE2, 0x82, 0x22], "\u{FFFD}"),
  ]

  @Test("Invalid Unicode is repaired with a warning, or rejected", arguments: unsoundTexts.indices)
  func repair(_ index: Int) throws {
    let (bytes, repaired) = Self.unsoundTexts[index]
    for chunk in Self.chunks {
      var lexer = JSONLexer(ByteInput(bytes: bytes, chunk: chunk))
      #expect(try lexer.string() == repaired)
      #expect(lexer.log.warnings.count == 1)
      #expect(throws: TrackError.self) { try JSONTree.lexed(bytes, chunk: chunk) }
    }
  }

  // MARK: Depth

  @Test("Deeply nested values are skipped without recursion, and rejected beyond the limit")
  func depth() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array((String(repeating: open, count: depth) + "0" + String(repeating: close, count: depth)).utf8)
    }
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":[", "]}]")] {
      var lexer = JSONLexer(ByteInput(bytes: nested(30_000, open, close)))
      try lexer.skip()
      #expect(try !lexer.nextText())
    }
    var lexer = JSONLexer(
      ByteInput(bytes: Array(repeating: UInt8(ascii: "["), count: JSONLexer.depthLimit + 2)))
    let error = #expect(throws: TrackError.self) { try lexer.skip() }
    #expect(error?.code == .limitExceeded)
  }

  @Test("Brackets in skipped values must match", arguments: ["[[1}]", "{\"a\":[}", "[{]}"])
  func skippingChecks(_ text: String) {
    var lexer = JSONLexer(ByteInput(bytes: Array(text.utf8)))
    let error = #expect(throws: TrackError.self) { try lexer.skip() }
    #expect(error?.code == .malformed)
  }

  // MARK: Copies

  @Test("A value is copied without white space and otherwise unchanged")
  func copy() throws {
    let text =
      " { \"a\" : [ 1.50 , -0 , \"x\\u0041 \\n y\" , { } , [ ] ] , \"b\" : { \"c\" : null , \"d\" : true } } "
    for chunk in Self.chunks {
      var lexer = JSONLexer(ByteInput(bytes: Array(text.utf8), chunk: chunk))
      #expect(try lexer.copyValue(limit: 1000))
      #expect(lexer.copied.string == #"{"a":[1.50,-0,"x\u0041 \n y",{},[]],"b":{"c":null,"d":true}}"#)
    }
  }

  @Test("A value that is too long is skipped")
  func copyLimit() throws {
    var lexer = JSONLexer(ByteInput(bytes: Array("[[1,2,3,4,5,6],7]".utf8)))
    try lexer.beginArray()
    #expect(try lexer.nextElement())
    #expect(try !lexer.copyValue(limit: 5))
    #expect(lexer.copied.count == 0)
    #expect(try lexer.nextElement())
    #expect(try lexer.number() == 7)
    #expect(try !lexer.nextElement())
  }

  @Test("Invalid Unicode is copied in its repaired form")
  func copyRepaired() throws {
    var lexer = JSONLexer(ByteInput(bytes: [0x5B, 0x22, 0xFF, 0x22, 0x5D]))
    #expect(try lexer.copyValue(limit: 100))
    #expect(lexer.copied.string == "[\"\u{FFFD}\"]")
  }

  // MARK: Sequences

  @Test("Texts follow each other, separated by white space or record separators", arguments: chunks)
  func sequence(_ chunk: Int) throws {
    let text = "\u{1E}{\"a\":1}\n\u{1E}[2]\n\n3 \u{1E}\u{1E} \"x\""
    var lexer = JSONLexer(ByteInput(bytes: Array(text.utf8), chunk: chunk))
    var trees: [JSONTree] = []
    while try lexer.nextText() { trees.append(try JSONTree(&lexer)) }
    #expect(trees == [.object(["a": .number(1)]), .array([.number(2)]), .number(3), .string("x")])
  }

  // MARK: UTF-16

  @Test(
    "UTF-16 is read like UTF-8, with or without a byte order mark", arguments: [true, false], [true, false])
  func utf16(_ isBig: Bool, _ hasMark: Bool) throws {
    let text = "{\"name\": \"Zürich → 東京 🚗\",\n \"n\": [1, 2.5]}"
    let bytes = Sample.utf16(text, isBig: isBig, hasMark: hasMark)
    let expected = try JSONTree.lexed(Array(text.utf8))
    for chunk in Self.chunks { #expect(try JSONTree.lexed(bytes, chunk: chunk) == expected) }
  }

  @Test("An incomplete code unit at the end of UTF-16 is an error, not a trap")
  func brokenUTF16() {
    let whole = Sample.utf16("[\"🚗🚗\"]", isBig: false)
    for count in 2..<whole.count {
      let bytes = Array(whole.prefix(count))
      #expect(throws: TrackError.self) { try JSONTree.lexed(bytes) }
    }
    let lone: [UInt8] = [0xFF, 0xFE, 0x22, 0, 0x3D, 0xD8, 0x22, 0]
    #expect(throws: Never.self) { try JSONTree.lexed(lone, isStrict: false) }
  }
}
