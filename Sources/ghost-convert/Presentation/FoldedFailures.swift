import TrackModel

/// The failures of many inputs, folded by cause and listed by file.
struct FoldedFailures {
  private struct Cause: Hashable {
    let code: TrackError.Code
    /// Without numbers, which differ from file to file.
    let message: String
  }

  /// Failures of one cause.
  private struct Group {
    let first: TrackError
    var files: Set<String> = []
    var count = 0
  }

  private var causes: [Cause] = []
  private var groups: [Cause: Group] = [:]
  private var files: [(first: TrackError, count: Int)] = []
  private var indices: [String: Int] = [:]
  /// Whether a failure was left to be printed at the end.
  private(set) var hasRepetitions = false
  /// Files listed at the end; a report has all of them.
  private static let limit = 20

  /// Adds a failure, with the name of its file.
  ///
  /// - Returns: whether it is the first of its cause.
  mutating func add(_ error: TrackError) -> Bool {
    let file = error.file ?? ""
    if let index = indices[file] {
      files[index].count += 1
    } else {
      indices[file] = files.count
      files.append((error, 1))
    }
    let message = error.messageOfFile.split { $0.isNumber }.joined(separator: "#")
    let cause = Cause(code: error.code, message: message)
    let isNew = groups[cause] == nil
    if isNew { causes.append(cause) } else { hasRepetitions = true }
    groups[cause, default: Group(first: error)].files.insert(file)
    groups[cause]?.count += 1
    return isNew
  }

  /// One line for each cause that occurred several times, and one for each file.
  var lines: [String] {
    let folded = causes.compactMap { groups[$0] }.filter { $0.count > 1 }.map { group in
      // The subject of a message is its file: `is an IGC flight log, which cannot be read`.
      let message = group.first.messageOfFile.trimmingPrefix("is ")
      let times = group.count > group.files.count ? " (\(group.count) times)" : ""
      return "failed: \(Counted.of(group.files.count, "file")): \(message)\(times)"
        + ", the first: \(group.first.file ?? "")"
    }
    let listed = files.prefix(Self.limit).map { error, count in
      let short = TrackError(error.code, error.messageOfFile, file: error.file, place: error.place)
      return "failed: \(short.text)" + (count > 1 ? " (\(count) times)" : "")
    }
    guard files.count > listed.count else { return folded + listed }
    return folded + listed + ["failed: \(files.count - listed.count) more; --report lists all"]
  }
}

extension TrackError {
  /// The message without the number of the track, which is `track 2: ` at its start.
  fileprivate var messageOfFile: String {
    String(message.trimmingPrefix(#/track [0-9]+: /#))
  }
}
