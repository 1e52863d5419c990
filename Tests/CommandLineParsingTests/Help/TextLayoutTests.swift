import Testing

@testable import CommandLineParsing

struct TextLayoutTests {
  @Test(
    "Words fill lines up to the width, unless a single word is longer",
    arguments: [
      ("", []), ("one", ["one"]), ("aa bb cc", ["aa bb", "cc"]), ("aaa bbb", ["aaa", "bbb"]),
      ("  aa\n bb ", ["aa bb"]), ("aaaaaaaa b", ["aaaaaaaa", "b"]),
    ] as [(String, [String])])
  func wrapping(text: String, lines: [String]) {
    #expect(wrap(text, to: 5) == lines)
  }

  @Test("Blank lines separate paragraphs")
  func paragraphs() {
    #expect(splitParagraphs("a\nb\n\n \nc\n") == [["a", "b"], ["c"]])
    #expect(splitParagraphs("") == [])
  }

  @Test("The text of a label wider than the column starts on the next line")
  func wideLabel() {
    var layout = TextLayout(width: 40, styled: false)
    layout.columns([("ab", "first"), (String(repeating: "x", count: 27), "second"), ("c", "")])
    #expect(
      layout.text == """
          ab  first
          xxxxxxxxxxxxxxxxxxxxxxxxxxx
              second
          c

        """)
  }
}
