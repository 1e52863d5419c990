public import TrackFormats
public import TrackModel

/// A list of paths in an input, read as they arrive.
public struct PathList: ~Copyable {
  /// The terminator of each path, optional for the last one.
  public enum Separator: UInt8, Sendable {
    /// A null byte, as from `find -print0`, which allows any path.
    case null = 0
    /// A line feed, optionally preceded by a carriage return.
    case line = 10
  }

  /// The longest path in bytes, which exceeds all system limits.
  public static let longestPath = 1 << 16

  private var input: ByteInput
  private let separator: Separator
  private var isFirst = true

  /// Creates a list that reads its paths from an input.
  public init(_ input: consuming ByteInput, separator: Separator) {
    self.input = input
    self.separator = separator
  }

  /// Returns the next path, or `nil` at the end. An empty line is an empty path.
  ///
  /// Spaces are part of a name, and so are a carriage return or a byte order mark if a file with that name
  /// exists.
  ///
  /// - Throws: `unreadable` if the list cannot be read; `limitExceeded` for a path that is too long, after
  ///   which the list continues.
  public mutating func next() throws(TrackError) -> String? {
    var searched = 0
    while true {
      searched = input.available.index(of: separator.rawValue, from: searched)
      if searched < input.available.count { return take(searched, andSeparator: true) }
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
      if isFirst { kept = kept.dropFirst(bytes.span.byteOrderMarkLength) }
      if kept.last == UInt8(ascii: "\r") { kept = kept.dropLast() }
    }
    return kept.count == bytes.count || InputEnumerator.exists(name) ? name : FileName.text(Array(kept))
  }

  private mutating func skipLongPath() throws(TrackError) -> String? {
    let beginning = TrackError.printable(FileName.text(input.available.extracting(0..<64).array))
    while true {
      let end = input.available.index(of: separator.rawValue, from: 0)
      let isCut = end == input.available.count
      input.consume(isCut ? end : end + 1)
      guard isCut, try input.fill() else { break }
    }
    throw TrackError(
      .limitExceeded, "path of more than \(PathList.longestPath) bytes", offendingText: beginning,
      suggestion: .text(separator == .line ? "write one path per line" : "end paths with a null byte"))
  }
}
