import TrackFormats
public import TrackModel

/// A kind of file that shows a comparison.
///
/// A kind is added with one folder and one line in ``all``.
public struct ComparisonOutput: Sendable, Hashable, CustomStringConvertible {
  /// The short name: `kmz`.
  public let name: String
  /// The ending of its files, without the dot.
  public let fileExtension: String
  /// What it is, for people.
  public let title: String

  /// Writes to a sink, finishes it, and gives what was written to memory.
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

  /// All kinds that are a single file; a program that has archives adds ``kmz(container:)``.
  public static let standard: [ComparisonOutput] = [
    .html, .kml, .gpx, .geojson, .csv, .gapImage, .mapImage,
  ]

  /// The kind that the ending of a file name stands for; case does not matter. Of the images it is the map
  /// where the name speaks of one: `map.svg`, `commute-map.svg`.
  ///
  /// - Parameter outputs: the ones to choose from, of which the first with the ending counts.
  /// - Throws: ``TrackError/Code/unsupported`` where it stands for none.
  public static func forFile(
    _ path: String, among outputs: [ComparisonOutput] = standard
  ) throws(TrackError) -> ComparisonOutput {
    let name = (path.split(separator: "/").last ?? "").lowercased()
    let dot = name.lastIndex(of: ".")
    let ending = dot.map { name[name.index(after: $0)...] } ?? ""
    let kinds = outputs.filter { $0.fileExtension == ending }
    if let kind = kinds.first(where: { $0 == .mapImage && name.prefix { $0 != "." }.contains("map") })
      ?? kinds.first
    {
      return kind
    }
    let endings = outputs.map { "." + $0.fileExtension }
    let known = endings.indices.filter { endings.firstIndex(of: endings[$0]) == $0 }.map { endings[$0] }
    throw TrackError(
      .unsupported, "the name of the output does not say how to show a comparison", file: path,
      suggestion: .text("these do: \(known.joined(separator: ", "))"))
  }

  /// Writes a file that appears whole or not at all; `-` is standard output.
  ///
  /// - Throws: where the file cannot be written.
  public func write(
    _ document: ComparisonDocument, to path: String, options: ExportOptions = ExportOptions()
  ) throws(TrackError) {
    _ = try writing(document, options, ByteSink(path: path))
  }

  /// The content of the file.
  public func bytes(
    _ document: ComparisonDocument, options: ExportOptions = ExportOptions()
  ) throws(TrackError) -> [UInt8] {
    try writing(document, options, ByteSink())
  }
}
