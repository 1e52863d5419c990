/// A location in a file. Unknown parts are `nil`.
public struct InputLocation: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int?
  /// The column in bytes, from 1. For XML, the column after the tag.
  public var column: Int?
  /// The byte offset.
  public var byteOffset: Int?
  /// The element path from the root, such as `gpx/trk/trkseg/trkpt`, or the equivalent in other formats.
  public var path: String?

  /// Creates a location from the parts that are known.
  public init(line: Int? = nil, column: Int? = nil, byteOffset: Int? = nil, path: String? = nil) {
    self.line = line
    self.column = column
    self.byteOffset = byteOffset
    self.path = path
  }
}

/// An error when reading or writing tracks.
///
/// A `catch` can match the kind of error:
///
/// ```swift
/// catch where error.code == .malformed
/// ```
///
/// The error is one word wide, so that its details cost nothing unless it is thrown.
public struct TrackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error. Further kinds may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
      case notFound = "not-found"
      case unreadable
      case notCreatable = "not-creatable"
      case unwritable
      case noSpace = "no-space"
      case unknownFormat = "unknown-format"
      case malformed, truncated
      case limitExceeded = "limit-exceeded"
      case unsupported
      case invalidValue = "invalid-value"
      case noTracks = "no-tracks"
      case noTimes = "no-times"
      case outOfOrder = "out-of-order"
      case tooFewPoints = "too-few-points"
      case usage, warning
    }
    private let value: Value

    /// The file does not exist.
    public static let notFound = Code(value: .notFound)
    /// The input exists but cannot be read: missing permission, a folder, a disk error.
    public static let unreadable = Code(value: .unreadable)
    /// The output cannot be created: missing folder or permission.
    public static let notCreatable = Code(value: .notCreatable)
    /// The output cannot be written: a closed pipe, a disk error.
    public static let unwritable = Code(value: .unwritable)
    /// The disk is full or the user's quota is exceeded.
    public static let noSpace = Code(value: .noSpace)
    /// The format of the content is unknown.
    public static let unknownFormat = Code(value: .unknownFormat)
    /// The content violates its format.
    public static let malformed = Code(value: .malformed)
    /// The content is truncated.
    public static let truncated = Code(value: .truncated)
    /// The content exceeds a limit on depth, length or size.
    public static let limitExceeded = Code(value: .limitExceeded)
    /// The content is valid but uses an unsupported feature.
    public static let unsupported = Code(value: .unsupported)
    /// A value is invalid or out of range.
    public static let invalidValue = Code(value: .invalidValue)
    /// A required track is missing.
    public static let noTracks = Code(value: .noTracks)
    /// Required times of trackpoints are missing.
    public static let noTimes = Code(value: .noTimes)
    /// The times are not in order.
    public static let outOfOrder = Code(value: .outOfOrder)
    /// There are too few points.
    public static let tooFewPoints = Code(value: .tooFewPoints)
    /// The requested operation is not possible with this input.
    public static let usage = Code(value: .usage)
    /// A warning that the options turn into an error.
    public static let warning = Code(value: .warning)

    /// The identifier in JSON, in lower case with hyphens: `not-found`.
    public var description: String { value.rawValue }
  }

  private final class Storage: Sendable {
    let code: Code
    let message: String
    let file: String?
    let place: InputLocation
    let offendingText: String?
    let suggestion: Suggestion?

    init(
      code: Code, message: String, file: String?, place: InputLocation, offendingText: String?,
      suggestion: Suggestion?
    ) {
      self.code = code
      self.message = message
      self.file = file
      self.place = place
      self.offendingText = offendingText
      self.suggestion = suggestion
    }
  }

  private let storage: Storage

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: the kind of error.
  ///   - message: the problem, without the location and without a full stop.
  ///   - file: the name of the file, if known.
  ///   - place: the position in the file, if known.
  ///   - offendingText: the invalid text. Shortened to 40 bytes and made printable.
  ///   - suggestion: a way to resolve the error.
  public init(
    _ code: Code, _ message: String, file: String? = nil, place: InputLocation = InputLocation(),
    offendingText: String? = nil, suggestion: Suggestion? = nil
  ) {
    storage = Storage(
      code: code, message: message, file: file, place: place,
      offendingText: offendingText.map(TrackError.printable), suggestion: suggestion)
  }

  /// The kind of error.
  public var code: Code { storage.code }
  /// The problem, without the location and without a full stop.
  public var message: String { storage.message }
  /// The path or name of the file, or `nil`.
  public var file: String? { storage.file }
  /// The location in the file.
  public var place: InputLocation { storage.place }
  /// The invalid text, shortened and printable, or `nil`.
  public var offendingText: String? { storage.offendingText }
  /// A way to resolve the error.
  public var suggestion: Suggestion? { storage.suggestion }

  /// Returns the error with a file name, unless it already has one.
  public func inFile(_ file: String) -> TrackError {
    TrackError(
      code, message, file: self.file ?? file, place: place, offendingText: offendingText,
      suggestion: suggestion)
  }

  /// Returns whether two errors are equal in all properties.
  public static func == (left: TrackError, right: TrackError) -> Bool {
    left.code == right.code && left.message == right.message && left.file == right.file
      && left.place == right.place && left.offendingText == right.offendingText
      && left.suggestion == right.suggestion
  }

  /// Hashes the kind of error and its location.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(place)
  }

  /// The error on one line without the suggestion: `file:line:column: message: "text" (path)`.
  public var problem: String {
    Diagnostic.line(file: file, place: place, message: message, offendingText: offendingText)
  }

  /// The error on one line: `file:line:column: message: "text" (path); suggestion`.
  public var description: String {
    problem + (suggestion.map { "; " + Diagnostic.singleLine($0.description) } ?? "")
  }

  /// Shortens text to 40 bytes on one line without control characters.
  public static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if result.utf8.count + UTF8.width(scalar) > 40 { return result + "…" }
      result.unicodeScalars.append(scalar.isUnprintable ? " " : scalar)
    }
    return result
  }
}

