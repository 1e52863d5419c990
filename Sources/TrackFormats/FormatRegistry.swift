public import TrackModel

/// The formats that a program can read and write. Detects the format of an input.
///
/// ```swift
/// var input = try ByteInput(path: "ride.gpx")
/// let format = try FormatRegistry.standard.detect(&input)
/// var reader = try format.reader(input)
/// ```
public struct FormatRegistry: Sendable {
  /// The formats, in the order in which they are tested against an input.
  public let formats: [TrackFormat]

  /// Opens a file, or the files in an archive or a folder, and returns a closure that returns the next input
  /// on each call; nil for a registry of single-file formats.
  package typealias InputOpening = @Sendable (_ path: String) -> () throws(TrackError) -> ByteInput?
  package let inputs: InputOpening?

  /// Creates a registry of formats that consist of a single file.
  ///
  /// - Parameter formats: the formats in the order in which they are tested against an input.
  public init(_ formats: [TrackFormat]) { self.init(formats, inputs: nil) }

  package init(_ formats: [TrackFormat], inputs: InputOpening?) {
    self.formats = formats
    self.inputs = inputs
  }

  /// The version of libxml2 that runs.
  package static var xmlLibraryVersion: String { LibXMLParser.version }

  /// The formats that consist of a single file.
  public static let standard = FormatRegistry([
    .gpx, .gpx10, .kml, .tcx, .drive, .geojson, .geojsonseq, .timeline, .gpsd, .fit, .mp4, .gpmf,
    .vbo, .igc, .plt, .wpt, .owntracks, .dashcam70mai, .sml, .polar, .samsung, .huawei, .nmea, .csv, .tsv,
    .polyline, .polyline6,
  ])

  /// Returns the format with a name or a file name extension, ignoring case, or nil.
  public func named(_ name: String) -> TrackFormat? {
    let name = name.lowercased()
    return formats.first { $0.name == name || $0.fileExtensions.contains(name) }
  }

  /// Returns the format for a file name's extension, or nil.
  public func forFile(_ path: String) -> TrackFormat? {
    FileName.fileExtension(path).flatMap { named(String($0)) }
  }

  /// Returns the format for writing a file with the given name, or nil. A name that ends in `.drive.json`
  /// denotes a drive document.
  public func forOutput(_ path: String) -> TrackFormat? {
    if path.lowercased().hasSuffix(".drive.json") { return .drive }
    return forFile(path).flatMap { $0.canWrite ? $0 : nil }
  }

  /// Returns the format of an input, determined from its first bytes, which are not consumed.
  ///
  /// The content takes precedence over the file name, which may be wrong. The name is used only if the
  /// content is ambiguous.
  ///
  /// - Throws: `TrackError.Code.unknownFormat` if the format is not recognized, `.truncated` if the input
  ///   is empty.
  public func detect(_ input: inout ByteInput) throws(TrackError) -> TrackFormat {
    try input.fill(atLeast: FileOpening.length)
    guard !input.available.isEmpty else { throw TrackError(.truncated, "the file is empty") }
    let opening = FileOpening(input.available, name: input.name)
    if let format = recognized(opening) { return format }
    if let format = UnsupportedFormat(opening) { throw format.error }
    if CSVLayout.isTableWithoutPositions(opening.bytes) {
      throw TrackError(
        .unknownFormat, "the table has no positions",
        suggestion: .text("columns of latitudes and longitudes make a track"))
    }
    if CSVLayout.isTableOfNumbers(opening.bytes) {
      throw TrackError(
        .unknownFormat, "no columns for latitude and longitude", suggestion: CSVLayout.suggestion)
    }
    let names = formats.filter(\.canRead).map(\.name).joined(separator: ", ")
    throw TrackError(
      .unknownFormat, "unsupported format: \(opening.description)",
      suggestion: .text("supported formats: \(names)"))
  }

  /// Returns the format of a live input. Waits only for the bytes needed to distinguish NMEA sentences and
  /// gpsd reports from other formats.
  public func detectLive(_ input: inout ByteInput) throws(TrackError) -> TrackFormat {
    while input.available.count < FileOpening.length, try input.fill() {
      let opening = FileOpening(input.available, name: input.name)
      if opening.holdsNMEALine { return recognized(opening) ?? .nmea }
      if opening.holdsPositionOfGPSD { return .gpsd }
      if opening.holdsRowOfTable { return .csv }
    }
    return try detect(&input)
  }

  /// Returns the format that matches the opening, or nil.
  package func recognized(_ opening: FileOpening) -> TrackFormat? {
    formats.first { $0.recognizes(opening) } ?? promised(by: opening)
  }

  /// Returns the format for the file name if the distinguishing content may follow the opening: a root
  /// element after a long comment, the type of an object after a long string, or the second section of a log.
  private func promised(by opening: FileOpening) -> TrackFormat? {
    guard opening.isCut, opening.rootElement == nil, let name = opening.name, let format = forFile(name)
    else {
      return nil
    }
    // White space may precede either character.
    let first = opening.bytes.first { $0 > 0x20 }
    switch format.name {
    case "gpx", "kml", "tcx": return first == nil || first == UInt8(ascii: "<") ? format : nil
    case "geojson": return first == nil || first == UInt8(ascii: "{") ? format : nil
    case "vbo": return opening.holdsSectionOfVBO ? format : nil
    case "nmea": return opening.bytes.allSatisfy { $0 >= 0x09 } ? format : nil
    default: return nil
    }
  }
}

extension TrackFormat {
  /// Whether tracks of a file remain separate. IGC, VBO and PLT files are one track each.
  public var holdsSeveralTracks: Bool { ![.igc, .vbo, .plt, .drive].contains(self) }

  /// Whether a drive without a start time keeps its duration without timestamps: drive documents, GeoJSON
  /// and tables have fields for the duration, and polylines have no timestamps.
  public var keepsDurationsOfDrives: Bool {
    [.drive, .geojson, .geojsonseq, .csv, .tsv, .polyline, .polyline6].contains(self)
  }
}
