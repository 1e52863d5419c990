public import TrackModel

/// A file format that can be read or written.
///
/// A format is added with one folder and one line in a ``FormatRegistry``.
public struct TrackFormat: Sendable, Hashable, CustomStringConvertible {
  /// The short name for options and JSON: `gpx`.
  public let name: String
  /// The full name with versions, for display.
  public let title: String
  /// The extensions of its file names, without the dot and in lower case, the usual one first. Empty for a
  /// format that is chosen only by name.
  public let fileExtensions: [String]
  /// The extension for new files of the format, without the dot.
  public let usualExtension: String

  /// Returns whether the content of an opening is in this format.
  package let recognizes: @Sendable (FileOpening) -> Bool
  private let reading: (@Sendable (consuming ByteInput, ReadingOptions) -> any TrackReader & ~Copyable)?
  private let writing: (@Sendable (consuming ByteSink) -> any TrackWriter & ~Copyable)?

  package init(
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

  /// Creates a format of another package, for a ``FormatRegistry``.
  ///
  /// ```swift
  /// let format = TrackFormat(
  ///   name: "log", title: "Log of our receiver", fileExtensions: ["log"],
  ///   recognizesOpening: { $0.starts(with: Array("#LOG".utf8)) },
  ///   reading: { input, options in LogReader(input, options) })
  /// let formats = FormatRegistry([format] + FormatRegistry.standard.formats)
  /// ```
  ///
  /// - Parameters:
  ///   - name: short and in lower case. Formats are equal if their names are.
  ///   - title: the full name, for display.
  ///   - fileExtensions: without the dot and in lower case, the usual one first.
  ///   - recognizesOpening: returns whether a file that begins with the bytes, at most 16 KiB, is of the
  ///     format.
  ///   - reading: returns a reader, or `nil` if the format can only be written.
  ///   - writing: returns a writer, or `nil` if the format can only be read.
  public init(
    name: String, title: String, fileExtensions: [String],
    recognizesOpening: @escaping @Sendable (_ bytes: [UInt8]) -> Bool,
    reading: (@Sendable (consuming ByteInput, ReadingOptions) -> any TrackReader & ~Copyable)? = nil,
    writing: (@Sendable (consuming ByteSink) -> any TrackWriter & ~Copyable)? = nil
  ) {
    self.init(
      name: name, title: title, fileExtensions: fileExtensions, recognizes: { recognizesOpening($0.bytes) },
      reading: reading, writing: writing)
  }

  /// Whether the format has a reader.
  public var canRead: Bool { reading != nil }
  /// Whether the format has a writer.
  public var canWrite: Bool { writing != nil }
  public var description: String { name }

  public static func == (left: TrackFormat, right: TrackFormat) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Returns a reader of an input in this format.
  ///
  /// - Throws: `TrackError.Code.unsupported` if the format can only be written.
  public func reader(
    _ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()
  ) throws(TrackError) -> any TrackReader & ~Copyable {
    guard let reading else { throw TrackError(.unsupported, "\(name) can be written, not read") }
    return SegmentFilter(reading(input, options), options)
  }

  /// Returns a writer of this format.
  ///
  /// - Throws: `TrackError.Code.unsupported` if the format can only be read.
  public func writer(_ sink: consuming ByteSink) throws(TrackError) -> any TrackWriter & ~Copyable {
    guard let writing else { throw TrackError(.unsupported, "\(name) can be read, not written") }
    return writing(sink)
  }
}
