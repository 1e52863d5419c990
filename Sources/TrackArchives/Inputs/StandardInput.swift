import Synchronization
public import TrackFormats
public import TrackModel

/// Standard input as one of the inputs of a walk: something to read, or a list of paths to go through.
public final class StandardInput: Sendable {
  /// What separates the paths that it holds; nil where it is an input itself.
  public let list: PathList.Separator?
  private let input: Mutex<ByteInput?>

  /// Standard input that is said to hold paths. Nothing of it is waited for.
  public init(list: PathList.Separator) {
    self.list = list
    input = Mutex(nil)
  }

  /// A list of paths that is read instead of standard input.
  public init(list: PathList.Separator, content: consuming sending ByteInput) {
    self.list = list
    input = Mutex(content)
  }

  /// Looks what standard input is: a list of paths where its beginning is of no format that is known and no
  /// archive, and its first line, or what stands before its first zero byte, is the name of something that
  /// exists.
  ///
  /// - Throws: `unreadable` where it cannot be read.
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
    // No name has a zero in it, so that one says what stands between them.
    var separator = PathList.Separator.line
    for index in bytes.indices where bytes[index] == PathList.Separator.null.rawValue { separator = .null }
    var paths = PathList(ByteInput(bytes: bytes.array), separator: separator)
    guard let first = try? paths.next(), !first.isEmpty, InputWalk.exists(first) else { return nil }
    return separator
  }

  /// The paths that it holds, or one a line where that was not asked before; once.
  public func takePaths() throws(TrackError) -> PathList {
    PathList(try take(), separator: list ?? .line)
  }

  /// What is to be read, with all that was looked at; once.
  func take() throws(TrackError) -> ByteInput {
    if let input = input.withLock({ $0.take() }) { return input }
    return try ByteInput(path: "-")
  }
}
