import TrackArchives
public import TrackFormats
public import TrackModel
public import TrackTransforms

/// The format of a conversion's output: a writable track format, or the drive documents of the app.
public enum OutputFormat: Sendable {
  /// A format with a `TrackWriter`.
  case track(TrackFormat)
  /// The drive document, which contains one drive whose points are evenly spaced in time.
  case drive

  /// The names of all formats that can be written. The drive format is last.
  public static var names: [String] {
    FormatRegistry.withArchives.formats.filter(\.canWrite).map(\.name).filter { $0 != "drive" } + ["drive"]
  }

  /// Creates the format with the given name, or returns nil.
  public init?(name: String) {
    if name.lowercased() == "drive" {
      self = .drive
    } else if let format = FormatRegistry.withArchives.named(name), format.canWrite {
      self = .track(format)
    } else {
      return nil
    }
  }

  /// Creates the format for a file name extension, or returns nil.
  public init?(file path: String) {
    guard let format = FormatRegistry.withArchives.forOutput(path) else { return nil }
    self = format == .drive ? .drive : .track(format)
  }

  /// The short name for options and JSON, such as `gpx` or `drive`.
  public var name: String {
    switch self {
    case .track(let format): format.name
    case .drive: "drive"
    }
  }

  /// The usual extension of file names, without the first dot.
  public var fileEnding: String {
    switch self {
    case .track(let format): format.usualExtension
    case .drive: "drive.json"
    }
  }

  /// Whether a drive without a start time needs timestamps to keep its duration. Drive documents, GeoJSON
  /// and tables have a field for the duration, and polylines have no timestamps.
  public var needsTimes: Bool {
    switch self {
    case .drive: false
    case .track(let format): !format.keepsDurationsOfDrives
    }
  }

  /// Whether the format has lines without times.
  package var writesLines: Bool {
    guard case .track(let format) = self else { return false }
    return ![.fit, .igc, .wpt].contains(format)
  }

  /// Whether the format is a table, which spreadsheets open.
  public var isTable: Bool {
    switch self {
    case .track(.csv), .track(.tsv): true
    default: false
    }
  }

  /// Whether tracks are written as placemarks.
  public var hasPlacemarks: Bool {
    switch self {
    case .track(.kml), .track(.kmz): true
    default: false
    }
  }

  /// Options of specific formats.
  public struct WritingOptions: Sendable {
    /// The kind of FIT files.
    public var fitKind = FITWriter.Kind.automatic
    /// Whether tracks in KML are followed by equivalent plain lines.
    public var addsPlainLines = false
    /// Whether to write an apostrophe before text in tables that spreadsheets would run as a formula.
    public var quotesFormulas = false
    /// The name of a drive whose track has none.
    public var driveName = "drive"
    /// The circles from which the coordinates of drives are removed.
    public var privacyZones: [PrivacyStage.Circle] = []

    /// Creates options with the defaults.
    public init() {}
  }

  /// Returns a writer for an output.
  public func writer(
    _ sink: consuming ByteSink, _ options: WritingOptions = WritingOptions()
  ) throws(TrackError) -> any TrackWriter & ~Copyable {
    switch self {
    case .track(.kml): KMLWriter(sink, addsPlainLines: options.addsPlainLines)
    case .track(.kmz): KMZWriter(sink, addsPlainLines: options.addsPlainLines)
    case .track(.fit): FITWriter(sink, kind: options.fitKind)
    case .track(.csv): CSVWriter(sink, quotesFormulas: options.quotesFormulas)
    case .track(.tsv): CSVWriter(sink, separator: .tab, quotesFormulas: options.quotesFormulas)
    case .track(let format): try format.writer(sink)
    case .drive: DriveWriter(sink, name: options.driveName, privacyZones: options.privacyZones)
    }
  }

  /// Writes a document to a file, or to standard output for `-`.
  package func write(_ document: TrackDocument, to path: String) throws(TrackError) {
    var writer = try writer(ByteSink(path: path))
    var reader = TrackDocumentReader(document)
    var batch = PointBatch()
    while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    try writer.finish()
  }
}
