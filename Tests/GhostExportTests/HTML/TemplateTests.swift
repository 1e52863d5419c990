import Testing

@testable import GhostExport

struct TemplateTests {
  @Test("Text is escaped for its context: HTML, JSON in a script, CSS in a style")
  func contexts() {
    let template = Template(
      "<p title=\"{{x}}\">{{x}}</p><style>{{x}}</style><script type=\"a\">f({{x}})</script><i>{{x}}</i>")
    #expect(
      template(["x": "<'"]).text
        == "<p title=\"&lt;&#39;\">&lt;&#39;</p><style>\\3c \\27 </style>"
        + "<script type=\"a\">f(\"\\u003c\\u0027\")</script><i>&lt;&#39;</i>")
  }

  @Test("Trusted text and numbers are inserted unchanged")
  func trusted() {
    let template = Template("{{a}} {{b}} {{c}} {{d}}")
    let text = template([
      "a": .trusted("<b>"), "b": .markup("<i>\("&")</i>"), "c": .number(7), "d": .number(1.25, decimals: 1),
    ])
    #expect(text.text == "<b> <i>&amp;</i> 7 1.3")
  }

  @Test("A section is repeated for each item, whose names hide outer names")
  func sections() {
    let template = Template("{{#rows}}{{name}}{{unit}},{{/rows}}{{^rows}}none{{/rows}}{{name}}")
    let rows: [[String: Template.Value]] = [["name": "a"], [:]]
    #expect(template(["rows": .list(rows), "name": "x", "unit": "m"]).text == "am,xm,x")
    #expect(template(["rows": .list([]), "name": "x", "unit": "m"]).text == "nonex")
  }

  @Test("A section with a condition appears once or not at all", arguments: [true, false])
  func conditions(holds: Bool) {
    let template = Template("{{#a}}yes{{/a}}{{^a}}no{{/a}} {{#b}}{{c}}{{/b}}")
    let text = template(["a": .when(holds), "b": .optional(holds ? ["c": "there"] : nil)]).text
    #expect(text == (holds ? "yes there" : "no "))
  }

  @Test("A line that contains only a section tag is removed")
  func lines() {
    let template = Template("<ul>\n{{#rows}}\n<li>{{name}}</li>\n{{/rows}}\n</ul>\n")
    #expect(
      template(["rows": .list([["name": "a"], ["name": "b"]])]).text
        == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n")
  }

  @Test("Values are not expanded as templates")
  func noInjection() {
    #expect(Template("{{a}}")(["a": "{{b}}", "b": "x"]).text == "{{b}}")
  }
}
