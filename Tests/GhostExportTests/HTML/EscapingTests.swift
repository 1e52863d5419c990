import Foundation
import Testing

@testable import GhostExport

struct EscapingTests {
  @Test(
    "Text does not become HTML",
    arguments: [
      ("plain", "plain"), ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
      ("\"quoted\" 'too'", "&quot;quoted&quot; &#39;too&#39;"), ("</script>", "&lt;/script&gt;"),
      ("Grüße 🚗", "Grüße 🚗"), ("two\nlines\tand a tab", "two lines and a tab"),
      ("\u{0}\u{1B}\u{7F}\u{9F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("a\u{202E}b", "a\u{FFFD}b"),
      ("a\u{2067}b", "a\u{FFFD}b"), ("\u{61C}\u{200E}\u{200F}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("\u{2028}", "\u{FFFD}"), ("\u{1F468}\u{200D}\u{1F467}", "\u{1F468}\u{200D}\u{1F467}"),
      ("\u{FFFF}", "\u{FFFD}"), ("", ""),
    ])
  func html(text: String, escaped: String) {
    #expect(Escaping.html(text) == escaped)
  }

  @Test(
    "A JSON string is decoded to the same text, and cannot end a script",
    arguments: ["plain", "</script><!--", "\"quoted\" \\ 'too' &", "Grüße 🚗", ""])
  func json(text: String) throws {
    let escaped = Escaping.json(text)
    #expect(
      escaped.utf8.dropFirst().dropLast().allSatisfy {
        (32..<127).contains($0) && !"<>&'\"".utf8.contains($0)
      })
    let read = try JSONSerialization.jsonObject(with: Data(escaped.utf8), options: .fragmentsAllowed)
    #expect(read as? String == text)
  }

  @Test("Characters that a page must not contain are also replaced in JSON")
  func harmful() {
    #expect(Escaping.json("a\u{202E}\u{1}") == "\"a\\ufffd\\ufffd\"")
  }

  @Test(
    "CSS keeps colours and identifiers, and escapes other text (CSS Syntax, section 4.3.7)",
    arguments: [
      ("#0072b2", "#0072b2"), ("--d0", "--d0"), ("1.5%", "1.5%"),
      ("red;}</style>", "red\\3b \\7d \\3c \\2f style\\3e "),
    ])
  func css(text: String, escaped: String) {
    #expect(Escaping.css(text) == escaped)
  }
}
