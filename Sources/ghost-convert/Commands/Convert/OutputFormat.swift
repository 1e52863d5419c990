import CommandLineParsing
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

/// What convert can write: every format of tracks, and the drives of the app.
enum OutputFormat: Sendable {
  case track(TrackFormat)
  case drive

  /// The names that ``init(argument:)`` takes.
  static var names: [String] {
    FormatRegistry.withArchives.formats.filter(\.canWrite).map(\.name).filter { $0 != "drive" } + ["drive"]
  }

  /// Reads a name from the command line.
  init(argument: String) throws(InvalidValue) {
    if argument.lowercased() == "drive" {
      self = .drive
    } else if let format = FormatRegistry.withArchives.named(argument), format.canWrite {
      self = .track(format)
    } else {
      throw InvalidValue("expected one of " + OutputFormat.names.joined(separator: ", "))
    }
  }

  /// Reads the name of a kind of FIT file.
  static func fitKind(_ text: String) throws(InvalidValue) -> FITWriter.Kind {
    if let kind = FITWriter.Kind(rawValue: text.lowercased()) { return kind }
    throw InvalidValue("expected one of " + FITWriter.Kind.allCases.map(\.rawValue).joined(separator: ", "))
  }

  /// The format that a file name promises, or nil.
  init?(file path: String) {
    if path.lowercased().hasSuffix(".drive.json") {
      self = .drive
    } else if let format = FormatRegistry.withArchives.forFile(path), format.canWrite {
      self = .track(format)
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .track(let format): format.name
    case .drive: "drive"
    }
  }

  /// The usual ending of file names, without the first dot.
  var fileEnding: String {
    switch self {
    case .track(let format): format.usualExtension
    case .drive: "drive.json"
    }
  }

  /// Whether a drive without a start time needs times to keep its duration: its document, GeoJSON and tables
  /// have a place for the duration itself, and polylines have none for times.
  var needsTimes: Bool {
    switch self {
    case .drive, .track(.geojson), .track(.geojsonseq), .track(.csv), .track(.tsv), .track(.polyline),
      .track(.polyline6):
      false
    case .track: true
    }
  }

  /// Whether a writer can add plain lines.
  var hasPlainLines: Bool { hasPlacemarks }

  /// Whether it is a table, which spreadsheets open.
  var isTable: Bool {
    switch self {
    case .track(.csv), .track(.tsv): true
    default: false
    }
  }

  /// Whether tracks become placemarks.
  var hasPlacemarks: Bool {
    switch self {
    case .track(.kml), .track(.kmz): true
    default: false
    }
  }

  /// What the command line can say about how a format is written.
  struct WritingOptions: Sendable {
    /// What FIT files are made.
    var fitKind = FITWriter.Kind.automatic
    /// Whether tracks in KML are followed by the same as plain lines.
    var addsPlainLines = false
    /// Whether texts in tables that spreadsheets run as formulas begin with an apostrophe.
    var quotesFormulas = false
    /// Where drives have no coordinate.
    var privacyZones: [PrivacyStage.Circle] = []
  }

  func writer(
    _ sink: consuming ByteSink, _ options: WritingOptions = WritingOptions()
  ) throws(TrackError) -> any TrackWriter & ~Copyable {
    switch self {
    case .track(.kml): KMLWriter(sink, addsPlainLines: options.addsPlainLines)
    case .track(.kmz): KMZWriter(sink, addsPlainLines: options.addsPlainLines)
    case .track(.fit): FITWriter(sink, kind: options.fitKind)
    case .track(.csv): CSVWriter(sink, quotesFormulas: options.quotesFormulas)
    case .track(.tsv): CSVWriter(sink, separator: .tab, quotesFormulas: options.quotesFormulas)
    case .track(let format): try format.writer(sink)
    case .drive: DriveWriter(sink, privacyZones: options.privacyZones)
    }
  }
}
