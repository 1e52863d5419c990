public import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A file with tracks in any format, on disk or in memory.
///
/// The initialiser does not read the file. ``recordings`` reads track by track, `importDrives(_:)` imports
/// drives.
///
/// ```swift
/// for try await recording in TrackFile(url).recordings {
///   print(recording.name ?? "unnamed", recording.count)
/// }
/// ```
public struct TrackFile: Sendable {
  enum Content: Sendable {
    case file(URL)
    case bytes([UInt8], name: String?)
  }

  let content: Content
  /// The format, or nil to detect it from the content.
  public var format: TrackFormat?
  /// The formats that are detected. Those of `TrackArchives` also open archives and folders.
  public var formats: FormatRegistry
  /// Whether the first warning is thrown as an error.
  public var isStrict = false

  /// Creates a file at a URL, which is opened when it is read.
  ///
  /// - Parameters:
  ///   - url: a file URL.
  ///   - format: nil to detect it from the content.
  ///   - formats: `.withArchives` of `TrackArchives` also reads archives and folders.
  public init(_ url: URL, as format: TrackFormat? = nil, formats: FormatRegistry = .standard) {
    content = .file(url)
    self.format = format
    self.formats = formats
  }

  /// Creates a file in memory.
  ///
  /// - Parameters:
  ///   - data: the content of the file.
  ///   - format: nil to detect it from the content.
  ///   - name: the file name in errors and for drives without a name.
  ///   - formats: `.withArchives` of `TrackArchives` also reads KMZ. Other archives and compressed files are
  ///     read by their URL only.
  public init(
    _ data: Data, as format: TrackFormat? = nil, name: String? = nil, formats: FormatRegistry = .standard
  ) {
    content = .bytes(Array(data), name: name)
    self.format = format
    self.formats = formats
  }

  /// Returns the inputs one by one: the file itself, or those of the archive or the folder.
  func inputs() throws(TrackError) -> () throws(TrackError) -> ByteInput? {
    switch content {
    case .file(let url):
      let path = try url.checkedPath
      if let inputs = formats.inputs { return inputs(path) }
      var isRead = false
      return { () throws(TrackError) in
        guard !isRead else { return nil }
        isRead = true
        return try ByteInput(path: path)
      }
    case .bytes(let bytes, let name):
      var isRead = false
      return { () throws(TrackError) in
        guard !isRead else { return nil }
        isRead = true
        return ByteInput(bytes: bytes, name: name)
      }
    }
  }
}

extension URL {
  /// The absolute path of a file URL.
  var checkedPath: String {
    get throws(TrackError) {
      guard isFileURL else {
        throw TrackError(.unreadable, "is not the URL of a file", file: absoluteString)
      }
      return absoluteURL.path(percentEncoded: false)
    }
  }
}

/// Reads the recordings of a file one by one.
final class RecordingCursor {
  private let file: TrackFile
  private var inputs: (() throws(TrackError) -> ByteInput?)?
  private var reader: (any TrackReader & ~Copyable)?
  private var recordings = RecordingBuilder()
  private var batch = PointBatch()
  /// The name of the current input.
  private(set) var inputName: String?
  /// The warnings of all inputs so far.
  private(set) var warnings = WarningLog()

  private let isStopped: () -> Bool

  /// Creates a cursor.
  ///
  /// - Parameter isStopped: whether to stop, called before each batch of points.
  init(_ file: TrackFile, isStopped: @escaping () -> Bool) {
    self.file = file
    self.isStopped = isStopped
  }

  /// Returns the next recording with points, or nil at the end or if reading was stopped.
  ///
  /// - Throws: the error of an input. The next call continues with the next input.
  func next() throws(TrackError) -> Recording? {
    while !isStopped() {
      guard var reader = reader.take() else {
        guard try open() else { return nil }
        continue
      }
      let event: TrackEvent?
      do throws(TrackError) {
        event = try reader.next(into: &batch)
      } catch {
        warnings.add(reader.warnings)
        recordings = RecordingBuilder()
        throw inputName.map(error.inFile) ?? error
      }
      guard let event else {
        warnings.add(reader.warnings)
        continue
      }
      self.reader = consume reader
      if let recording = recordings.add(event, batch), recording.count > 0 { return recording }
    }
    return nil
  }

  /// Opens the next input.
  ///
  /// - Returns: false after the last input.
  private func open() throws(TrackError) -> Bool {
    let next: () throws(TrackError) -> ByteInput?
    if let inputs {
      next = inputs
    } else {
      // Report the error of a file without inputs only once.
      inputs = { () throws(TrackError) in nil }
      next = try file.inputs()
      inputs = next
    }
    guard var input = try next() else { return false }
    inputName = input.name
    do throws(TrackError) {
      let format = if let known = file.format { known } else { try file.formats.detect(&input) }
      let reader = try format.reader(input, options: ReadingOptions(isStrict: file.isStrict))
      self.reader = consume reader
    } catch {
      throw inputName.map(error.inFile) ?? error
    }
    return true
  }
}
