import TrackFormats
public import TrackModel

/// A kind of file that shows a comparison.
///
/// A kind is added with one folder and one line in ``all``.
public struct ComparisonOutput: Sendable, Hashable, CustomStringConvertible {
  /// The short name, which is also the ending of its files: `kmz`.
  public let name: String
  /// What it is, for people.
  public let title: String

  /// Writes to a sink, finishes it, and gives what was written to memory.
  typealias Writing =
    @Sendable (ComparisonDocument, ExportOptions, consuming ByteSink) throws(TrackError) -> [UInt8]
  private let writing: Writing

  init(name: String, title: String, writing: @escaping Writing) {
    self.name = name
    self.title = title
    self.writing = writing
  }

  public var description: String { name }
  public static func == (left: ComparisonOutput, right: ComparisonOutput) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// All kinds.
  public static let all: [ComparisonOutput] = [.kml, .kmz, .gpx, .geojson, .csv]

  /// The kind that the ending of a file name stands for; case does not matter.
  ///
  /// - Throws: ``TrackError/Code/unsupported`` where it stands for none.
  public static func forFile(_ path: String) throws(TrackError) -> ComparisonOutput {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    if let output = all.first(where: { $0.name == ending }) { return output }
    let names = all.map { "." + $0.name }.joined(separator: ", ")
    throw TrackError(
      .unsupported, "the name of the output does not say how to show a comparison", file: path,
      hint: "these do: \(names)")
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
