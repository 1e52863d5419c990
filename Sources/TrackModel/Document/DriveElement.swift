/// The track extension `drive`. Its attributes hold the fields of a drive document that tracks lack.
///
/// Formats with extensions store it as an element, GeoJSON and tables as properties and columns
/// (``DriveElement/columnPrefix``), so that a drive can be restored. A track with this element is a drive:
/// its coordinates are evenly spaced in time over its duration.
public enum DriveElement {
  /// The namespace of the element.
  public static let namespace = "urn:ghost-car:drive:1"
  /// The name of the element.
  public static let name = "drive"
  /// The drive's identifier, a UUID.
  public static let identifier = "id"
  /// The duration in seconds.
  public static let duration = "duration"
  /// The distance in miles of 1609.344 m.
  public static let distance = "distance"
  /// The number of coordinates that the other attributes refer to.
  public static let points = "points"
  /// The drive's name, for formats that cannot store names, and for empty names.
  public static let title = "name"
  /// ``artificialClock`` if the times of the points start at ``unknownStart``, otherwise absent.
  public static let clock = "clock"
  /// The value of the attribute for artificial times.
  public static let artificialClock = "artificial"

  /// The first time of a drive without a start time in formats that require times: 1999-09-09T09:09:09Z, at
  /// which no receiver starts to record.
  public static let unknownStart = Instant(microseconds: 936_868_149_000_000)

  /// Whether a time is within a day of ``unknownStart``. Formats without this element can only be recognised
  /// by their times.
  public static func isFromUnknownStart(_ time: Instant) -> Bool {
    time.microseconds.subtractingReportingOverflow(unknownStart.microseconds).partialValue.magnitude
      <= CivilCalendar.dayLength
  }

  /// The prefix of an attribute's name in GeoJSON properties and table headings: `ghost_duration`.
  public static let columnPrefix = "ghost_"
  /// The attributes in writing order.
  public static let attributes = [identifier, duration, distance, points, title, clock]

  /// The element for times that start at ``unknownStart``, without other attributes.
  public static var artificialClockMark: ExtensionElement {
    make([ExtensionElement.Attribute(name: clock, value: artificialClock)])
  }

  /// Creates the element with attributes.
  public static func make(_ attributes: [ExtensionElement.Attribute]) -> ExtensionElement {
    ExtensionElement(namespace: namespace, prefix: "ghost", name: name, attributes: attributes)
  }
}

extension ExtensionElement {
  /// Whether the element is a ``DriveElement``.
  public var isDrive: Bool { namespace == DriveElement.namespace && name == DriveElement.name }

  /// The value of an attribute.
  public func value(of attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
}