/// A problem that reading recovered from.
public struct TrackWarning: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem. Any text is a valid code; the constants are those of this package.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The identifier in JSON. The constants are in lower case with hyphens: `null-island`.
    public let description: String
    /// Creates a code from lower-case words with hyphens.
    public init(_ description: String) { self.description = description }

    /// A position is missing or out of range.
    public static let invalidPosition = Code("invalid-position")
    /// A time cannot be read.
    public static let invalidTime = Code("invalid-time")
    /// A time has no zone and was read as UTC.
    public static let timeWithoutZone = Code("time-without-zone")
    /// A value cannot be read.
    public static let invalidValue = Code("invalid-value")
    /// An XML name has a prefix that no namespace is declared for.
    public static let undeclaredPrefix = Code("undeclared-prefix")
    /// An XML entity is not defined.
    public static let unresolvedEntity = Code("unresolved-entity")
    /// The input ends inside its content.
    public static let truncated = Code("truncated")
    /// An element is at a place where its format does not allow it.
    public static let misplacedElement = Code("misplaced-element")
    /// Content after the end of the document was ignored.
    public static let trailingContent = Code("trailing-content")
    /// Data does not match its checksum.
    public static let wrongChecksum = Code("wrong-checksum")
    /// Data does not match its size.
    public static let wrongSize = Code("wrong-size")
    /// A value cannot be represented in the output's format.
    public static let notRepresentable = Code("not-representable")
    /// The content exceeds what ``ReadingLimits`` allows a reader to keep.
    public static let limitExceeded = Code("limit-exceeded")
  }

  /// The kind of warning.
  public var code: Code
  /// The problem and its recovery, for one or several occurrences:
  /// `position out of range, point skipped`.
  public var message: String
  /// The number of occurrences, at least 1.
  public var count: Int
  /// The location of the first occurrence.
  public var place: InputLocation
  /// The invalid text of the first occurrence, shortened to 40 bytes and made printable.
  public var offendingText: String?
  /// A way to resolve the problem.
  public var suggestion: Suggestion?

  /// Creates a warning that occurred `count` times, first at `place`.
  public init(
    _ code: Code, _ message: String, count: Int = 1, place: InputLocation = InputLocation(),
    offendingText: String? = nil,
    suggestion: Suggestion? = nil
  ) {
    self.code = code
    self.message = message
    self.count = count
    self.place = place
    self.offendingText = offendingText.map(TrackError.printable)
    self.suggestion = suggestion
  }

  /// The warning on one line without the file name:
  /// `line 12: position out of range, point skipped: "91" (gpx/wpt) (first of 3)`.
  public var description: String {
    Diagnostic.line(
      file: nil, place: InputLocation(line: place.line, column: place.column, byteOffset: place.byteOffset),
      message: text, offendingText: nil)
  }

  /// The warning on one line with no location except the element path.
  public var text: String {
    Diagnostic.line(
      file: nil, place: InputLocation(path: place.path), message: message, offendingText: offendingText)
      + (count > 1 ? " (first of \(count))" : "")
  }

  /// The warning as an error, for strict reading.
  public var asError: TrackError {
    TrackError(.warning, message, place: place, offendingText: offendingText, suggestion: suggestion)
  }
}

