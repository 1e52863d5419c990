import Testing

@testable import GhostExport

struct MarkupTests {
  @Test("Text in markup is escaped")
  func escape() {
    let text = "</p>\"&"
    let element: Markup = "<p title=\"\(text)\">\(text)</p>"
    #expect(element.text == "<p title=\"&lt;/p&gt;&quot;&amp;\">&lt;/p&gt;&quot;&amp;</p>")
  }

  @Test("Markup in markup is not changed")
  func nesting() {
    let inner: Markup = "<b>\("&")</b>"
    let outer: Markup = "<p>\(inner)\(3) \(1.25, decimals: 1)</p>"
    #expect(outer.text == "<p><b>&amp;</b>3 1.3</p>")
  }
}
