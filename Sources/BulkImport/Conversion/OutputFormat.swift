import TrackArchives
public import TrackFormats
public import TrackModel
public import TrackTransforms

/// A format of a conversion: any format of tracks that can be written, or the drives of the app.
public enum OutputFormat: Sendable {
  case track(TrackFormat)
  case drive

  /// The names of all formats that can be written, with that of drives last.
  public static var names: [String] {
    FormatRegistry.withArchives.formats.filter(\.canWrite).map(\.name).filter { $0 != "drive" } + ["drive"]
  }

  /// The format of a name, or nil.
  public init?(name: String) {
    if name.lowercased() == "drive" {
      self = .drive
    } else if let format = FormatRegistry.withArchives.named(name), format.canWrite {
      self = .track(format)
    } else {
      return nil
    }
  }

  /// The format that a file name promises, or nil.
  public init?(file path: String) {
    guard let format = FormatRegistry.withArchives.forOutput(path) else { return nil }
    self = format == .drive ? .drive : .track(format)
  }

  public var name: String {
    switch self {
    case .track(let format): format.name
    case .drive: "drive"
    }
  }

  /// The usual ending of file names, without the first dot.
  public var fileEnding: String {
    switch self {
    case .track(let format): format.usualExtension
    case .drive: "drive.json"
    }
  }

  /// Whether a drive without a start time needs times to keep its duration: its document, GeoJSON and tables
  /// have a place for the duration itself, and polylines have none for times.
  public var needsTimes: Bool {
    switch self {
    case .drive: false
    case .track(let format): !format.keepsDurationsOfDrives
    }
  }

  /// Whether a writer can add plain lines.
  public var hasPlainLines: Bool { hasPlacemarks }

  /// Whether tracks become placemarks.
  public var hasPlacemarks: Bool {
    switch self {
    case .track(.kml), .track(.kmz): true
    default: false
    }
  }

  /// Options of single formats.
  public struct WritingOptions: Sendable {
    /// The kind of FIT files.
    public var fitKind = FITWriter.Kind.automatic
    /// Whether tracks in KML are followed by the same as plain lines.
    public var addsPlainLines = false
    /// The circles in which drives have no coordinates.
    public var privacyZones: [PrivacyStage.Circle] = []

    public init() {}
  }

  /// Begins an output.
  public func writer(
    _ sink: consuming ByteSink, _ options: WritingOptions = WritingOptions()
  ) throws(TrackError) -> any TrackWriter & ~Copyable {
    switch self {
    case .track(.kml): KMLWriter(sink, addsPlainLines: options.addsPlainLines)
    case .track(.kmz): KMZWriter(sink, addsPlainLines: options.addsPlainLines)
    case .track(.fit): FITWriter(sink, kind: options.fitKind)
    case .track(let format): try format.writer(sink)
    case .drive: DriveWriter(sink, privacyZones: options.privacyZones)
    }
  }
}
