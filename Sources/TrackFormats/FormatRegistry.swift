public import TrackModel

/// The formats that a program reads and writes, and how it tells which one a file has.
///
/// ```swift
/// var input = try ByteInput(path: "ride.gpx")
/// let format = try FormatRegistry.standard.detect(&input)
/// var reader = try format.reader(input)
/// ```
public struct FormatRegistry: Sendable {
  /// The formats, in the order in which they are asked whether a content is theirs.
  public let formats: [TrackFormat]

  /// Opens the inputs in an archive or a folder, or a file itself, one by one; nil for a registry of single
  /// files.
  package typealias InputOpening = @Sendable (_ path: String) -> () throws(TrackError) -> ByteInput?
  package let inputs: InputOpening?

  public init(_ formats: [TrackFormat]) { self.init(formats, inputs: nil) }

  package init(_ formats: [TrackFormat], inputs: InputOpening?) {
    self.formats = formats
    self.inputs = inputs
  }

  /// All formats that are a single file.
  public static let standard = FormatRegistry([
    .gpx, .gpx10, .kml, .tcx, .drive, .geojson, .geojsonseq, .timeline, .gpsd, .fit, .nmea, .csv, .tsv,
    .polyline, .polyline6,
  ])

  /// The format with a name or a file ending, or nil; case does not matter.
  public func named(_ name: String) -> TrackFormat? {
    let name = name.lowercased()
    return formats.first { $0.name == name || $0.fileExtensions.contains(name) }
  }

  /// The format that a file name promises, or nil.
  public func forFile(_ path: String) -> TrackFormat? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return named(String(name[name.index(after: dot)...]))
  }

  /// The format to write a file with that name in, or nil. A name that ends in `.drive.json` is a drive
  /// document.
  public func forOutput(_ path: String) -> TrackFormat? {
    if path.lowercased().hasSuffix(".drive.json") { return .drive }
    return forFile(path).flatMap { $0.canWrite ? $0 : nil }
  }

  /// The format of an input, from its first bytes; nothing is consumed.
  ///
  /// What the content says counts more than the name, which may lie; the name decides only where the content
  /// leaves it open.
  ///
  /// - Throws: ``TrackError/Code/unknownFormat`` for an input of no known format, `.truncated` for an empty
  ///   one.
  public func detect(_ input: inout ByteInput) throws(TrackError) -> TrackFormat {
    try input.fill(atLeast: FileOpening.length)
    guard !input.available.isEmpty else { throw TrackError(.truncated, "the file is empty") }
    let opening = FileOpening(input.available, name: input.name)
    if let format = recognized(opening) { return format }
    if !opening.isDatabase, let format = UnsupportedFormat(opening, path: input.name) {
      throw format.error
    }
    let names = formats.filter(\.canRead).map(\.name).joined(separator: ", ")
    throw TrackError(
      .unknownFormat, "is \(opening.description), of no format that can be read",
      suggestion: opening.isDatabase ? .nameOrExportDrives : .text("these can: \(names)"))
  }

  /// The same for what comes in as it is measured: no more is waited for than is needed to tell sentences of
  /// NMEA, or the reports of gpsd, from the rest.
  public func detectLive(_ input: inout ByteInput) throws(TrackError) -> TrackFormat {
    while input.available.count < FileOpening.length, try input.fill() {
      let opening = FileOpening(input.available, name: input.name)
      if opening.holdsNMEALine { return recognized(opening) ?? .nmea }
      if opening.holdsPositionOfGPSD { return .gpsd }
      if opening.holdsRowOfTable { return .csv }
    }
    return try detect(&input)
  }

  /// The format of what begins like this, or nil.
  package func recognized(_ opening: FileOpening) -> TrackFormat? {
    formats.first { $0.recognizes(opening) } ?? promised(by: opening)
  }

  /// The format that the name promises, where what tells it lies behind the opening: a root element behind a
  /// long comment, the type of an object behind a long text.
  private func promised(by opening: FileOpening) -> TrackFormat? {
    guard opening.isCut, opening.rootElement == nil, let name = opening.name, let format = forFile(name)
    else {
      return nil
    }
    // Blanks may stand in front of both.
    let first = opening.bytes.first { $0 > 0x20 }
    switch format.name {
    case "gpx", "kml", "tcx": return first == nil || first == UInt8(ascii: "<") ? format : nil
    case "geojson": return first == nil || first == UInt8(ascii: "{") ? format : nil
    case "nmea": return opening.bytes.allSatisfy { $0 >= 0x09 } ? format : nil
    default: return nil
    }
  }
}

extension TrackFormat {
  /// Whether a drive without a start time keeps its duration without times of its points: its document,
  /// GeoJSON and tables have fields for the duration itself, and polylines have no times at all.
  public var keepsDurationsOfDrives: Bool {
    [.drive, .geojson, .geojsonseq, .csv, .tsv, .polyline, .polyline6].contains(self)
  }
}
