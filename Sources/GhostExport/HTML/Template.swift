/// A text template in a subset of Mustache.
///
/// `{{name}}` is replaced with a value, `{{#name}}…{{/name}}` is repeated for each item of a list, and
/// `{{^name}}…{{/name}}` appears only if the list is empty. Names are looked up in the innermost item first.
/// A line that contains only a section tag is removed.
///
/// Text is escaped for its context: as HTML in character data and attributes, as a JSON string in a `script`
/// element, as CSS in a `style` element.
struct Template: Sendable {
  enum Value: Sendable, ExpressibleByStringInterpolation {
    /// Text, escaped for its context.
    case text(String)
    /// Text that is inserted unchanged.
    case trusted(String)
    /// The items of a section.
    case list([[String: Value]])

    init(stringLiteral value: String) { self = .text(value) }

    static func markup(_ markup: Markup) -> Value { .trusted(markup.text) }
    static func number(_ value: Int) -> Value { .trusted(String(value)) }
    /// A number with up to `decimals` decimals, without an exponent.
    static func number(_ value: Double, decimals: Int) -> Value { .trusted(Quantity.fixed(value, decimals)) }
    /// A section that appears once if a condition holds.
    static func when(_ condition: Bool) -> Value { .list(condition ? [[:]] : []) }
    /// A section that appears once if there are values.
    static func optional(_ values: [String: Value]?) -> Value { .list(values.map { [$0] } ?? []) }
  }

  private indirect enum Node {
    case literal(String)
    case value(name: String, Escaping)
    case section(name: String, isInverted: Bool, [Node])
  }

  private let nodes: [Node]

  init(_ source: String) {
    var parser = Parser(rest: Template.joiningTagLines(source)[...])
    nodes = parser.nodes(of: nil)
  }

  /// Returns the text with all values inserted.
  func callAsFunction(_ values: [String: Value]) -> Markup {
    var text = ""
    Template.append(nodes, [values], to: &text)
    return Markup(trusted: text)
  }

  private static func append(_ nodes: [Node], _ scopes: [[String: Value]], to text: inout String) {
    func value(_ name: String) -> Value {
      for scope in scopes.reversed() { if let value = scope[name] { return value } }
      assertionFailure("no value for \(name)")
      return .list([])
    }
    for node in nodes {
      switch node {
      case .literal(let literal): text += literal
      case .value(let name, let escaping):
        switch value(name) {
        case .text(let value): text += escaping(value)
        case .trusted(let value): text += value
        case .list: assertionFailure("\(name) is a section")
        }
      case .section(let name, let isInverted, let nodes):
        guard case .list(let items) = value(name) else {
          assertionFailure("\(name) is not a section")
          continue
        }
        if !isInverted {
          for item in items { append(nodes, scopes + [item], to: &text) }
        } else if items.isEmpty {
          append(nodes, scopes, to: &text)
        }
      }
    }
  }

  /// Joins each line that consists of a single section tag with the next line.
  private static func joiningTagLines(_ source: String) -> String {
    var text = ""
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let isTag =
        ["{{#", "{{^", "{{/"].contains { line.hasPrefix($0) }
        && line.firstRange(of: "}}")?.upperBound == line.endIndex
      text += isTag ? line : line + "\n"
    }
    // The split adds an empty line after the last line break.
    return String(text.dropLast())
  }

  private struct Parser {
    var rest: Substring
    private var escaping = Escaping.html

    init(rest: Substring) { self.rest = rest }

    /// Parses the nodes up to the end of a section or of the source.
    mutating func nodes(of section: String?) -> [Node] {
      var nodes: [Node] = []
      while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
        let literal = String(rest[..<open.lowerBound])
        let tag = rest[open.upperBound..<close.lowerBound]
        rest = rest[close.upperBound...]
        escaping = escaping.after(literal)
        nodes.append(.literal(literal))
        let name = String(tag.drop { "#^/".contains($0) })
        switch tag.first {
        case "#", "^":
          nodes.append(.section(name: name, isInverted: tag.first == "^", self.nodes(of: name)))
        case "/":
          assert(name == section, "{{/\(name)}} ends {{#\(section ?? "")}}")
          return nodes
        default: nodes.append(.value(name: name, escaping))
        }
      }
      assert(section == nil, "{{#\(section ?? "")}} has no end")
      nodes.append(.literal(String(rest)))
      rest = ""
      return nodes
    }
  }
}
