import Testing
import TrackModel

@testable import TrackFormats

@Suite("Shapes of repeating XML elements")
struct XMLRowShapesTests {
  private static let learning = XMLRowLearning(
    elements: 0...1,
    grammar: { code, parent, isAttribute in
      switch (code, parent, isAttribute) {
      case (0, nil, false): [.number(field: 10, limit: 180), .number(field: 20, limit: 90)]
      case (1, nil, false), (6, 1, false): [.container]
      case (2, 1, true): [.number(field: 20, limit: 90)]
      case (3, 1, false), (3, 6, false): [.number(field: 30, limit: .infinity)]
      case (4, 1, false): [.time]
      default: nil
      }
    }, accepts: { $0.contains(20) })

  private static let codes: [String: UInt16] = [
    "c": 0, "p": 1, "lat": 2, "ele": 3, "time": 4, "other": 5, "ext": 6,
  ]

  private static func steps(_ text: String) -> [XMLRowShapes.Step]? {
    learning.steps(Array(text.utf8).span) { name, isAttribute in
      let name = String(decoding: name.array, as: UTF8.self)
      return (name == "lat") == isAttribute ? codes[name] : nil
    }
  }

  private static func shapes(_ texts: String...) throws -> XMLRowShapes {
    var shapes = XMLRowShapes()
    for text in texts { #expect(shapes.add(try #require(steps(text)))) }
    return shapes
  }

  private static let row = "\n  <p lat=\"1\"><ele>2</ele>\n<time>2024-05-17T06:12:30Z</time></p>"

  @Test("Later rows of a learned shape give their values and their line feeds")
  func values() throws {
    let shapes = try XMLRowShapesTests.shapes(XMLRowShapesTests.row)
    let text = "\n  <p lat=\"-46.25\"><ele>540.5</ele>\n<time>1970-01-01T00:00:01.5+00:00</time></p>\n  <p>"
    var row = XMLRow()
    let outcome = shapes.read(Array(text.utf8).span, into: &row)
    #expect(outcome == .row(end: text.utf8.count - 6, lines: 2, lineStart: 36))
    #expect(row.count == 2)
    #expect(row.fields[0] == 20 && row.fields[1] == 30)
    #expect(row.numbers[0] == -46.25 && row.numbers[1] == 540.5)
    #expect(row.time == 1_500_000)
  }

  @Test("Shapes that begin alike are distinguished by their later bytes")
  func branches() throws {
    let shapes = try XMLRowShapesTests.shapes(
      "<p lat=\"1\"><ele>2</ele></p>", "<p lat=\"1\"><ele>2</ele><ext><ele>3</ele></ext></p>",
      "<p lat=\"1\"></p>", "<p lat='1'/>")
    for (text, numbers) in [
      ("<p lat=\"4\"><ele>5</ele></p>        ", [4.0, 5]),
      ("<p lat=\"4\"><ele>5</ele><ext><ele>6</ele></ext></p>        ", [4, 5, 6]),
      ("<p lat=\"4\"></p>        ", [4]), ("<p lat='7'/>        ", [7]),
    ] {
      var row = XMLRow()
      let outcome = shapes.read(Array(text.utf8).span, into: &row)
      #expect(outcome == .row(end: text.utf8.count - 8, lines: 0, lineStart: 0))
      #expect((0..<row.count).map { row.numbers[$0] } == numbers)
      #expect(row.time == Instant.absent)
    }
  }

  @Test("A row may be a leaf of several values")
  func leaf() throws {
    let shapes = try XMLRowShapesTests.shapes("\n<c>1 2</c>")
    let text = "\n<c>-7.5 47</c>        "
    var row = XMLRow()
    let outcome = shapes.read(Array(text.utf8).span, into: &row)
    #expect(outcome == .row(end: text.utf8.count - 8, lines: 1, lineStart: 1))
    #expect(row.count == 2 && row.fields[0] == 10 && row.fields[1] == 20)
    #expect(row.numbers[0] == -7.5 && row.numbers[1] == 47)
    for other in ["7.5  47", "7.5,47", "7.5 91", "7.5", "7.5 47 ", "7.5 47 1"] {
      let text = "\n<c>\(other)</c>        "
      #expect(shapes.read(Array(text.utf8).span, into: &row) == .other, "\(text)")
    }
  }

  @Test(
    "Rows with other bytes or with invalid values are left to the grammar",
    arguments: [
      ("540", "541 "), ("\"1\"", "\"91\""), ("\"1\"", "\"\""), ("\"1\"", "\"NaN\""), ("\"1\"", "\" 1\""),
      ("</ele>", "</elf>"), ("</ele>", "</ele> "), ("<p ", "<q "), ("</p>", "<a/></p>"), ("\n", " \n"),
      ("30Z", "30"), ("30Z", "61Z"), ("05-17", "02-30"), ("2024", "\n2024"), ("30Z", "30Z\n"),
      ("540", String(repeating: "0", count: 65)),
      ("</p>", "</p >"), ("540", "5&#52;0"), ("540", "<!-- -->540"), ("540", "0x5"), ("540", "5e"),
    ])
  func unlike(_ original: String, _ replacement: String) throws {
    let usual = "\n<p lat=\"1\"><ele>540</ele><time>2024-05-17T06:12:30Z</time></p>"
    let shapes = try XMLRowShapesTests.shapes(usual)
    let text = usual.replacing(original, with: replacement, maxReplacements: 1)
    var row = XMLRow()
    #expect(shapes.read(Array((usual + "        ").utf8).span, into: &row) != .other)
    #expect(shapes.read(Array((text + "        ").utf8).span, into: &row) == .other, "\(text)")
  }

  @Test("A row that continues after the bytes is never taken")
  func cut() throws {
    let shapes = try XMLRowShapesTests.shapes(XMLRowShapesTests.row)
    let bytes = Array(XMLRowShapesTests.row.utf8)
    var row = XMLRow()
    for count in 0..<bytes.count {
      let outcome = shapes.read(bytes.span.extracting(0..<count), into: &row)
      #expect(outcome == .cut || outcome == .other, "\(count) bytes")
    }
  }

  @Test(
    "Only rows of plain values have a shape",
    arguments: [
      "<p><ele>2</ele></p>", "<p lat=\"1\" lat=\"2\"/>", "<p lat=\"1\" id=\"2\"/>", "<q lat=\"1\"/>",
      "<p lat=\"1\"><ele/></p>", "<p lat=\"1\"><ele></ele></p>", "<p lat=\"1\"><ele a=\"b\">2</ele></p>",
      "<p lat=\"1\">text</p>", "<p lat=\"1\"><other>2</other></p>", "<p lat=\"1\"><!-- --></p>",
      "<p lat=\"1\"><ext>2</ext></p>", "<p lat=\"1\"><ext><time>2</time></ext></p>",
      "<p lat=\"1\"><ele>2</time></p>", "<p lat=\"1\"><ele>2</ele></q>", "<p lat=\"1\"><ele>2</ele>",
      "<c>1</c>", "<c>1 2 3</c>", "<c>1 </c>", "<c/>", "<c></c>", "<c lat=\"1\">1 2</c>", "<c>1 2",
      "<c>1 <ele>2</ele></c>",
      "<p lat=\"1\"><lat>2</lat></p>", "<p lat=\"1\" ele=\"2\"/>",
      "<p lat=\"1\"", "", "<", "<p", "<p lat", "<p lat=", "<p lat=\"", "<p lat=\"1\"/", "</p>",
      "<p lat=\"1\">" + String(repeating: " ", count: 600) + "<ele>2</ele></p>",
      "<p lat=\"1\">" + String(repeating: "<ele>2</ele>", count: 40) + "</p>",
    ])
  func shapeless(_ text: String) { #expect(XMLRowShapesTests.steps(text) == nil) }

  @Test("The number of shapes is limited, and a known shape is not added again")
  func limit() throws {
    var shapes = try XMLRowShapesTests.shapes(XMLRowShapesTests.row)
    #expect(!shapes.add(try #require(XMLRowShapesTests.steps(XMLRowShapesTests.row))))
    var added = 0
    for count in 1..<400 {
      let text = "<p lat=\"1\">" + String(repeating: " ", count: count) + "<ele>2</ele></p>"
      added += shapes.add(try #require(XMLRowShapesTests.steps(text))) ? 1 : 0
    }
    #expect(added > 10 && added < 100)
  }
}
