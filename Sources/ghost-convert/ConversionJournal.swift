import BulkWork
import Synchronization
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a conversion into a folder has done: a line for each output, so that a later run need not make it again.
///
/// The file lies in the folder as `.ghost-convert-state.ndjson`. A line is written when the output is whole and before it
/// has its name, and says which input it was made of, how that looked (size and time of a file, content of an entry of
/// an archive), with which options, and how the output looks. Whether it got its name, the folder says: so that no
/// moment at which a run may be cut off is one at which a whole output is not known.
final class ConversionJournal: Sendable {
  static let name = ".ghost-convert-state.ndjson"

  private struct Line: Codable {
    var source: String
    var fingerprint: String
    var options: String
    /// Without the folder.
    var output: String
    /// Of the output (``HeldOutput/stamp``); empty for one that is only begun.
    var stamp: String
  }

  /// An output that an earlier run has given to an input.
  struct Output: Sendable {
    /// With the folder.
    var path: String
    fileprivate var fingerprint: String
    fileprivate var options: String
    fileprivate var stamp: String
  }

  private let folder: String
  private let options: String
  private let file: LineFile
  /// The outputs of each input that were not yet asked for, in their order.
  private let known: Mutex<[String: [Output]]>
  /// The outputs of earlier runs.
  let outputs: [String]

  /// - Parameters:
  ///   - folder: with the slash behind it.
  ///   - options: how the inputs are converted.
  ///   - isResuming: whether what an earlier run has done counts; otherwise it is forgotten.
  /// - Throws: where the file cannot be written.
  init(folder: String, options: String, isResuming: Bool) throws(TrackError) {
    self.folder = folder
    self.options = options
    let path = folder + Self.name
    var lines: [Line] = []
    var places: [String: Int] = [:]
    if isResuming, let data = FileManager.default.contents(atPath: path) {
      let decoder = JSONDecoder()
      for text in data.split(separator: 0x0A) {
        // What a crash has cut says nothing.
        guard let line = try? decoder.decode(Line.self, from: text), !line.output.contains("/") else {
          continue
        }
        if let place = places[line.output] {
          lines[place] = line
        } else {
          places[line.output] = lines.count
          lines.append(line)
        }
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
    file = try LineFile.journal(path, isNew: !isResuming)
  }

  static func exists(inFolder folder: String) -> Bool { InputWalk.exists(folder + name) }

  /// The output that an earlier run has given to an input; each once.
  func claim(_ source: String) -> Output? {
    known.withLock { known in
      guard let first = known[source]?.first else { return nil }
      known[source]?.removeFirst()
      return first
    }
  }

  /// Whether an output is there and what this run would make.
  func isWhole(_ output: Output, fingerprint: String?) -> Bool {
    output.fingerprint == fingerprint && output.options == options
      && HeldOutput.stamp(of: output.path) == output.stamp
  }

  /// Notes that an output is about to be made of an input, so that a later run knows it for one of ours.
  func begin(_ path: String, source: String) { append(path, source, fingerprint: "", stamp: "") }

  /// Notes an output that is whole and about to take its place.
  func note(_ held: HeldOutput, at path: String, source: String, fingerprint: String?) {
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

  /// Takes the file away, where nobody will go on.
  func remove() { file.remove() }
}
