import TrackModel

/// A value of `ExtendedData`.
struct KMLData {
  var name: String
  var displayName: String?
  var value: String

  /// The value as an extension element that can be written again.
  var element: ExtensionElement {
    func leaf(_ name: String, _ text: String) -> ExtensionElement.Content {
      .element(ExtensionElement(namespace: KMLNamespace.kml22, prefix: "kml", name: name, text: text))
    }
    return ExtensionElement(
      namespace: KMLNamespace.kml22, prefix: "kml", name: "Data",
      attributes: [ExtensionElement.Attribute(name: "name", value: name)],
      content: (displayName.map { [leaf("displayName", $0)] } ?? []) + [leaf("value", value)])
  }
}

extension KMLData {
  /// Creates the value of an extension element created by ``element``. Returns nil for other elements.
  init?(_ element: ExtensionElement) {
    guard element.name == "Data", let namespace = element.namespace, KMLNamespace.isKML(namespace),
      let name = element.attributes.first(where: { $0.name == "name" })?.value
    else { return nil }
    let children = element.children
    guard let value = children.first(where: { $0.name == "value" }) else { return nil }
    self.init(
      name: name, displayName: children.first { $0.name == "displayName" }?.text, value: value.text)
  }
}
