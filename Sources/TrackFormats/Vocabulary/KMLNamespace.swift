/// The namespaces of KML files.
enum KMLNamespace {
  static let kml22 = "http://www.opengis.net/kml/2.2"
  static let gx22 = "http://www.google.com/kml/ext/2.2"
  static let atom = "http://www.w3.org/2005/Atom"
  static let xal = "urn:oasis:names:tc:ciq:xsdschema:xAL:2.0"
  static let xsi = "http://www.w3.org/2001/XMLSchema-instance"

  /// Returns whether a namespace is one of KML: 2.0 to 2.2 by Google, 2.2 and 2.3 by the OGC.
  static func isKML(_ namespace: String) -> Bool {
    namespace.hasPrefix("http://www.opengis.net/kml/") || namespace.hasPrefix("http://earth.google.com/kml/")
      || namespace.hasPrefix("https://www.opengis.net/kml/")
  }

  /// Returns whether a namespace is one of Google's extensions, in any version.
  static func isExtension(_ namespace: String) -> Bool {
    namespace.hasPrefix("http://www.google.com/kml/ext/")
  }

  /// Returns whether a KML writer always declares the namespace, or never needs it.
  static func isKnown(_ namespace: String) -> Bool {
    isKML(namespace) || isExtension(namespace) || [atom, xal, xsi].contains(namespace)
  }
}
