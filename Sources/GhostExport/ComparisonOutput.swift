import TrackFormats
public import TrackModel

/// A file format for comparisons.
///
/// To add a format, add a folder and a line in ``standard``.
public struct ComparisonOutput: Sendable, Hashable, CustomStringConvertible {
  /// The short name, such as `kmz`.
  public let name: String
  /// The file extension without the dot.
  public let fileExtension: String
  /// A description for people.
  public let title: String

  /// Writes a comparison to a sink, finishes it, and returns the bytes written to memory.
  typealias Writing =
    @Sendable (ComparisonDocument, ExportOptions, consuming ByteSink) throws(TrackError) -> [UInt8]
  private let writing: Writing

  init(name: String, fileExtension: String? = nil, title: String, writing: @escaping Writing) {
    self.name = name
    self.fileExtension = fileExtension ?? name
    self.title = title
    self.writing = writing
  }

  public var description: String { name }
  public static func == (left: ComparisonOutput, right: ComparisonOutput) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// All formats that are a single file. Programs that link archives add ``kmz(container:)``.
  public static let standard: [ComparisonOutput] = [
    .html, .kml, .gpx, .geojson, .csv, .gapImage, .mapImage,
  ]

  /// Returns the format for a file name, by its extension in any case. `htm` is the same as `html`. SVG files
  /// whose name contains `map`, such as `commute-map.svg`, are maps.
  ///
  /// - Parameters:
  ///   - path: the name or path of the file.
  ///   - outputs: the available formats. The first with the extension is returned.
  /// - Throws: `TrackError.Code.unsupported` if no format has the extension.
  public static func forFile(
    _ path: String, among outputs: [ComparisonOutput] = standard
  ) throws(TrackError) -> ComparisonOutput {
    let name = FileName.last(path).lowercased()
    var ending = FileName.fileExtension(name) ?? ""
    if ending == "htm" { ending = "html" }
    let kinds = outputs.filter { $0.fileExtension == ending }
    if let kind = kinds.first(where: { $0 == .mapImage && name.prefix { $0 != "." }.contains("map") })
      ?? kinds.first
    {
      return kind
    }
    let endings = outputs.map { "." + $0.fileExtension }
    let known = endings.indices.filter { endings.firstIndex(of: endings[$0]) == $0 }.map { endings[$0] }
    throw TrackError(
      .unsupported, "unknown extension for a comparison", file: path,
      suggestion: .text("supported: \(known.joined(separator: ", "))"))
  }

  /// Writes a file atomically, or to standard output for `-`.
  ///
  /// - Throws: `usage` if the comparison has no traces of its drives; errors of writing the file.
  public func write(
    _ document: ComparisonDocument, to path: String, options: ExportOptions = ExportOptions()
  ) throws(TrackError) {
    try document.check()
    _ = try writing(document, options, ByteSink(path: path))
  }

  /// Returns the content of the file.
  ///
  /// - Throws: `usage` if the comparison has no traces of its drives.
  public func bytes(
    _ document: ComparisonDocument, options: ExportOptions = ExportOptions()
  ) throws(TrackError) -> [UInt8] {
    try document.check()
    return try writing(document, options, ByteSink())
  }
}
