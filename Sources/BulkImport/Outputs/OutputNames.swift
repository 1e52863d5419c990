import Synchronization
import TrackModel

/// The names of one run's outputs, which prevents two inputs with the same name from overwriting each other.
package struct OutputNames: Sendable {
  package init() {}

  private var taken: Set<String> = []
  /// The last number tried, by stem and extension, so that many inputs with one name are handled in linear
  /// time.
  private var lastNumbers: [String: Int] = [:]

  /// Returns `stem.ending`, with a number after the stem if this run has already written that name,
  /// regardless of case, or if an existing file must be kept. A name that is too long for file systems is
  /// shortened.
  ///
  /// - Parameter isFree: returns whether a name that this run has not written may be written. It is called
  ///   once per name.
  package mutating func unused(_ stem: String, ending: String, isFree: (String) -> Bool = { _ in true })
    -> String
  {
    let plain = Self.path(stem, ".\(ending)")
    let key = OutputNames.normalized(plain)
    var number = lastNumbers[key] ?? 0
    while true {
      number += 1
      let name = number == 1 ? plain : Self.path(stem, "-\(number).\(ending)")
      let normalized = number == 1 ? key : OutputNames.normalized(name)
      guard !taken.contains(normalized), isFree(name) else { continue }
      taken.insert(normalized)
      lastNumbers[key] = number
      return name
    }
  }

  /// Returns a path whose name has at most 255 bytes.
  private static func path(_ stem: String, _ ending: String) -> String {
    guard stem.utf8.count + ending.utf8.count > 255 else { return stem + ending }
    let folder = FileName.folder(stem)
    var name = String(Substring(stem.utf8.dropFirst(folder.utf8.count)))
    while FileName.bytes(name + ending).count > 255, !name.isEmpty { name.removeLast() }
    return folder + name + ending
  }

  /// Reserves a name, which will not be returned later.
  ///
  /// - Returns: whether it was free.
  @discardableResult
  package mutating func reserve(_ name: String) -> Bool {
    taken.insert(OutputNames.normalized(name)).inserted
  }

  /// Returns a path without `.`, `..` and doubled slashes, so that different spellings of a file are equal.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    // Many file systems treat `a` and `A` as the same name.
    return ((path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")).lowercased()
  }
}

/// Output names shared by several threads. The first request gets the name.
final class SharedOutputNames: Sendable {
  private let names: Mutex<OutputNames>

  /// - Parameter reserved: names that are already in use.
  init(reserved: [String] = []) {
    var names = OutputNames()
    for name in reserved { names.reserve(name) }
    self.names = Mutex(names)
  }

  func unused(_ stem: String, ending: String) -> String {
    names.withLock { $0.unused(stem, ending: ending) }
  }
}
