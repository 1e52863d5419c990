import Testing

@testable import GhostExport

struct MarkupTests {
  @Test(
    "Text cannot become markup",
    arguments: [
      ("plain", "plain"), ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
      ("\"quoted\" 'too'", "&quot;quoted&quot; &#39;too&#39;"), ("</script>", "&lt;/script&gt;"),
      ("Grüße 🚗", "Grüße 🚗"), ("two\nlines\tand a tab", "two lines and a tab"),
      ("\u{0}\u{1B}\u{7F}\u{9F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"), ("a\u{202E}b", "a\u{FFFD}b"),
      ("a\u{2067}b", "a\u{FFFD}b"), ("\u{FFFF}", "\u{FFFD}"), ("", ""),
    ])
  func escape(text: String, escaped: String) {
    #expect(Markup.escape(text) == escaped)
    let element: Markup = "<p title=\"\(text)\">\(text)</p>"
    #expect(element.text == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test("Markup in markup stays as it is")
  func nesting() {
    let inner: Markup = "<b>\("&")</b>"
    let outer: Markup = "<p>\(inner)\(3) \(1.25, decimals: 1)</p>"
    #expect(outer.text == "<p><b>&amp;</b>3 1.3</p>")
  }
}
