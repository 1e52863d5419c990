import TrackModel

/// A `Creator` or `Author`: the device or program that created a file. The model keeps its name.
///
/// The schema requires numbers in addition to the name, which only a device has. Missing numbers are written
/// as zeros, and an element with only zeros contains no information beyond its name.
struct TCXSource {
  private let name: String
  /// The element that was read, if any, for its numbers.
  private let element: ExtensionElement?

  /// - Parameter element: the element kept from a TCX file. Its name is used only if `name` is nil.
  init?(name: String?, element: ExtensionElement?) {
    guard let name = name ?? element.flatMap(TCXSource.name) else { return nil }
    self.name = TCXSource.token(name)
    self.element = element
  }

  /// Returns the name inside a `Creator` or `Author`.
  static func name(_ element: ExtensionElement) -> String? {
    let text = element.children.first { $0.name == "Name" }.map { token($0.text) }
    return text?.isEmpty == false ? text : nil
  }

  /// Returns whether everything except the name is zero.
  static func hasOnlyName(_ element: ExtensionElement) -> Bool {
    element.children.allSatisfy { child in
      switch child.name {
      case "Name", "LangID": true
      default:
        child.text.utf8.allSatisfy { $0 <= 0x20 || $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "-") }
          && hasOnlyName(child)
      }
    }
  }

  /// Returns a text with white space trimmed and collapsed, like XML Schema's token type.
  static func token(_ text: String) -> String {
    text.unicodeScalars.split { [" ", "\t", "\n", "\r"].contains($0) }
      .map { String($0) }.joined(separator: " ")
  }

  /// Appends the element. The output is valid even if the element that was read was not.
  func append(as tag: StaticString, isDevice: Bool, to bytes: inout ByteBuffer) {
    let isDevice = element.map { TCXSource.isDevice($0) ?? isDevice } ?? isDevice
    bytes.append("<")
    bytes.append(tag)
    bytes.append(isDevice ? " xsi:type=\"Device_t\">" : " xsi:type=\"Application_t\">" as StaticString)
    bytes.append(element: "Name", name)
    if isDevice {
      bytes.append(element: "UnitId", number("UnitId", in: element, below: 1 << 32))
      bytes.append(element: "ProductID", number("ProductID", in: element, below: 1 << 16))
      append(version: child("Version", of: element), to: &bytes)
    } else {
      appendBuild(child("Build", of: element), to: &bytes)
      let language = text("LangID", in: element)
      bytes.append(element: "LangID", language.unicodeScalars.count == 2 ? language : "en")
      let part = text("PartNumber", in: element)
      bytes.append(element: "PartNumber", TCXSource.isPartNumber(part) ? part : "000-00000-00")
    }
    bytes.close(tag)
  }

  /// Returns whether the element is a device, by its type or else by its children; nil if neither determines
  /// it.
  private static func isDevice(_ element: ExtensionElement) -> Bool? {
    let type = element.attributes.first { $0.name == "type" && $0.namespace == TCXNamespace.xsi }?.value
    if type?.hasSuffix("Device_t") == true { return true }
    if type?.hasSuffix("Application_t") == true { return false }
    // A file of another format may have kept the element without its type.
    if element.children.contains(where: { $0.name == "UnitId" }) { return true }
    return element.children.contains { $0.name == "Build" } ? false : nil
  }

  private func appendBuild(_ build: ExtensionElement?, to bytes: inout ByteBuffer) {
    bytes.append("<Build>")
    append(version: child("Version", of: build), to: &bytes)
    let type = text("Type", in: build)
    if ["Internal", "Alpha", "Beta", "Release"].contains(type) { bytes.append(element: "Type", type) }
    for (name, tag) in [("Time", "Time" as StaticString), ("Builder", "Builder")] {
      let text = text(name, in: build)
      if !text.isEmpty { bytes.append(element: tag, text) }
    }
    bytes.append("</Build>")
  }

  private func append(version: ExtensionElement?, to bytes: inout ByteBuffer) {
    bytes.append("<Version>")
    bytes.append(element: "VersionMajor", number("VersionMajor", in: version, below: 1 << 16))
    bytes.append(element: "VersionMinor", number("VersionMinor", in: version, below: 1 << 16))
    // The schema allows a minor build only after a major one; both are optional.
    if child("BuildMajor", of: version) != nil {
      bytes.append(element: "BuildMajor", number("BuildMajor", in: version, below: 1 << 16))
      if child("BuildMinor", of: version) != nil {
        bytes.append(element: "BuildMinor", number("BuildMinor", in: version, below: 1 << 16))
      }
    }
    bytes.append("</Version>")
  }

  private func child(_ name: String, of element: ExtensionElement?) -> ExtensionElement? {
    element?.children.first { $0.name == name }
  }

  private func text(_ name: String, in element: ExtensionElement?) -> String {
    child(name, of: element).map { TCXSource.token($0.text) } ?? ""
  }

  /// Returns a whole number as text; 0 if it is invalid or too large.
  private func number(_ name: String, in element: ExtensionElement?, below limit: UInt64) -> String {
    guard let value = UInt64(text(name, in: element)), value < limit else { return "0" }
    return String(value)
  }

  /// Returns whether a text has the form `XXX-XXXXX-XX`, of digits and capital letters.
  private static func isPartNumber(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [3, 5, 2]
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == 0x2D }
  }
}
