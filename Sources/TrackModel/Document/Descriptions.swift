/// A reference to an external resource.
public struct TrackLink: Sendable, Hashable {
  /// The address as written in the file. It is never opened.
  public var address: String
  /// The text that is shown for the link.
  public var text: String?
  /// The media type, such as `image/jpeg`.
  public var mediaType: String?

  /// Creates a link to an address.
  public init(address: String, text: String? = nil, mediaType: String? = nil) {
    self.address = address
    self.text = text
    self.mediaType = mediaType
  }

  /// Whether opening the address would run a script rather than show a page: `javascript:`, `vbscript:` and
  /// `data:` addresses, except pictures made of pixels.
  public var isScript: Bool {
    // Browsers ignore white space and control characters, even inside the scheme.
    let plain = String(
      String.UnicodeScalarView(address.unicodeScalars.lazy.filter { $0.value > 0x20 }.prefix(16))
    )
    .lowercased()
    return plain.hasPrefix("javascript:") || plain.hasPrefix("vbscript:")
      || (plain.hasPrefix("data:") && (!plain.hasPrefix("data:image/") || plain.hasPrefix("data:image/svg")))
  }
}

/// A person or an organisation.
public struct Person: Sendable, Hashable {
  /// The name of the person or organisation.
  public var name: String?
  /// The email address.
  public var email: String?
  /// The link to a web page.
  public var link: TrackLink?

  /// Creates a person from the parts that are known.
  public init(name: String? = nil, email: String? = nil, link: TrackLink? = nil) {
    self.name = name
    self.email = email
    self.link = link
  }
}

/// The copyright holder and licence of a file.
public struct Copyright: Sendable, Hashable {
  /// The holder of the copyright.
  public var author: String
  /// The year of the copyright, as written in the file.
  public var year: String?
  /// The address of the licence.
  public var license: String?

  /// Creates a copyright notice.
  public init(author: String, year: String? = nil, license: String? = nil) {
    self.author = author
    self.year = year
    self.license = license
  }
}

/// A declaration of an XML namespace prefix.
public struct NamespaceDeclaration: Sendable, Hashable {
  /// The prefix, empty for the default namespace.
  public var prefix: String
  /// The identifier of the namespace.
  public var uri: String

  /// Creates a declaration of a namespace.
  public init(prefix: String, uri: String) {
    self.prefix = prefix
    self.uri = uri
  }
}

/// The metadata of a file.
public struct FileInfo: Sendable, Hashable {
  /// The program that wrote the file.
  public var creator: String?
  /// The name of the file's content.
  public var name: String?
  /// The description of the file's content.
  public var description: String?
  /// The person who made the file.
  public var author: Person?
  /// The copyright notice.
  public var copyright: Copyright?
  /// The links to further information.
  public var links: [TrackLink] = []
  /// The creation time of the file.
  public var time: Instant?
  /// Keywords as a single text.
  public var keywords: String?
  /// The prefixes declared at the root in file order, reused when extensions are written.
  public var namespaces: [NamespaceDeclaration] = []
  /// The unknown content of the file.
  public var extensions: [ExtensionElement] = []

  /// Creates an empty description.
  public init() {}

  /// Merges `other` into this value. Lists are concatenated, and fields that are already set are kept.
  public mutating func merge(_ other: FileInfo) {
    creator = creator ?? other.creator
    name = name ?? other.name
    description = description ?? other.description
    author = author ?? other.author
    copyright = copyright ?? other.copyright
    links += other.links
    time = time ?? other.time
    keywords = keywords ?? other.keywords
    namespaces += other.namespaces.filter { !namespaces.contains($0) }
    extensions += other.extensions
  }
}

/// The metadata of a track or a route.
public struct TrackInfo: Sendable, Hashable {
  /// The name of the track.
  public var name: String?
  /// A comment by the user.
  public var comment: String?
  /// A description for others.
  public var description: String?
  /// The source of the data.
  public var source: String?
  /// The links to further information.
  public var links: [TrackLink] = []
  /// The number of the track in its device.
  public var number: Int?
  /// The type of activity or road, as named in the file.
  public var type: String?
  /// The drawing style of the line.
  public var style: LineStyle?
  /// The time span of the track, if the file states it separately from the points. Either end may be open.
  public var timeSpan: TimeSpan?
  /// The laps of an activity in order.
  public var laps: [Lap] = []
  /// The resolution of the source if it is lower than that of a GPS recording.
  public var resolution: Resolution?
  /// The unknown content of the track.
  public var extensions: [ExtensionElement] = []

