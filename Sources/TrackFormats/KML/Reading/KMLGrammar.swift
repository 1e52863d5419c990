/// The names of KML 2.0 to 2.3 and of Google's extensions.
enum KMLElement: UInt16 {
  /// An unknown name; also the tape's code for unknown names.
  case other = 0
  case kml
  /// `Document` and `Folder`.
  case container
  case placemark
  case name, description, snippet, address
  case author, link, uri, email, generator
  // Attributes.
  case id, href, schemaUrl, title, type
  case styleUrl, style, styleMap, cascadingStyle, pair, key, lineStyle, iconStyle, icon, color, width
  case timeStamp, timeSpan, begin, end
  case extendedData, data, value, displayName, schemaData, simpleData
  case schema, simpleArrayField, simpleArrayData
  case point, lineString, multiGeometry, track, coordinates, angles, altitudeMode
  // The rows of a `gx:Track`.
  case coord, when
  /// `Polygon`, `LinearRing`, `Model`: geometries other than lines and points.
  case area
  /// Pictures laid over the map, with their points.
  case overlay
  case tour
  case networkLink
  /// Presentation settings of features, which tracks cannot represent.
  case presentation

  private static let core: [String: KMLElement] = {
    var names: [String: KMLElement] = [
      "kml": .kml, "Document": .container, "Folder": .container, "Placemark": .placemark, "name": .name,
      "description": .description, "Snippet": .snippet, "snippet": .snippet, "address": .address,
      "id": .id, "href": .href, "schemaUrl": .schemaUrl, "title": .title, "type": .type,
      "styleUrl": .styleUrl, "Style": .style, "StyleMap": .styleMap, "CascadingStyle": .cascadingStyle,
      "Pair": .pair, "key": .key, "LineStyle": .lineStyle, "IconStyle": .iconStyle, "Icon": .icon,
      "color": .color, "width": .width, "TimeStamp": .timeStamp, "TimeSpan": .timeSpan,
      "TimeInstant": .timeStamp, "TimePeriod": .timeSpan, "when": .when, "begin": .begin, "end": .end,
      "timePosition": .when, "ExtendedData": .extendedData, "Metadata": .extendedData, "Data": .data,
      "value": .value, "displayName": .displayName, "SchemaData": .schemaData, "SimpleData": .simpleData,
      "Schema": .schema, "SimpleArrayField": .simpleArrayField, "SimpleArrayData": .simpleArrayData,
      "Point": .point, "LineString": .lineString, "MultiGeometry": .multiGeometry,
      "GeometryCollection": .multiGeometry, "MultiTrack": .multiGeometry, "Track": .track,
      "coordinates": .coordinates, "coord": .coord, "angles": .angles, "altitudeMode": .altitudeMode,
      "Tour": .tour, "NetworkLink": .networkLink,
      // Elements of Atom, which files without namespaces or with undeclared prefixes use too.
      "author": .author, "link": .link, "uri": .uri, "email": .email, "generator": .generator,
    ]
    for name in ["Polygon", "LinearRing", "Model"] { names[name] = .area }
    for name in ["GroundOverlay", "ScreenOverlay", "PhotoOverlay"] { names[name] = .overlay }
    for name in [
      "AddressDetails", "BalloonStyle", "Camera", "LabelStyle", "ListStyle", "LookAt", "NetworkLinkControl",
      "PolyStyle", "Region", "SimpleField", "ViewerOptions", "altitudeOffset", "balloonVisibility",
      "drawOrder",
      "extrude", "geomColor", "geomScale", "hotSpot", "interpolate", "labelVisibility", "open", "outerColor",
      "outerWidth", "physicalWidth", "refreshInterval", "refreshMode", "tessellate", "viewRefreshMode",
      "viewRefreshTime", "visibility", "colorMode", "heading", "scale",
    ] {
      names[name] = .presentation
    }
    return names
  }()

  private static let atom: [String: KMLElement] = [
    "author": .author, "link": .link, "name": .name, "uri": .uri, "email": .email, "generator": .generator,
  ]

  /// Returns the element for a name. Names are matched by namespace, never by prefix.
  ///
  /// - Parameter core: the namespace of the root element, which is treated as that of KML.
  static func classify(_ name: XMLName, core coreNamespace: String?) -> KMLElement {
    guard let namespace = name.namespace, !namespace.isEmpty, namespace != coreNamespace else {
      return core[name.local] ?? .other
    }
    if namespace == KMLNamespace.atom { return atom[name.local] ?? .other }
    if KMLNamespace.isKML(namespace) || KMLNamespace.isExtension(namespace) {
      return core[name.local] ?? .other
    }
    return namespace == KMLNamespace.xal ? .presentation : .other
  }
}
