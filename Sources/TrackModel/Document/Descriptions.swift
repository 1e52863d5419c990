/// A reference to something outside the file.
public struct Link: Sendable, Hashable {
  /// The address as the file gives it; never followed.
  public var address: String
  public var text: String?
  /// The media type, such as `image/jpeg`.
  public var mediaType: String?

  public init(address: String, text: String? = nil, mediaType: String? = nil) {
    self.address = address
    self.text = text
    self.mediaType = mediaType
  }

  /// Whether opening the address would run a script rather than show a page: `javascript:`, `vbscript:` and
  /// `data:` addresses, except pictures.
  public var isScript: Bool {
    // Browsers ignore white space and control characters, also inside the scheme.
    let plain = String(
      String.UnicodeScalarView(address.unicodeScalars.lazy.filter { $0.value > 0x20 }.prefix(16))
    )
    .lowercased()
    return plain.hasPrefix("javascript:") || plain.hasPrefix("vbscript:")
      || (plain.hasPrefix("data:") && !plain.hasPrefix("data:image/"))
  }
}

/// A person or an organisation.
public struct Person: Sendable, Hashable {
  public var name: String?
  public var email: String?
  public var link: Link?

  public init(name: String? = nil, email: String? = nil, link: Link? = nil) {
    self.name = name
    self.email = email
    self.link = link
  }
}

/// Who holds the rights to a file, and under which licence.
public struct Copyright: Sendable, Hashable {
  public var author: String
  public var year: String?
  public var license: String?

  public init(author: String, year: String? = nil, license: String? = nil) {
    self.author = author
    self.year = year
    self.license = license
  }
}

/// A prefix that a file declares for an XML namespace.
public struct NamespaceDeclaration: Sendable, Hashable {
  public var prefix: String
  public var uri: String

  public init(prefix: String, uri: String) {
    self.prefix = prefix
    self.uri = uri
  }
}

/// What a file says about itself.
public struct FileInfo: Sendable, Hashable {
  /// The program that wrote the file.
  public var creator: String?
  public var name: String?
  public var description: String?
  public var author: Person?
  public var copyright: Copyright?
  public var links: [Link] = []
  /// When the file was made.
  public var time: Instant?
  /// Words to find the file by, as one text.
  public var keywords: String?
  /// The prefixes declared at the root, in the order of the file, for extensions to be written alike.
  public var namespaces: [NamespaceDeclaration] = []
  public var extensions: [ExtensionElement] = []

  public init() {}

  /// Takes over what `other` says beyond this: lists are joined, a field that is already there stays.
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

/// What a file says about a track or a route.
public struct TrackInfo: Sendable, Hashable {
  public var name: String?
  public var comment: String?
  public var description: String?
  /// Where the data came from.
  public var source: String?
  public var links: [Link] = []
  public var number: Int?
  /// The kind of activity or road, as the file names it.
  public var type: String?
  /// How the line wants to be drawn.
  public var style: LineStyle?
  /// When the track as a whole began and ended, where the file says so apart from its points; either may be
  /// open.
  public var timeSpan: TimeSpan?
  /// The laps of an activity, in their order.
  public var laps: [Lap] = []
  /// How coarse the source is, where it is coarser than a GPS recording.
  public var coarseness: Coarseness?
  public var extensions: [ExtensionElement] = []

  public init(name: String? = nil) { self.name = name }

  /// Whether nothing is known.
  public var isEmpty: Bool { self == TrackInfo() }

  /// Takes over what `other` says beyond this: lists are joined, a field that is already there stays.
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
    coarseness = coarseness ?? other.coarseness
    extensions += other.extensions
  }
}

/// A stretch of time; an end that is nil is open.
public struct TimeSpan: Sendable, Hashable {
  public var begin: Instant?
  public var end: Instant?

  public init(begin: Instant? = nil, end: Instant? = nil) {
    self.begin = begin
    self.end = end
  }
}

/// A lap of an activity.
public struct Lap: Sendable, Hashable {
  public var start: Instant?
  /// Seconds with the timer running.
  public var timerTime: Double?
  /// Seconds from its start to its end, with pauses.
  public var elapsedTime: Double?
  /// Metres.
  public var distance: Double?
  /// Kilocalories.
  public var calories: Double?
  /// What ended it, as the format names it: `Manual`, `Distance`.
  public var trigger: String?

  public init(start: Instant? = nil) { self.start = start }
}

/// How coarse a source is.
public struct Coarseness: Sendable, Hashable {
  /// Seconds between the times that the source can tell apart.
  public var time: Double?
  /// Metres between the places that it can tell apart.
  public var position: Double?

  public init(time: Double? = nil, position: Double? = nil) {
    self.time = time
    self.position = position
  }
}

/// What a point can say beside position, time and channels: the fields of a waypoint, which trackpoints and
/// routepoints rarely use.
public struct PointDetails: Sendable, Hashable {
  public var name: String?
  public var comment: String?
  public var description: String?
  public var source: String?
  public var links: [Link] = []
  /// The name of the symbol to draw.
  public var symbol: String?
  /// The colour of the symbol.
  public var color: Color?
  public var type: String?
  /// The kind of fix: `none`, `2d`, `3d`, `dgps`, `pps`.
  public var fix: String?
  /// The differential station, 0…1023.
  public var differentialStation: Int?
  public var extensions: [ExtensionElement] = []

  public init(name: String? = nil) { self.name = name }

  /// Whether nothing is known.
  public var isEmpty: Bool { self == PointDetails() }
}

/// A single place.
public struct Waypoint: Sendable, Hashable {
  public var coordinate: Coordinate
  public var time: Instant?
  /// The measured quantities, in their units; finite.
  public var values: [Channel: Double]
  public var details: PointDetails

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
