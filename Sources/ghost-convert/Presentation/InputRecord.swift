import BulkImport
import TrackArchives
import CommandLineParsing
import Synchronization
import TrackFormats
import TrackModel

/// What became of an input, for `--report` and for scripts: one JSON object on a line.
struct InputRecord: Sendable {
  enum State: String, CaseIterable {
    case imported
    case converted
    case alreadyThere = "already there"
    case duplicate
    case skipped
    case failed
  }

  /// What people call the input.
  var source: String
  var state: State
  /// One of a few words for scripts.
  var reason: String?
  /// The same for people.
  var message: String?
  var error: TrackError?
  /// The identifiers of the drives that are there for it.
  var drives: [String] = []
  var duplicateOf: String?
  /// The input that the drive came from which this is a duplicate of.
  var duplicateSource: String?
  /// Drives with part of the same recording.
  var extensionsOf: [String] = []
  /// Drives that another device has recorded on the same ride, and those of people beside it.
  var simultaneousWith: [String] = []
  var companionsOf: [String] = []
  var outputs: [String] = []
  var identity: ContentIdentity?
  var format: String?
  /// What was wrong with the input and its drives and could be recovered from.
  var warnings: [TrackWarning] = []

  init(_ source: String, _ state: State) {
    self.source = source
    self.state = state
  }

  init(_ source: String, skipped reason: SkipReason) {
    self.init(source, .skipped)
    self.reason = reason.code
    message = reason.text
  }

  init(_ source: String, failed error: TrackError) {
    self.init(source, .failed)
    fail(error)
  }

  /// Notes that something has failed after all.
  mutating func fail(_ error: TrackError) {
    state = .failed
    reason = error.code.description
    message = error.message
    self.error = error
  }

  /// - Parameter source: what people call the input.
  init(_ source: String, outcome: InputOutcome) {
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

  /// The same once it is known whether its output was written.
  func written(_ output: String?) -> InputRecord {
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

  /// With its line feed.
  var line: String {
    var members: [(String, JSONValue)] = [("source", .string(source))]
    if !FileName.isText(source) {
      members.append(("source_base64", .plain(Base64.encode(FileName.bytes(source).span))))
    }
    members.append(("state", .string(state.rawValue)))
    if let reason { members.append(("reason", .string(reason))) }
    if let message { members.append(("message", .string(message))) }
    if let error { members.append(("error", .error(error))) }
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
  /// Whether a line is one of a report. The records of a filter, which hold whole drives, and the notes of a conversion begin
  /// like it, and are none.
  ///
  /// - Parameter line: may be cut at its end.
  static func isRecord(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix(#"{"source": ""#), let end = endOfString(text.dropFirst(12)) else { return false }
    var rest = text[end...]
    let bytes = #", "source_base64": ""#
    if rest.hasPrefix(bytes) {
      guard let behind = rest.dropFirst(bytes.count).firstIndex(of: "\"") else { return false }
      rest = rest[rest.index(after: behind)...]
    }
    // A filter says a reason of every path, null where there is none.
    return State.allCases.contains { rest.hasPrefix(#", "state": "\#($0.rawValue)""#) }
      && !rest.contains(#", "reason": null"#) && !rest.contains(#", "more_errors": "#)
  }

  /// Behind the quote that ends a JSON string; nil where none does.
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

/// Where the lines of a report go, if anywhere. What cannot be written is said once.
final class InputReport: Sendable {
  private let file: LineFile?
  private let state = Mutex(ExitStatus.success)

  /// - Throws: where the report cannot be made, or would take the place of anything but an earlier one.
  init(_ path: String?) throws(TrackError) {
    if let path {
      file = try LineFile.report(path) { InputRecord.isRecord($0) }
    } else {
      file = nil
    }
  }

  /// The files that a report of this name is written to.
  static func files(_ path: String) -> [String] { [path, path + LineFile.partEnding] }

  /// Looks whether a report would take the place of what else the command line names.
  static func check(_ path: String?, inputs: [String], outputs: [String?]) throws(UsageError) {
    guard let path, path != "-" else { return }
    for (names, what) in [(inputs, "an input"), (outputs.compactMap(\.self), "an output")] {
      for name in names where name == path || ByteSink.areSame(name, path) && !isDevice(path) {
        throw UsageError(
          "the report \(path) is \(what) as well", hint: "give the report a name of its own")
      }
    }
  }

  private static func isDevice(_ path: String) -> Bool {
    InputWalk.exists(path) && InputWalk.size(path) == nil
  }

  /// Whether somebody wants it.
  var isWanted: Bool { file != nil }
  /// That of a failure to write.
  var status: Int32 { state.withLock { $0 } }

  func add(_ records: [InputRecord]) {
    perform { file throws(TrackError) in try file.append(records.map(\.line).joined()) }
  }

  /// The report is whole.
  func finish() { perform { file throws(TrackError) in try file.finish() } }

  private func perform(_ body: (LineFile) throws(TrackError) -> Void) {
    guard let file, status == ExitStatus.success else { return }
    do throws(TrackError) { try body(file) } catch {
      Console.report(error)
      state.withLock { $0 = ExitStatus.of(error) }
    }
  }
}
