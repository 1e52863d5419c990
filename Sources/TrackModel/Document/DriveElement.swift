/// What a drive document says that tracks have no field for, as the extension of a track: the element `drive`
/// with attributes. Formats that keep extensions keep it; GeoJSON and tables have properties and columns for
/// it (``DriveElement/columnPrefix``). So a drive can become the same drive again.
///
/// A track with this element is a drive: its coordinates are even in time over its duration.
public enum DriveElement {
  public static let namespace = "urn:ghost-car:drive:1"
  public static let name = "drive"
  /// The drive's identifier, a UUID.
  public static let identifier = "id"
  /// Seconds.
  public static let duration = "duration"
  /// Miles of 1609.344 m.
  public static let distance = "distance"
  /// The number of coordinates that the other attributes are about.
  public static let points = "points"
  /// The drive's name, for formats without a place for one.
  public static let title = "name"
  /// ``artificialClock`` if the times of the points count from ``unknownStart``; absent otherwise.
  public static let clock = "clock"
  public static let artificialClock = "artificial"

  /// The time of the first point of a drive without a start time, in formats that need times: a moment that
  /// no receiver begins to record at (1999-09-09T09:09:09Z).
  public static let unknownStart = Instant(microseconds: 936_868_149_000_000)

  /// Whether a time counts from ``unknownStart``: it is within a day of it. A format without a place for the
  /// mark keeps no more than that of times that were cut or moved.
  public static func isFromUnknownStart(_ time: Instant) -> Bool {
    time.microseconds.subtractingReportingOverflow(unknownStart.microseconds).partialValue.magnitude
      <= 86_400_000_000
  }

  /// In front of an attribute's name in properties of GeoJSON and headings of tables: `ghost_duration`.
  public static let columnPrefix = "ghost_"
  /// The attributes, in the order in which they are written.
  public static let attributes = [identifier, duration, distance, points, title, clock]

  /// The element that says only that the times count from ``unknownStart``.
  public static var artificialClockMark: ExtensionElement {
    make([ExtensionElement.Attribute(name: clock, value: artificialClock)])
  }

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
