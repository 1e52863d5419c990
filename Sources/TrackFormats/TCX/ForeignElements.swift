import TrackModel

/// Elements without a meaning in the format, built while they are read.
struct ForeignElements {
  /// Those that are open, the outermost first.
  private var open: [ExtensionElement] = []

  mutating func begin(_ element: ExtensionElement) { open.append(element) }

  /// Adds a whole child to the innermost open element.
  mutating func add(_ child: ExtensionElement) { change { $0.content.append(.element(child)) } }

  mutating func add(text: String) { change { $0.content.append(.text(text)) } }

  mutating func add(_ attribute: ExtensionElement.Attribute) { change { $0.attributes.append(attribute) } }

  /// Ends the innermost open element.
  ///
  /// - Returns: the element where it was the outermost; nil where it is now part of the one around it.
  mutating func end() -> ExtensionElement? {
    guard let element = open.popLast() else { return nil }
    if open.isEmpty { return element }
    add(element)
    return nil
  }

  private mutating func change(_ change: (inout ExtensionElement) -> Void) {
    if let last = open.indices.last { change(&open[last]) }
  }
}