/// Collects warnings, counted by code and message.
public struct WarningLog: Sendable {
  /// The warnings in the order of first occurrence.
  public private(set) var warnings: [TrackWarning] = []
  /// The total number of occurrences.
  public private(set) var count = 0
  private var indices: [Kind: Int] = [:]

  private struct Kind: Hashable {
    let code: TrackWarning.Code
    let message: String
  }

  /// Creates a log without warnings.
  public init() {}

  /// Counts a warning. Location and text are evaluated only for the first occurrence.
  ///
  /// - Throws: the warning as an error if `isStrict` is true.
  public mutating func report(
    _ code: TrackWarning.Code, _ message: String, count: Int = 1, isStrict: Bool = false,
    at place: @autoclosure () -> InputLocation = InputLocation(),
    offendingText: @autoclosure () -> String? = nil
  ) throws(TrackError) {
    let kind = Kind(code: code, message: message)
    self.count += count
    if !isStrict, let index = indices[kind] {
      warnings[index].count += count
      return
    }
    let warning = TrackWarning(code, message, count: count, place: place(), offendingText: offendingText())
    if isStrict { throw warning.asError }
    indices[kind] = warnings.count
    warnings.append(warning)
  }

  /// Counts a warning of a kind that was reported before, without its location and text.
  ///
  /// - Returns: false, and counts nothing, if there was no such warning before.
  public mutating func reportRepeated(
    _ code: TrackWarning.Code, _ message: String, count: Int = 1
  ) -> Bool {
    guard let index = indices[Kind(code: code, message: message)] else { return false }
    self.count += count
    warnings[index].count += count
    return true
  }

  /// Adds warnings that were collected elsewhere.
  public mutating func add(_ others: [TrackWarning]) {
    for other in others {
      let kind = Kind(code: other.code, message: other.message)
      count += other.count
      if let index = indices[kind] {
        warnings[index].count += other.count
      } else {
        indices[kind] = warnings.count
        warnings.append(other)
      }
    }
  }
}

/// The text of errors and warnings.
package enum Diagnostic {
  /// Replaces characters that would break the line, control the terminal or change the text direction with
  /// spaces.
  package static func singleLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.isSteering) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isSteering ? " " : $0 }))
  }

  static func line(
    file: String?, place: InputLocation, message: String, offendingText: String?
  ) -> String {
    var location = file.map(singleLine) ?? ""
    if let line = place.line {
      location += location.isEmpty ? "line \(line)" : ":\(line)"
      if let column = place.column { location += ":\(column)" }
    } else if let offset = place.byteOffset {
      location += location.isEmpty ? "byte \(offset)" : ": byte \(offset)"
    }
    let message = singleLine(message)
    var text = location.isEmpty ? message : "\(location): \(message)"
    if let offendingText { text += ": \"\(offendingText)\"" }
    if let path = place.path { text += " (\(singleLine(path)))" }
    return text
  }
}
