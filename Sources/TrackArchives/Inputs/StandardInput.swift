import Synchronization
public import TrackFormats
public import TrackModel

/// Standard input as an input to read, or as a list of paths.
public final class StandardInput: Sendable {
  /// The separator of a list of paths, or `nil` for an input.
  public let list: PathList.Separator?
  private let input: Mutex<ByteInput?>

  /// Creates a list of paths without waiting for input.
  public init(list: PathList.Separator) {
    self.list = list
    input = Mutex(nil)
  }

  /// Creates a list of paths whose text is already open.
  public init(list: PathList.Separator, content: consuming sending ByteInput) {
    self.list = list
    input = Mutex(content)
  }

  /// Classifies standard input. It is a list of paths if it is not a known format or an archive, and its
  /// first line, or the text before its first null byte, is an existing path.
  ///
  /// - Throws: `unreadable` if it cannot be read.
  public init() throws(TrackError) {
    var input = try ByteInput(path: "-")
    try input.fill(atLeast: FileOpening.length)
    list = StandardInput.list(in: input.available)
    self.input = Mutex(input)
  }

  private static func list(in bytes: Span<UInt8>) -> PathList.Separator? {
    guard !bytes.isEmpty, ContainerKind(bytes) == nil,
      FormatRegistry.withArchives.recognized(FileOpening(bytes)) == nil
    else { return nil }
    // Names contain no null byte, so its presence determines the separator.
    var separator = PathList.Separator.line
    for index in bytes.indices where bytes[index] == PathList.Separator.null.rawValue { separator = .null }
    var paths = PathList(ByteInput(bytes: bytes.array), separator: separator)
    guard let first = try? paths.next(), !first.isEmpty, InputEnumerator.exists(first) else { return nil }
    return separator
  }

  /// Returns the paths, one per line by default. Can be called once.
  public func takePaths() throws(TrackError) -> PathList {
    PathList(try take(), separator: list ?? .line)
  }

  /// Returns the input including the examined bytes. Can be called once.
  func take() throws(TrackError) -> ByteInput {
    if let input = input.withLock({ $0.take() }) { return input }
    return try ByteInput(path: "-")
  }
}
