/// The limits that bound the memory and the time for reading any input.
///
/// Exceeding a limit on the syntax throws ``TrackError/Code/limitExceeded`` with a message that names the
/// limit. Content beyond a limit on memory is dropped with a counted warning.
///
/// ```swift
/// var options = ReadingOptions()
/// options.limits.textSize = 1 << 26
/// ```
///
/// The limits from ``depth`` to ``waitingSize`` apply to the XML formats: GPX, KML and TCX. ``keptSize`` also
/// applies to the unknown members of an object in GeoJSON.
public struct ReadingLimits: Sendable, Hashable {
  /// The largest possible ``depth``, which is also libxml2's own limit.
  public static let maximumDepth = 256
  /// The largest possible ``textSize`` and ``tagSize``.
  public static let maximumSize = 1 << 30

  /// The nesting depth of elements, from 1 to ``maximumDepth``.
  public var depth = ReadingLimits.maximumDepth {
    didSet { depth = min(max(depth, 1), ReadingLimits.maximumDepth) }
  }
  /// The size of one text, in bytes, except lists of coordinates. Documents that libxml2 reads (those with a
  /// document type or an encoding other than UTF-8) are also subject to its limit of 10 MB.
  public var textSize = 1 << 24 {
    didSet { textSize = min(textSize, ReadingLimits.maximumSize) }
  }
  /// The size of one start tag, in bytes; a quarter of that for documents that libxml2 reads.
  public var tagSize = 1 << 20 {
    didSet { tagSize = min(tagSize, ReadingLimits.maximumSize) }
  }
  /// The number of attributes of one element.
  public var attributeCount = 10_000
  /// The number of distinct names in a document, and of distinct sets of namespaces.
  public var nameCount = 10_000
  /// The total size of all distinct names, in bytes. The same limit applies to namespaces, and to the styles
  /// and schemas that a KML file declares.
  public var nameSize = 1 << 24
  /// The number of attributes that a document type declares. libxml2 compares all of them with each other for
  /// each element: 100 attributes make reading thirty times slower.
  public var attributeDeclarationCount = 20
  /// The number of entities that a document type declares.
  public var entityDeclarationCount = 10_000
  /// The memory for extensions, links and laps of one container (a point, a track with its segments, or the
  /// file), in bytes.
  public var keptSize = 1 << 24
  /// The memory for waypoints that must wait for the end of their track, in bytes.
  public var waitingSize = 1 << 25
  /// The size of one string or number in JSON, in bytes.
  public var jsonTextSize = 1 << 26
  /// The size of the base64 text with the coordinates of a drive document, in bytes.
  public var coordinatesDataSize = 1 << 30
  /// The size of one row of CSV or TSV, in bytes.
  public var rowSize = 1 << 20
  /// The memory for the rows of a CSV or TSV table whose tracks alternate, in bytes.
  public var alternatingTracksSize = 1 << 30
  /// The size of one line of a log, in bytes: IGC, VBO, OziExplorer, 70mai, OwnTracks, Huawei and gpsd.
  public var lineSize = 1 << 16
  /// The number of points of an NMEA log that wait for a date.
  public var undatedPointCount = 1 << 16
  /// The number of empty segments of one file, in any format.
  public var emptySegmentCount = 1 << 16
  /// The number of segments of one track, at least 1, in any format.
  public var segmentCount = 1 << 17 {
    didSet { segmentCount = max(segmentCount, 1) }
  }

  /// Creates the default limits.
  public init() {}

  /// A size as text: `16 MiB`, `100 bytes`.
  package static func text(size: Int) -> String {
    if size > 0, size.isMultiple(of: 1 << 20) { return "\(size >> 20) MiB" }
    if size > 0, size.isMultiple(of: 1 << 10) { return "\(size >> 10) KiB" }
    return "\(size) bytes"
  }
}
