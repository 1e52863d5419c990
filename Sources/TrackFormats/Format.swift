public import TrackModel

/// A file format that can be read or written.
///
/// A format is added with one folder and one line in ``all``.
public struct TrackFormat: Sendable, Hashable, CustomStringConvertible {
  /// The short name for options and JSON: `gpx`.
  public let name: String
  /// The full name with versions, for people.
  public let title: String
  /// The endings of its file names, without the dot and in small letters; the first is the usual one. Empty for a
  /// format that is only ever asked for by its name.
  public let fileExtensions: [String]
  /// The ending that files of the format are given, without the dot.
  public let usualExtension: String

  /// Whether a file that begins like this is of the format, as far as its content tells.
  private let recognizes: @Sendable (FileOpening) -> Bool
  private let reading: (@Sendable (consuming ByteInput, ReadingOptions) -> any TrackReader & ~Copyable)?
  private let writing: (@Sendable (consuming ByteSink) -> any TrackWriter & ~Copyable)?

  init(
    name: String, title: String, fileExtensions: [String], usualExtension: String? = nil,
    recognizes: @escaping @Sendable (FileOpening) -> Bool,
    reading: (@Sendable (consuming ByteInput, ReadingOptions) -> any TrackReader & ~Copyable)?,
    writing: (@Sendable (consuming ByteSink) -> any TrackWriter & ~Copyable)?
  ) {
    self.name = name
    self.title = title
    self.fileExtensions = fileExtensions
    self.usualExtension = usualExtension ?? fileExtensions.first ?? name
    self.recognizes = recognizes
    self.reading = reading
    self.writing = writing
  }

  public var canRead: Bool { reading != nil }
  public var canWrite: Bool { writing != nil }
  public var description: String { name }

  public static func == (left: TrackFormat, right: TrackFormat) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// All formats, in the order in which they are asked whether a content is theirs.
  public static let all: [TrackFormat] = [
    .gpx, .gpx10, .kml, .kmz, .tcx, .drive, .geojson, .geojsonseq, .timeline, .gpsd, .fit, .nmea, .csv, .tsv,
    .polyline, .polyline6,
  ]

  /// The format with a name or a file ending, or nil; case does not matter.
  public static func named(_ name: String) -> TrackFormat? {
    let name = name.lowercased()
    return all.first { $0.name == name || $0.fileExtensions.contains(name) }
  }

  /// The format that a file name promises, or nil.
  public static func forFile(_ path: String) -> TrackFormat? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return named(String(name[name.index(after: dot)...]))
  }

  /// The format of an input, from its first bytes; nothing is consumed.
  ///
  /// What the content says counts more than the name, which may lie; the name decides only where the content
  /// leaves it open.
  ///
  /// - Throws: ``TrackError/Code/unknownFormat`` for an input of no known format, `.truncated` for an empty one.
  public static func detect(_ input: inout ByteInput) throws(TrackError) -> TrackFormat {
    try input.fill(atLeast: FileOpening.length)
    guard !input.available.isEmpty else { throw TrackError(.truncated, "the file is empty") }
    let opening = FileOpening(input.available, name: input.name)
    if let format = recognized(opening) { return format }
    if !opening.isDatabase, let format = UnsupportedFormat(opening) { throw format.error }
    let names = all.filter(\.canRead).map(\.name).joined(separator: ", ")
    throw TrackError(
      .unknownFormat, "is \(opening.description), of no format that can be read",
      suggestion: opening.isDatabase ? .nameOrExportDrives : .text("these can: \(names)"))
  }

  /// The same for what comes in as it is measured: no more is waited for than is needed to tell sentences of NMEA, or the
  /// reports of gpsd, from the rest.
  public static func detectLive(_ input: inout ByteInput) throws(TrackError) -> TrackFormat {
    while input.available.count < FileOpening.length, try input.fill() {
      let opening = FileOpening(input.available, name: input.name)
      if opening.holdsNMEALine { return recognized(opening) ?? .nmea }
      if opening.holdsPositionOfGPSD { return .gpsd }
      if opening.holdsRowOfTable { return .csv }
    }
    return try detect(&input)
  }

  /// The format of what begins like this, or nil.
  static func recognized(_ opening: FileOpening) -> TrackFormat? {
    all.first { $0.recognizes(opening) } ?? opening.promisedFormat
  }

  /// A reader of an input that is of this format.
  ///
  /// - Throws: ``TrackError/Code/unsupported`` where the format can only be written.
  public func reader(
    _ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()
  ) throws(TrackError) -> any TrackReader & ~Copyable {
    guard let reading else { throw TrackError(.unsupported, "\(name) can be written, not read") }
    return reading(input, options)
  }

  /// A writer of this format.
  ///
  /// - Throws: ``TrackError/Code/unsupported`` where the format can only be read.
  public func writer(_ sink: consuming ByteSink) throws(TrackError) -> any TrackWriter & ~Copyable {
    guard let writing else { throw TrackError(.unsupported, "\(name) can be read, not written") }
    return writing(sink)
  }
}
