import Synchronization
import TrackArchives
package import TrackFormats
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The journal of a conversion into a folder: a line for each output, so that a later run can skip it.
///
/// The file is `.ghost-convert-state.ndjson` in the folder. A line is written after the output is complete
/// and before it gets its final name. It contains the input of the output, a fingerprint of the input (size
/// and time of a file, content hash of an entry of an archive), the options, and a fingerprint of the output.
/// The folder shows whether the output got its name, so that complete outputs are recognized whenever a run
/// is interrupted.
public final class ConversionJournal: Sendable {
  package static let name = ".ghost-convert-state.ndjson"

  private struct Line: Codable {
    var source: String
    var fingerprint: String
    var options: String
    /// The path of the output, relative to the folder.
    var output: String
    /// The fingerprint of the output (``StagedFile/stamp``); empty if the output was not completed.
    var stamp: String
  }

  /// A step of a run.
  private enum Mark: String, Codable {
    /// A run has begun.
    case begun
    /// The run has processed all inputs.
    case complete
    /// The journal is kept after a complete run because a resumed run has used it.
    case kept

    struct Line: Codable { var mark: Mark }
  }

  /// An output that an earlier run created for an input.
  package struct Output: Sendable {
    /// The path, including the folder.
    package var path: String
    fileprivate var fingerprint: String
    fileprivate var options: String
    fileprivate var stamp: String
  }

  private let folder: String
  private let options: String
  private let file: LineFile
  /// The outputs of each input that have not been claimed yet, in order.
  private let known: Mutex<[String: [Output]]>
  private let isResuming: Bool
  private let isKept: Bool
  /// The outputs of earlier runs.
  package let outputs: [String]
  /// Whether an earlier run was interrupted.
  package let wasCutOff: Bool

  /// Opens the journal of a folder, and records the start of a run.
  ///
  /// - Parameters:
  ///   - folder: the folder, with a trailing slash.
  ///   - options: the options of the conversion.
  ///   - isResuming: whether complete outputs of earlier runs are kept. Inputs keep the names of their
  ///     outputs in any case.
  /// - Throws: `TrackError` if the file cannot be written.
  public init(folder: String, options: String, isResuming: Bool) throws(TrackError) {
    self.folder = folder
    self.options = options
    self.isResuming = isResuming
    var marks: [Mark] = []
    let path = folder + Self.name
    var lines: [Line] = []
    var places: [String: Int] = [:]
    file = try LineFile.journal(path)
    let decoder = JSONDecoder()
    for text in Data(try file.contents()).split(separator: 0x0A) {
      // A line truncated by a crash is ignored.
      if let line = try? decoder.decode(Mark.Line.self, from: text) { marks.append(line.mark) }
      guard let line = try? decoder.decode(Line.self, from: text), Self.isBelow(line.output) else {
        continue
      }
      if let place = places[line.output] {
        lines[place] = line
      } else {
        places[line.output] = lines.count
        lines.append(line)
      }
    }
    var known: [String: [Output]] = [:]
    for line in lines {
      known[line.source, default: []].append(
        Output(
          path: folder + line.output, fingerprint: line.fingerprint, options: line.options, stamp: line.stamp)
      )
    }
    self.known = Mutex(known)
    outputs = lines.map { folder + $0.output }
    // Journals of earlier versions have no marks.
    wasCutOff = (marks.last { $0 != .kept } ?? (lines.isEmpty ? .complete : .begun)) == .begun
    isKept = isResuming || marks.contains(.kept)
    if lines.isEmpty { try file.removeContents() }
    try mark(.begun)
    if isResuming { try mark(.kept) }
  }

  /// Returns whether a relative path refers to a file below the folder.
  private static func isBelow(_ path: String) -> Bool {
    !path.hasPrefix("/")
      && !path.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." }
  }

  private func mark(_ mark: Mark) throws(TrackError) {
    try file.append(JSONValue.object([("mark", .string(mark.rawValue))]).text + "\n")
  }

  package static func exists(inFolder folder: String) -> Bool { InputEnumerator.exists(folder + name) }

  /// Removes and returns the output that an earlier run created for an input. Each is returned once.
  ///
  /// - Parameters:
  ///   - place: the folder of the output, with a slash at the end.
  ///   - ending: the extension of the output's name.
  package func claim(_ source: String, in place: String, ending: String) -> Output? {
    known.withLock { known in
      let index = known[source]?.firstIndex {
        FileName.folder($0.path) == place && $0.path.hasSuffix("." + ending)
      }
      return index.flatMap { known[source]?.remove(at: $0) }
    }
  }

  /// Returns the existing outputs of inputs that no longer exist, in alphabetical order.
  ///
  /// - Parameter ending: the extension of the outputs' names.
  package func orphans(ending: String) -> [String] {
    known.withLock { known in
      known.filter { !Self.exists($0.key) }.values.joined().map(\.path)
        .filter { $0.hasSuffix("." + ending) && InputEnumerator.exists($0) }.sorted()
    }
  }

  /// Returns whether an input exists; for an entry of an archive, whether the archive does.
  private static func exists(_ source: String) -> Bool {
    if source == "-" || source.hasPrefix("standard input/") || InputEnumerator.exists(source) { return true }
    var path = source[...]
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = path[..<slash]
      if FileIdentity(path: String(path)) != nil { return true }
    }
    return false
  }

  /// Returns whether an output exists and equals the output that this run would create.
  package func isWhole(_ output: Output, fingerprint: String?) -> Bool {
    isResuming && output.fingerprint == fingerprint && output.options == options
      && StagedFile.stamp(of: output.path) == output.stamp
  }

  /// Records that an output of an input is about to be written, so that a later run recognizes it as its
  /// own.
  package func begin(_ path: String, source: String) { append(path, source, fingerprint: "", stamp: "") }

  /// Records a complete output that is about to get its final name.
  package func note(_ held: StagedFile, at path: String, source: String, fingerprint: String?) {
    guard let fingerprint, let stamp = held.stamp else { return }
    append(path, source, fingerprint: fingerprint, stamp: stamp)
  }

  private func append(_ path: String, _ source: String, fingerprint: String, stamp: String) {
    guard path.hasPrefix(folder) else { return }
    let members: [(String, JSONValue)] = [
      ("source", .string(source)), ("fingerprint", .string(fingerprint)), ("options", .string(options)),
      ("output", .string(String(path.dropFirst(folder.count)))), ("stamp", .string(stamp)),
    ]
    // Without the line, the only consequence is that the output is created again.
    try? file.append(JSONValue.object(members).text + "\n")
  }

  /// Records that the run has processed all inputs. Removes the file unless a resumed run has used it.
  public func complete() {
    // Without the mark a later run treats this one as interrupted, which has no other consequence.
    if isKept { try? mark(.complete) } else { file.remove() }
  }
}
