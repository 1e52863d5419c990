public import TrackModel

/// The failures of many inputs, grouped by cause, with those of the first files.
///
/// Hundreds of thousands of files can fail. Of most, only the hash of the name is kept.
public struct FoldedFailures: Sendable {
  private struct Cause: Hashable {
    let code: TrackError.Code
    /// The message without numbers, which differ between files.
    let message: String
  }

  /// The failures with the same cause.
  public struct Group: Sendable {
    /// The first failure.
    public let first: TrackError
    /// The number of affected files.
    public var fileCount: Int { files.count }
    /// The hashes of the names of the affected files.
    fileprivate var files: Set<Int> = []
    /// The number of failures, at least 1. A file can have several.
    public fileprivate(set) var count = 0
  }

  /// The number of files in ``files``.
  private static let limit = 20

  private var causes: [Cause] = []
  private var groups: [Cause: Group] = [:]
  /// The first failure of each of the first 20 files, and the number of its failures.
  public private(set) var files: [(first: TrackError, count: Int)] = []
  /// The number of files with failures.
  public var fileCount: Int { names.count }
  /// The hashes of the names of all files.
  private var names: Set<Int> = []
  /// Whether a cause occurred several times.
  public private(set) var hasRepetitions = false

  package init() {}

  /// Adds a failure, which contains the name of its file.
  ///
  /// - Returns: whether it is the first failure with its cause.
  package mutating func add(_ error: TrackError) -> Bool {
    let file = error.file ?? ""
    let name = file.hashValue
    if names.insert(name).inserted {
      if files.count < Self.limit { files.append((error, 1)) }
    } else if let index = files.firstIndex(where: { $0.first.file ?? "" == file }) {
      files[index].count += 1
    }
    let message = error.messageOfFile.split { $0.isNumber }.joined(separator: "#")
    let cause = Cause(code: error.code, message: message)
    let isNew = groups[cause] == nil
    if isNew { causes.append(cause) } else { hasRepetitions = true }
    groups[cause, default: Group(first: error)].files.insert(name)
    groups[cause]?.count += 1
    return isNew
  }

  /// The causes that occurred several times, in the order of first occurrence.
  public var repeated: [Group] { causes.compactMap { groups[$0] }.filter { $0.count > 1 } }
}

extension TrackError {
  /// The error without the list of all formats, which would be repeated for every file.
  package var withoutFormats: TrackError {
    code == .unknownFormat ? TrackError(code, message, file: file, place: place) : self
  }

  /// The message without the number of the track, which precedes it as in `track 2: `.
  package var messageOfFile: String {
    guard message.hasPrefix("track ") else { return message }
    let rest = message.dropFirst(6).drop { $0.isASCII && $0.isNumber }
    return rest.hasPrefix(": ") ? String(rest.dropFirst(2)) : message
  }
}
