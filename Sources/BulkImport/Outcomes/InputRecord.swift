package import TrackArchives
import TrackFormats
public import TrackModel

/// The outcome of an input, one JSON object on a line of a report.
public struct InputRecord: Sendable {
  /// The outcome in one word, which is the value in reports.
  public enum State: String, Sendable, CaseIterable {
    /// At least one drive was created.
    case imported
    /// The input is in an output file.
    case converted
    /// An earlier run imported or converted the same content.
    case alreadyThere = "already there"
    /// All drives of the input are duplicates.
    case duplicate
    /// The input has no track, or was excluded; see ``InputRecord/reason``.
    case skipped
    /// The input or its output has a failure; see ``InputRecord/error``.
    case failed
  }

  /// The name of the input in messages.
  public var source: String
  /// The outcome of the input.
  public var state: State
  /// The reason as one of a few keywords for scripts.
  public var reason: String?
  /// The reason as text.
  public var message: String?
  /// The first failure of the input.
  public var error: TrackError?
  /// The identifiers of the existing drives of the input.
  public var drives: [String] = []
  /// The identifier of the drive that this is a duplicate of.
  public var duplicateOf: String?
  /// The input with the drive that this is a duplicate of.
  public var duplicateSource: String?
  /// Drives with a part of the same recording.
  public var extensionsOf: [String] = []
  /// Drives recorded by other devices on the same ride, including those of other people.
  public var simultaneousWith: [String] = []
  /// The identifiers of drives by people who rode along for most of the way.
  public var companionsOf: [String] = []
  /// The paths of the files that contain the input.
  public var outputs: [String] = []
  /// The hash and size of the content, or `nil` if the input was not read to its end.
  public var identity: ContentIdentity?
  /// The name of the detected format.
  public var format: String?
  /// The recoverable problems with the input and its drives.
  public var warnings: [TrackWarning] = []
  /// Whether points were left out because their positions are invalid or have no fix. Points without a
  /// position, as of training indoors, do not count.
  var hasRejectedPoints: Bool { warnings.contains { $0.code == .invalidPosition || $0.code == .noFix } }

  package init(_ source: String, _ state: State) {
    self.source = source
    self.state = state
  }

  package init(_ source: String, skipped reason: SkipReason) {
    self.init(source, .skipped)
    self.reason = reason.code
    message = reason.text
  }

  package init(_ source: String, failed error: TrackError) {
    self.init(source, .failed)
    fail(error)
  }

  /// Records a failure that occurred later.
  package mutating func fail(_ error: TrackError) {
    state = .failed
    reason = error.code.description
    message = error.message
    self.error = error
  }

  /// - Parameter source: the name of the input in messages.
  package init(_ source: String, outcome: InputOutcome) {
    switch outcome {
    case .imported: self.init(source, .imported)
    case .alreadyThere: self.init(source, .alreadyThere)
    case .duplicate(let known):
      self.init(source, .duplicate)
      duplicateSource = known
    case .skipped(let reason): self.init(source, skipped: reason)
    case .failed(let error): self.init(source, failed: error)
    }
  }

  /// Returns the record once it is known whether its output was written.
  package func written(_ output: String?) -> InputRecord {
    var record = self
    guard state == .converted else { return record }
    if let output {
      record.outputs = [output]
    } else {
      record.state = .failed
      record.reason = TrackError.Code.unwritable.description
      record.message = "the output was not written"
    }
    return record
  }

  /// Returns the JSON object and a line feed.
  ///
  /// - Parameter hint: the suggestion for the error, if any.
  public func line(hint: String? = nil) -> String {
    var members: [(String, JSONValue)] = [("source", .string(source))]
    if !FileName.isText(source) {
      members.append(("source_base64", .plain(Base64.encode(FileName.bytes(source).span))))
    }
    members.append(("state", .string(state.rawValue)))
    if let reason { members.append(("reason", .string(reason))) }
    if let message { members.append(("message", .string(message))) }
    if let error { members.append(("error", .error(error, hint: hint))) }
    if !drives.isEmpty || state == .imported {
      members.append(("drives", .array(drives.map { .string($0) })))
    }
    if let duplicateOf { members.append(("duplicate_of", .string(duplicateOf))) }
    if let duplicateSource { members.append(("duplicate_of_source", .string(duplicateSource))) }
    if !extensionsOf.isEmpty {
      members.append(("extension_of", .array(extensionsOf.map { .string($0) })))
    }
    if !simultaneousWith.isEmpty {
      members.append(("simultaneous_with", .array(simultaneousWith.map { .string($0) })))
    }
    if !companionsOf.isEmpty {
      members.append(("companion_of", .array(companionsOf.map { .string($0) })))
    }
    if !outputs.isEmpty { members.append(("outputs", .array(outputs.map { .string($0) }))) }
    if let identity {
      members.append(("hash", .string(identity.hash.description)))
      members.append(("size", .integer(identity.size)))
    }
    if let format { members.append(("format", .string(format))) }
    if !warnings.isEmpty || state == .imported || state == .converted {
      members.append(("warnings", .warnings(warnings)))
    }
    return FileName.shown(JSONValue.object(members).text) + "\n"
  }
}

extension InputRecord {
  /// Returns whether a line belongs to a report. The records of a filter, which contain whole drives, and the
  /// notes of a conversion begin like a report but are not part of one.
  ///
  /// - Parameter line: the line, which may be truncated.
  static func isRecord(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix(#"{"source": ""#), let end = endOfString(text.dropFirst(12)) else { return false }
    var rest = text[end...]
    let bytes = #", "source_base64": ""#
    if rest.hasPrefix(bytes) {
      guard let behind = rest.dropFirst(bytes.count).firstIndex(of: "\"") else { return false }
      rest = rest[rest.index(after: behind)...]
    }
    // A filter writes a reason for every path, which may be null.
    return State.allCases.contains { rest.hasPrefix(#", "state": "\#($0.rawValue)""#) }
      && !rest.contains(#", "reason": null"#) && !rest.contains(#", "more_errors": "#)
  }

  /// Returns the position after the quote that ends a JSON string, or nil if there is none.
  private static func endOfString(_ text: Substring) -> Substring.Index? {
    var isEscaped = false
    for index in text.indices {
      if isEscaped {
        isEscaped = false
      } else if text[index] == "\\" {
        isEscaped = true
      } else if text[index] == "\"" {
        return text.index(after: index)
      }
    }
    return nil
  }
}
