import Synchronization
import TrackArchives
public import TrackFormats
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a conversion into a folder has done: a line for each output, so that a later run need not make it
/// again.
///
/// The file lies in the folder as `.ghost-convert-state.ndjson`. A line is written when the output is whole
/// and before it
/// has its name, and says which input it was made of, how that looked (size and time of a file, content of an
/// entry of
/// an archive), with which options, and how the output looks. Whether it got its name, the folder says: so
/// that no
/// moment at which a run may be cut off is one at which a whole output is not known.
public final class ConversionJournal: Sendable {
  public static let name = ".ghost-convert-state.ndjson"

  private struct Line: Codable {
    var source: String
    var fingerprint: String
    var options: String
    /// Relative to the folder.
    var output: String
    /// Of the output (``HeldOutput/stamp``); empty for one that is only begun.
    var stamp: String
  }

  /// A step of a run.
  private enum Mark: String, Codable {
    /// A run has begun.
    case begun
    /// The run has ended, with all of its inputs.
    case complete
    /// The journal stays when a run has ended, because a resumed run has used it.
    case kept

    struct Line: Codable { var mark: Mark }
  }

  /// An output that an earlier run has given to an input.
  public struct Output: Sendable {
    /// With the folder.
    public var path: String
    fileprivate var fingerprint: String
    fileprivate var options: String
    fileprivate var stamp: String
  }

  private let folder: String
  private let options: String
  private let file: LineFile
  /// The outputs of each input that were not yet asked for, in their order.
  private let known: Mutex<[String: [Output]]>
  private let isResuming: Bool
  private let isKept: Bool
  /// The outputs of earlier runs.
  public let outputs: [String]
  /// Whether an earlier run did not end.
  public let wasCutOff: Bool

  /// - Parameters:
  ///   - folder: with the slash behind it.
  ///   - options: how the inputs are converted.
  ///   - isResuming: whether whole outputs of earlier runs are left as they are. Inputs keep the names of
  ///   their outputs in any
  ///     case.
  /// - Throws: where the file cannot be written.
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
      // What a crash has cut says nothing.
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

  /// Whether a relative path leads to a file below the folder.
  private static func isBelow(_ path: String) -> Bool {
    !path.hasPrefix("/")
      && !path.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." }
  }

  private func mark(_ mark: Mark) throws(TrackError) {
    try file.append(JSONValue.object([("mark", .string(mark.rawValue))]).text + "\n")
  }

  public static func exists(inFolder folder: String) -> Bool { InputWalk.exists(folder + name) }

  /// The output that an earlier run has given to an input; each once.
  ///
  /// - Parameters:
  ///   - place: the folder of the output, with a slash at the end.
  ///   - ending: that of the output's name.
  public func claim(_ source: String, in place: String, ending: String) -> Output? {
    known.withLock { known in
      let index = known[source]?.firstIndex {
        InputPath.folder($0.path) == place && $0.path.hasSuffix("." + ending)
      }
      return index.flatMap { known[source]?.remove(at: $0) }
    }
  }

  /// The outputs that exist for inputs that do not, in alphabetical order.
  ///
  /// - Parameter ending: that of the outputs' names.
  public func orphans(ending: String) -> [String] {
    known.withLock { known in
      known.filter { !Self.exists($0.key) }.values.joined().map(\.path)
        .filter { $0.hasSuffix("." + ending) && InputWalk.exists($0) }.sorted()
    }
  }

  /// Whether an input exists; for an entry of an archive, whether the archive does.
  private static func exists(_ source: String) -> Bool {
    if source == "-" || source.hasPrefix("standard input/") || InputWalk.exists(source) { return true }
    var path = source[...]
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      path = path[..<slash]
      if FileIdentity(path: String(path)) != nil { return true }
    }
    return false
  }

  /// Whether an output is there and what this run would make.
  public func isWhole(_ output: Output, fingerprint: String?) -> Bool {
    isResuming && output.fingerprint == fingerprint && output.options == options
      && HeldOutput.stamp(of: output.path) == output.stamp
  }

  /// Notes that an output is about to be made of an input, so that a later run knows it for one of ours.
  public func begin(_ path: String, source: String) { append(path, source, fingerprint: "", stamp: "") }

  /// Notes an output that is whole and about to take its place.
  public func note(_ held: HeldOutput, at path: String, source: String, fingerprint: String?) {
    guard let fingerprint, let stamp = held.stamp else { return }
    append(path, source, fingerprint: fingerprint, stamp: stamp)
  }

  private func append(_ path: String, _ source: String, fingerprint: String, stamp: String) {
    guard path.hasPrefix(folder) else { return }
    let members: [(String, JSONValue)] = [
      ("source", .string(source)), ("fingerprint", .string(fingerprint)), ("options", .string(options)),
      ("output", .string(String(path.dropFirst(folder.count)))), ("stamp", .string(stamp)),
    ]
    // Without the line the output is made once more, and nothing else.
    try? file.append(JSONValue.object(members).text + "\n")
  }

  /// Notes that the run has ended with all of its inputs. Removes the file unless a resumed run has used it.
  public func complete() {
    // Without the mark a later run takes this one for cut off, and loses nothing.
    if isKept { try? mark(.complete) } else { file.remove() }
  }
}
