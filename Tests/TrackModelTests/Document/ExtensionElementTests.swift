import Testing
import TrackModel

@Suite("Extension elements")
struct ExtensionElementTests {
  private let mixed = ExtensionElement(
    namespace: "urn:x", prefix: "x", name: "note",
    content: [
      .text("a"), .element(ExtensionElement(name: "b", content: [.text("inner")])), .text("c"),
      .element(ExtensionElement(name: "d")),
    ])

  @Test("The children are the directly contained elements, in order")
  func children() {
    #expect(mixed.children.map(\.name) == ["b", "d"])
    #expect(ExtensionElement(name: "empty").children.isEmpty)
  }

  @Test("The text is the joined direct text, without that of children")
  func text() {
    #expect(mixed.text == "ac")
    #expect(ExtensionElement(name: "empty").text.isEmpty)
  }

  @Test("An element created from text contains it, or nothing if the text is empty")
  func madeOfText() {
    let element = ExtensionElement(namespace: "urn:x", prefix: nil, name: "hr", text: "120")
    #expect(element.content == [.text("120")])
    #expect(element.text == "120")
    #expect(ExtensionElement(namespace: nil, prefix: nil, name: "hr", text: "").content.isEmpty)
  }

  @Test("Elements differ by namespace, attributes and the order of their content")
  func equality() {
    var other = mixed
    #expect(other == mixed)
    other.namespace = "urn:y"
    #expect(other != mixed)
    other = mixed
    other.attributes.append(ExtensionElement.Attribute(name: "id", value: "1"))
    #expect(other != mixed)
    other = mixed
    other.content.reverse()
    #expect(other != mixed)
  }
}
