import TrackModel

/// The placemark that is being read: the information about its lines and places, which may occur before,
/// between and after them.
struct KMLPlacemark {
  typealias Data = KMLData

  var name: String?
  var snippet: String?
  var description: String?
  var links: [TrackLink] = []
  /// The time of a `TimeStamp`.
  var time: Instant?
  var span: TimeSpan?
  var style = KMLStyle()
  var data: [Data] = []
  var extensions: [ExtensionElement] = []

  private static func field(_ data: Data) -> KMLFields.Field? { KMLFields.Field(rawValue: data.name) }

  /// The kind of the line if it is not a track.
  var kind: String? { data.first { KMLPlacemark.field($0) == .kind }?.value }

  /// Returns the information about the lines.
  ///
  /// A `TimeStamp` of a line is the start of an open-ended time span.
  ///
  /// - Parameter folder: the names of the enclosing folders, which are the track's source unless it has one.
  func trackInfo(folder: String?) -> TrackInfo {
    var info = TrackInfo(name: name)
    info.comment = snippet
    info.description = description
    info.links = links
    info.style = style.lineStyle
    info.timeSpan = span ?? time.map { TimeSpan(begin: $0) }
    for data in data {
      switch KMLPlacemark.field(data) {
      case .type: info.type = info.type ?? data.value
      case .source: info.source = info.source ?? data.value
      case .number where Int(data.value) != nil: info.number = info.number ?? Int(data.value)
      case .link: info.links.append(TrackLink(address: data.value, text: data.displayName))
      case .kind: break
      default: info.extensions.append(data.element)
      }
    }
    info.source = info.source ?? folder
    info.extensions += extensions
    return info
  }

  /// Returns the information about the places.
  ///
  /// - Parameter folder: the names of the enclosing folders, which are the place's type unless it has one.
  func pointDetails(folder: String?) -> (details: PointDetails, values: [Channel: Double]) {
    var details = PointDetails(name: name)
    var values: [Channel: Double] = [:]
    details.comment = snippet
    details.description = description
    details.links = links
    for data in data {
      switch KMLPlacemark.field(data) {
      case .type: details.type = details.type ?? data.value
      case .source: details.source = details.source ?? data.value
      case .symbol: details.symbol = details.symbol ?? data.value
      case .fix: details.fix = details.fix ?? data.value
      case .station where Int(data.value) != nil:
        details.differentialStation = details.differentialStation ?? Int(data.value)
      case .link: details.links.append(TrackLink(address: data.value, text: data.displayName))
      case .kind: break
      default:
        if let (channel, value) = KMLPlacemark.measurement(data), values[channel] == nil {
          values[channel] = value
        } else {
          details.extensions.append(data.element)
        }
      }
    }
    details.symbol = details.symbol ?? style.icon
    details.color = style.iconColor
    details.type = details.type ?? folder
    details.extensions += extensions
    return (details, values)
  }

  private static func measurement(_ data: Data) -> (channel: Channel, value: Double)? {
    guard let channel = KMLFields.channel(data.name), channel != .elevation,
      let value = DecimalReading.read(Array(data.value.utf8).span)
    else { return nil }
    let (factor, offset) = channel.scale(heading: data.displayName)
    return channel.known(value * factor + offset).map { (channel, $0) }
  }
}

/// An open `Document` or `Folder`.
struct KMLContainer {
  var name: String?
  /// Whether it contained a track or a place before its name was known.
  var isUsed = false
}

extension TrackInfo {
  /// Returns the information that was not in `announced`.
  func beyond(_ announced: TrackInfo) -> TrackInfo {
    var late = TrackInfo()
    if announced.name == nil { late.name = name }
    if announced.comment == nil { late.comment = comment }
    if announced.description == nil { late.description = description }
    if announced.source == nil { late.source = source }
    if announced.number == nil { late.number = number }
    if announced.type == nil { late.type = type }
    if announced.style == nil { late.style = style }
    if announced.timeSpan == nil { late.timeSpan = timeSpan }
    // Sets keep this linear: a malicious file may have any number of them.
    let knownLinks = Set(announced.links)
    let knownExtensions = Set(announced.extensions)
    late.links = links.filter { !knownLinks.contains($0) }
    late.extensions = extensions.filter { !knownExtensions.contains($0) }
    return late
  }
}
