import Synchronization

/// The outputs of one run, so that two inputs of one name do not overwrite each other.
struct OutputNames {
  private var taken: Set<String> = []

  /// `stem.ending`, or with a number behind the stem where this run has already written that.
  mutating func unused(_ stem: String, ending: String) -> String {
    var name = "\(stem).\(ending)"
    var number = 2
    while !taken.insert(OutputNames.normalized(name)).inserted {
      name = "\(stem)-\(number).\(ending)"
      number += 1
    }
    return name
  }

  /// A path without `.` and `..` and doubled slashes, so that two spellings of one file are one.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

/// The same for several threads; who asks first gets the name.
final class SharedOutputNames: Sendable {
  private let names = Mutex(OutputNames())

  func unused(_ stem: String, ending: String) -> String {
    names.withLock { $0.unused(stem, ending: ending) }
  }
}
