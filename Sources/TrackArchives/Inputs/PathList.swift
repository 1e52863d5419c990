public import TrackFormats
public import TrackModel

/// Paths that stand in an input one behind the other, taken as they come in: a path is there as soon as its
/// end is, and none is held longer than until the next one is asked for.
public struct PathList: ~Copyable {
  /// What stands behind each path; the last one may do without.
  public enum Separator: UInt8, Sendable {
    /// As `find -print0` writes it: a path may be anything then.
    case null = 0
    /// A line feed, with or without the carriage return that Windows puts before it.
    case line = 10
  }

  /// Bytes of the longest path; no system knows longer ones.
  public static let longestPath = 1 << 16

  private var input: ByteInput
  private let separator: Separator
  private var isFirst = true

  public init(_ input: consuming ByteInput, separator: Separator) {
    self.input = input
    self.separator = separator
  }

  /// The next path, nil at the end. An empty line is an empty path, which leads nowhere.
  ///
  /// Blanks belong to a name, and so does a carriage return or a byte order mark where there is a file of
  /// that name.
  ///
  /// - Throws: `unreadable` where the list cannot be read on; `limitExceeded` for what is too long for a
  ///   path, behind which the list goes on.
  public mutating func next() throws(TrackError) -> String? {
    var searched = 0
    while true {
      let end = PathList.index(of: separator.rawValue, in: input.available, from: searched)
      if let end { return take(end, andSeparator: true) }
      searched = input.available.count
      guard searched <= PathList.longestPath else { return try skipLongPath() }
      guard try input.fill() else {
        return searched > 0 ? take(searched, andSeparator: false) : nil
      }
    }
  }

  private mutating func take(_ count: Int, andSeparator: Bool) -> String {
    let bytes = input.available.extracting(0..<count).array
    input.consume(andSeparator ? count + 1 : count)
    defer { isFirst = false }
    return path(bytes)
  }

  private func path(_ bytes: [UInt8]) -> String {
    let name = FileName.text(bytes)
    var kept = bytes[...]
    if separator == .line {
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if isFirst, kept.starts(with: mark) { kept = kept.dropFirst(mark.count) }
      if kept.last == UInt8(ascii: "\r") { kept = kept.dropLast() }
    }
    return kept.count == bytes.count || InputWalk.exists(name) ? name : FileName.text(Array(kept))
  }

  private mutating func skipLongPath() throws(TrackError) -> String? {
    let beginning = TrackError.printable(FileName.text(input.available.extracting(0..<64).array))
    while true {
      let end = PathList.index(of: separator.rawValue, in: input.available, from: 0)
      input.consume(end.map { $0 + 1 } ?? input.available.count)
      guard end == nil, try input.fill() else { break }
    }
    throw TrackError(
      .limitExceeded, "a path of more than \(PathList.longestPath) bytes", offendingText: beginning,
      suggestion: .text(separator == .line ? "paths stand one a line" : "paths end with a zero byte"))
  }

  private static func index(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == byte { return index }
      index += 1
    }
    return nil
  }
}