  /// Creates a description with a name.
  public init(name: String? = nil) { self.name = name }

  /// Whether all fields are empty.
  public var isEmpty: Bool { self == TrackInfo() }

  /// The bike, the shoes or the vehicle. Tracks have no separate field for it, so that the comment states it.
  package var gear: String? {
    get { comment.flatMap { $0.hasPrefix(Self.gearMark) ? String($0.dropFirst(Self.gearMark.count)) : nil } }
    set { comment = newValue.map { Self.gearMark + $0 } }
  }

  private static let gearMark = "Gear: "

  /// Returns a type of activity for comparisons between formats: in lower case, without spaces, hyphens and
  /// underscores.
  package static func plainType(_ type: String) -> String {
    type.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
  }

  /// Merges `other` into this value. Lists are concatenated, and fields that are already set are kept.
  public mutating func merge(_ other: TrackInfo) {
    name = name ?? other.name
    comment = comment ?? other.comment
    description = description ?? other.description
    source = source ?? other.source
    links += other.links
    number = number ?? other.number
    type = type ?? other.type
    style = style ?? other.style
    timeSpan = timeSpan ?? other.timeSpan
    laps += other.laps
    resolution = resolution ?? other.resolution
    extensions += other.extensions
  }
}

/// A time span. A `nil` start or end is open.
public struct TimeSpan: Sendable, Hashable {
  /// The start of the span, or `nil` if it is open.
  public var begin: Instant?
  /// The end of the span, or `nil` if it is open.
  public var end: Instant?

  /// Creates a time span from its ends.
  public init(begin: Instant? = nil, end: Instant? = nil) {
    self.begin = begin
    self.end = end
  }
}

/// A lap of an activity.
public struct Lap: Sendable, Hashable {
  /// The start of the lap, or `nil` if it is unknown.
  public var start: Instant?
  /// The seconds with the timer running.
  public var timerTime: Double?
  /// The seconds from start to end including pauses.
  public var elapsedTime: Double?
  /// The distance in metres.
  public var distance: Double?
  /// The energy in kilocalories.
  public var calories: Double?
  /// The trigger that ended the lap, as named in the format: `Manual`, `Distance`.
  public var trigger: String?

  /// Creates a lap from its start.
  public init(start: Instant? = nil) { self.start = start }
}

/// The resolution of a source.
public struct Resolution: Sendable, Hashable {
  /// The time resolution in seconds.
  public var time: Double?
  /// The position resolution in metres.
  public var position: Double?

  /// Creates a resolution. The time is in seconds, the position in metres.
  public init(time: Double? = nil, position: Double? = nil) {
    self.time = time
    self.position = position
  }
}

/// The details of a point other than position, time and channels. Common for waypoints, rare for trackpoints
/// and routepoints.
public struct PointDetails: Sendable, Hashable {
  /// The name of the point.
  public var name: String?
  /// A comment by the user.
  public var comment: String?
  /// A description for others.
  public var description: String?
  /// The source of the data.
  public var source: String?
  /// The links to further information.
  public var links: [TrackLink] = []
  /// The name of the symbol.
  public var symbol: String?
  /// The colour of the symbol.
  public var color: TrackColor?
  /// The type of the point, as named in the file.
  public var type: String?
  /// The fix type: `none`, `2d`, `3d`, `dgps`, `pps`.
  public var fix: String?
  /// The differential station, 0…1023.
  public var differentialStation: Int?
  /// The values in other channels than those of ``Channel``.
  public var extraValues: ExtraValues?
  /// The unknown content of the point.
  public var extensions: [ExtensionElement] = []

  /// Creates details with a name.
  public init(name: String? = nil) { self.name = name }

  /// Whether all fields are empty.
  public var isEmpty: Bool { self == PointDetails() }
}

/// A waypoint.
public struct Waypoint: Sendable, Hashable {
  /// The position.
  public var coordinate: Coordinate
  /// The time at which the waypoint was recorded, or `nil` if it has none.
  public var time: Instant?
  /// The finite values of channels, in their units.
  public var values: [Channel: Double]
  /// The texts and links of the waypoint.
  public var details: PointDetails

  /// Creates a waypoint.
  public init(
    coordinate: Coordinate, time: Instant? = nil, values: [Channel: Double] = [:],
    details: PointDetails = PointDetails()
  ) {
    self.coordinate = coordinate
    self.time = time
    self.values = values
    self.details = details
  }
}
