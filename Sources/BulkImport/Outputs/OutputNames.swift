import Synchronization

/// The outputs of one run, so that two inputs of one name do not overwrite each other.
public struct OutputNames: Sendable {
  public init() {}

  private var taken: Set<String> = []
  /// The last number that was tried, by stem and ending, so that many of one name take no longer than others.
  private var lastNumbers: [String: Int] = [:]

  /// `stem.ending`, or with a number behind the stem where this run has already written that, also in letters
  /// of
  /// another case, or where something is there that must stay.
  ///
  /// - Parameter isFree: whether a name that this run has not written may be written. It is asked once for a
  ///   name.
  public mutating func unused(_ stem: String, ending: String, isFree: (String) -> Bool = { _ in true })
    -> String
  {
    let plain = "\(stem).\(ending)"
    let key = OutputNames.normalized(plain)
    var number = lastNumbers[key] ?? 0
    while true {
      number += 1
      let name = number == 1 ? plain : "\(stem)-\(number).\(ending)"
      let normalized = number == 1 ? key : OutputNames.normalized(name)
      guard !taken.contains(normalized), isFree(name) else { continue }
      taken.insert(normalized)
      lastNumbers[key] = number
      return name
    }
  }

  /// Takes a name out of those that are given.
  ///
  /// - Returns: whether it was among them.
  @discardableResult
  public mutating func reserve(_ name: String) -> Bool { taken.insert(OutputNames.normalized(name)).inserted }

  /// A path without `.` and `..` and doubled slashes, so that two spellings of one file are one.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    // Many file systems take `a` and `A` for one name.
    return ((path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")).lowercased()
  }
}

/// The same for several threads; who asks first gets the name.
public final class SharedOutputNames: Sendable {
  private let names: Mutex<OutputNames>

  /// - Parameter reserved: names that belong to somebody already.
  public init(reserved: [String] = []) {
    var names = OutputNames()
    for name in reserved { names.reserve(name) }
    self.names = Mutex(names)
  }

  public func unused(_ stem: String, ending: String) -> String {
    names.withLock { $0.unused(stem, ending: ending) }
  }
}
