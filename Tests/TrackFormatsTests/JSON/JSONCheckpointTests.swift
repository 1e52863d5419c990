import Testing
import TrackModel

@testable import TestSupport
@testable import TrackFormats

@Suite("JSON lexer: seeking")
struct JSONStandpointTests {
  @Test(
    "The lexer moves back to a recorded position, including the line count, and forward again",
    arguments: JSONLexerTests.chunks)
  func standpoints(_ chunk: Int) throws {
    let text = "{\"a\":\n[1,\n2],\n \"b\":3\n}"
    var lexer = JSONLexer(ByteInput(bytes: Array(text.utf8), chunk: chunk))
    let canGoBack = lexer.canGoBack
    #expect(canGoBack)
    try lexer.beginObject()
    let first = lexer.checkpoint()
    #expect(try lexer.nextMember() && lexer.text == "a")
    let value = lexer.checkpoint()
    try lexer.skip()
    let behind = lexer.checkpoint()
    #expect(try lexer.nextMember() && lexer.text == "b")
    for _ in 0..<2 {
      try lexer.go(to: value)
      try lexer.beginArray()
      #expect(try lexer.nextElement() && lexer.number() == 1)
      #expect(try lexer.nextElement() && lexer.number() == 2)
      #expect(lexer.placeOfText.line == 3 && lexer.placeOfText.column == 1)
      #expect(try !lexer.nextElement())
      try lexer.go(to: behind)
      #expect(try lexer.nextMember() && lexer.text == "b")
      #expect(lexer.placeOfText.line == 4 && lexer.placeOfText.column == 3)
      #expect(try lexer.number() == 3)
      // At a position where a comma would be invalid.
      try lexer.go(to: first)
      #expect(try lexer.nextMember() && lexer.text == "a")
    }
  }

  @Test("Streams and converted UTF-16 do not support seeking")
  func streams() throws {
    let bytes = Array("[1]".utf8)
    let pipe = JSONLexer(ByteInput(stream: BytePieces(bytes, chunk: 1), name: nil)).canGoBack
    #expect(!pipe)
    var lexer = JSONLexer(ByteInput(bytes: [0xFF, 0xFE] + bytes.flatMap { [$0, 0] }))
    #expect(try lexer.kind() == .array)
    let canGoBack = lexer.canGoBack
    #expect(!canGoBack)
  }

  /// A text, the nesting depth of its arrays, and the rest after them; nil if they are not arrays of that
  /// depth.
  static let arrays: [(String, Int, String?)] = [
    ("[[]]x", 2, "x"), ("[[1,2]],3", 2, ",3"), ("[[1,2],[3,4]]}", 2, "}"), ("  [ [1,2] , [3,4] ]}", 2, "}"),
    ("[[1,2],\n[3,4]\n]\n}", 2, "\n}"), ("[[[1,2],[3,4]],[[5,6]]],[", 3, ",["),
    ("[[[1,2]] ,[[5,6] ] ] ", 3, " "),
    ("[[1,2],[3,4],[]]}", 2, "}"), ("[[[1,2]],[[3,4],[]]]}", 3, "}"),
    // Longer than a block of 64 bytes.
    ("[" + (0..<9).map { "[\($0).5,47.25,500]" }.joined(separator: ",") + "]}", 2, "}"),
    ("[" + (0..<9).map { "[ \($0).75,-47.255,1500]" }.joined(separator: ",") + "]}", 2, "}"),
    ("[" + (0..<99).map { "[\($0 * 1001),\($0)]" }.joined(separator: ",\n") + "]}", 2, "}"),
    ("[]}", 2, nil), ("[[1,2]}", 2, nil), ("[[1,2],\"]]\"]", 2, nil), ("[[1,2],[3,4]", 2, nil), ("", 2, nil),
    ("7", 2, nil), ("{\"a\":[[1]]}", 2, nil), ("[[1,2] [3]]", 2, nil), ("[[1,2],[3,4", 2, nil),
    ("\"]]\"", 2, nil),
    ("[" + String(repeating: "[1,2],", count: 50) + "\"]]", 2, nil),
  ]

  @Test("Nested arrays of numbers are skipped to their end", arguments: arrays.indices)
  func passingOver(_ index: Int) throws {
    let (text, depth, rest) = Self.arrays[index]
    for chunk in JSONLexerTests.chunks + [29, 31, 32, 33] {
      var lexer = JSONLexer(ByteInput(bytes: Array(text.utf8), chunk: chunk))
      guard let rest else {
        let isPassed = (try? lexer.skipArrays(depth: depth)) ?? false
        #expect(!isPassed, "\(text), chunks of \(chunk)")
        continue
      }
      #expect(try lexer.skipArrays(depth: depth), "\(text), chunks of \(chunk)")
      #expect(lexer.place.byteOffset == text.utf8.count - rest.utf8.count)
      #expect(lexer.place.line == text.dropLast(rest.count).count { $0 == "\n" } + 1)
    }
  }

  @Test("The end of nested arrays, and a string in them, are found at each place in a block")
  func placesInBlocks() throws {
    for length in 0..<140 {
      let start = "[" + String(repeating: "[1,2],", count: 30) + String(repeating: " ", count: length)
      for (end, isArray) in [("[3,4]]", true), ("[3,4] ]", true), ("\"[\"]]", false), ("[3,4] [5]]", false)] {
        let text = start + end
        let rest = "," + String(repeating: "5", count: 70)
        var lexer = JSONLexer(ByteInput(bytes: Array((text + rest).utf8)))
        let isPassed = (try? lexer.skipArrays(depth: 2)) ?? false
        #expect(isPassed == isArray, "\(length) blanks before \(end)")
        if isArray { #expect(lexer.place.byteOffset == text.utf8.count) }
      }
    }
  }
}
