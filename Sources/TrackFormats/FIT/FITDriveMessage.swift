import TrackModel

/// The ``DriveElement`` of a course as a FIT message.
///
/// The profile leaves the numbers from 0xFF00 to manufacturers, and readers skip those that they do not know.
/// Developer fields would require version 2 of the protocol, which older devices reject.
enum FITDriveMessage {
  /// Field 0 contains ``DriveElement/namespace``. The following fields contain the texts of
  /// ``DriveElement/attributes``.
  static let number: UInt16 = 0xFF00
  private static let longestText = 254

  static func bytes(of element: ExtensionElement, local: UInt8) -> FITMessageBytes {
    var message = FITMessageBytes(number, local: local)
    message.add(0, DriveElement.namespace)
    for (field, name) in DriveElement.attributes.enumerated() {
      guard let value = element.value(of: name), value.utf8.count <= longestText else { continue }
      message.add(UInt8(field + 1), value)
    }
    return message
  }

  /// Returns the element of a message, or nil for a message of another manufacturer.
  static func element(_ definition: FITDefinition, _ bytes: Span<UInt8>) -> ExtensionElement? {
    guard definition.text(0, in: bytes) == DriveElement.namespace else { return nil }
    var attributes: [ExtensionElement.Attribute] = []
    for (field, name) in DriveElement.attributes.enumerated() {
      guard let value = definition.text(UInt8(field + 1), in: bytes) else { continue }
      attributes.append(ExtensionElement.Attribute(name: name, value: value))
    }
    return DriveElement.make(attributes)
  }
}
