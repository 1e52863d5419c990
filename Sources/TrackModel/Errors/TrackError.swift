/// Where in a file something is; every part is known or nil.
public struct Place: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int?
  /// The column in bytes, from 1. For XML where the parser stood: behind the tag that is meant.
  public var column: Int?
  /// Bytes before the place.
  public var byteOffset: Int?
  /// The elements from the root inwards: `gpx/trk/trkseg/trkpt`; for other formats what they have instead.
  public var path: String?

  public init(line: Int? = nil, column: Int? = nil, byteOffset: Int? = nil, path: String? = nil) {
    self.line = line
    self.column = column
    self.byteOffset = byteOffset
    self.path = path
  }
}

/// Why tracks could not be read or written.
///
/// Two errors are equal where their codes are, so that a `catch` can ask for a kind:
///
/// ```swift
/// catch where error.code == .malformed
/// ```
///
/// One word wide: a happy path pays nothing for the details of a failure.
public struct TrackError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure. More may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
      case notFound, unreadable, notCreatable, unwritable, noSpace, unknownFormat, malformed, truncated
      case limitExceeded
      case unsupported, invalidValue, noTracks, noTimes, outOfOrder, tooFewPoints, usage, warning
    }
    private let value: Value

    /// There is no such file.
    public static let notFound = Code(value: .notFound)
    /// The input exists and cannot be read: permission, a folder, a fault of the disk.
    public static let unreadable = Code(value: .unreadable)
    /// The output cannot be made: its folder is missing, or permission.
    public static let notCreatable = Code(value: .notCreatable)
    /// The output cannot be written: a closed pipe, a fault of the disk.
    public static let unwritable = Code(value: .unwritable)
    /// The disk is full, or the user's part of it; the next output would have no more room.
    public static let noSpace = Code(value: .noSpace)
    /// The content is of no known format.
    public static let unknownFormat = Code(value: .unknownFormat)
    /// The content breaks the rules of its format.
    public static let malformed = Code(value: .malformed)
    /// The content ends too early.
    public static let truncated = Code(value: .truncated)
    /// The content is deeper or longer than a file of its kind can sensibly be.
    public static let limitExceeded = Code(value: .limitExceeded)
    /// The content is sound and uses something that is not supported.
    public static let unsupported = Code(value: .unsupported)
    /// A value is none of its kind, or out of range.
    public static let invalidValue = Code(value: .invalidValue)
    /// There is no track where one is needed.
    public static let noTracks = Code(value: .noTracks)
    /// The trackpoints have no times where they are needed.
    public static let noTimes = Code(value: .noTimes)
    /// The times run backwards.
    public static let outOfOrder = Code(value: .outOfOrder)
    /// There are fewer points than needed.
    public static let tooFewPoints = Code(value: .tooFewPoints)
    /// What was asked for cannot be done with this input.
    public static let usage = Code(value: .usage)
    /// A warning, where the options make it an error.
    public static let warning = Code(value: .warning)

    public var description: String { value.rawValue }
  }

  private final class Storage: Sendable {
    let code: Code
    let message: String
    let file: String?
    let place: Place
    let offendingText: String?
    let suggestion: Suggestion?

    init(
      code: Code, message: String, file: String?, place: Place, offendingText: String?,
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

  /// - Parameters:
  ///   - message: what was wrong, without place and without a full stop.
  ///   - offendingText: the text that was wrong; held to 40 bytes and made printable.
  ///   - suggestion: what to do about it.
  public init(
    _ code: Code, _ message: String, file: String? = nil, place: Place = Place(),
    offendingText: String? = nil, suggestion: Suggestion? = nil
  ) {
    storage = Storage(
      code: code, message: message, file: file, place: place,
      offendingText: offendingText.map(TrackError.printable), suggestion: suggestion)
  }

  public var code: Code { storage.code }
  public var message: String { storage.message }
  public var file: String? { storage.file }
  public var place: Place { storage.place }
  public var offendingText: String? { storage.offendingText }
  /// What may resolve it.
  public var suggestion: Suggestion? { storage.suggestion }

  /// The same error, said of a file; a file that is already named stays.
  public func inFile(_ file: String) -> TrackError {
    TrackError(
      code, message, file: self.file ?? file, place: place, offendingText: offendingText,
      suggestion: suggestion)
  }

  public static func == (left: TrackError, right: TrackError) -> Bool { left.code == right.code }

  /// One line without the suggestion: `file:line:column: what: "text" (path)`.
  public var problem: String {
    Diagnostic.line(file: file, place: place, message: message, offendingText: offendingText)
  }

  /// One line: `file:line:column: what: "text" (path); suggestion`.
  public var description: String {
    problem + (suggestion.map { "; " + Diagnostic.singleLine($0.description) } ?? "")
  }

  /// At most 40 bytes of a text, on one line and without control characters.
  public static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if result.utf8.count + UTF8.width(scalar) > 40 { return result + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Something that was wrong and could be recovered from.
public struct TrackWarning: Sendable, Hashable, CustomStringConvertible {
  /// The kind of flaw. Any text can be one; the ones below are those of the readers and writers here.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }

    public static let invalidPosition = Code("invalid position")
    public static let invalidTime = Code("invalid time")
    public static let timeWithoutZone = Code("time without zone")
    public static let invalidValue = Code("invalid value")
    public static let undeclaredPrefix = Code("undeclared prefix")
    public static let unresolvedEntity = Code("unresolved entity")
    public static let truncated = Code("truncated")
    public static let misplacedElement = Code("misplaced element")
    public static let trailingContent = Code("trailing content")
    public static let notRepresentable = Code("not representable")
    /// More content than ``ReadingLimits`` allows to keep.
    public static let limitExceeded = Code("limit exceeded")
  }

  public var code: Code
  /// What was wrong and what was done about it, in words that fit one case and many:
  /// `position out of range, point left out`.
  public var message: String
  /// How often it happened, 1 or more.
  public var count: Int
  /// Where it happened first.
  public var place: Place
  /// The text that was wrong there, held to 40 bytes and made printable.
  public var offendingText: String?
  /// What may resolve it.
  public var suggestion: Suggestion?

  public init(
    _ code: Code, _ message: String, count: Int = 1, place: Place = Place(), offendingText: String? = nil,
    suggestion: Suggestion? = nil
  ) {
    self.code = code
    self.message = message
    self.count = count
    self.place = place
    self.offendingText = offendingText.map(TrackError.printable)
    self.suggestion = suggestion
  }

  /// One line without the file's name:
  /// `line 12: position out of range, point left out: "91" (gpx/wpt) (3 times, this is the first)`.
  public var description: String {
    Diagnostic.line(
      file: nil, place: Place(line: place.line, column: place.column, byteOffset: place.byteOffset),
      message: text, offendingText: nil)
  }

  /// The line without any place but the path.
  public var text: String {
    Diagnostic.line(
      file: nil, place: Place(path: place.path), message: message, offendingText: offendingText)
      + (count > 1 ? " (\(count) times, this is the first)" : "")
  }

  /// The same as an error, for strict reading.
  public var asError: TrackError {
    TrackError(.warning, message, place: place, offendingText: offendingText, suggestion: suggestion)
  }
}

/// Warnings as they come, counted by code and message.
public struct WarningLog: Sendable {
  /// In the order of first occurrence.
  public private(set) var warnings: [TrackWarning] = []
  /// How many times any of them occurred.
  public private(set) var count = 0
  private var indices: [Kind: Int] = [:]

  private struct Kind: Hashable {
    let code: TrackWarning.Code
    let message: String
  }

  public init() {}

  /// Counts a warning; place and text are asked for only where it is the first of its kind.
  ///
  /// - Throws: the warning as an error where `isStrict` holds.
  public mutating func report(
    _ code: TrackWarning.Code, _ message: String, count: Int = 1, isStrict: Bool = false,
    at place: @autoclosure () -> Place = Place(), offendingText: @autoclosure () -> String? = nil
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

  /// Counts a warning of a kind that was reported before, without its place and text.
  ///
  /// - Returns: false, and counts nothing, if there was no such warning before.
  public mutating func reportRepeated(_ code: TrackWarning.Code, _ message: String) -> Bool {
    guard let index = indices[Kind(code: code, message: message)] else { return false }
    count += 1
    warnings[index].count += 1
    return true
  }

  /// Counts warnings that were collected elsewhere.
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

/// How errors and warnings are put in words.
package enum Diagnostic {
  /// A text of any length on one line: what would break it, or steer the terminal or the direction of what
  /// follows, becomes a blank.
  package static func singleLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isSteering) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isSteering($0) ? " " : $0 }))
  }

  /// Control characters, breaks of lines, and what turns the direction of writing round (Unicode's
  /// `Bidi_Control`).
  private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  static func line(
    file: String?, place: Place, message: String, offendingText: String?
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
