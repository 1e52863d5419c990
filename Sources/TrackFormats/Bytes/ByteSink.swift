public import TrackModel

/// An output of bytes: to a file that is written atomically, to standard output, or to memory.
///
/// A file is written under a temporary name in its folder; ``finish()`` renames it. Until then an existing
/// file of that name is unchanged, and it is replaced when the new one is on the disk. A new file is not
/// waited for, because its source still exists. If the sink is destroyed earlier, the temporary file is
/// removed. Anything other than a regular file (a device, a named pipe) is written directly.
public struct ByteSink: ~Copyable {
  private enum Target {
    case file(FileDescriptor, final: String)
    case stream(FileDescriptor)
    case memory
    case finished
  }

  private var target: Target
  /// The pending output. Writers append to it and then call ``flush()``.
  package var buffer = ByteBuffer(capacity: 1 << 17)
  // The number of bytes that have left the buffer.
  private var flushed = 0
  private var insertions: [(offset: Int, bytes: [UInt8])] = []
  /// Writes the file when it has become large.
  private var background: BackgroundWriter?
  /// Whether a stream must wait for an insertion that is certain to follow.
  private var isHeld = false
  private let held: StagedFile?
  /// Whether there is a file of this name.
  private var replaces = false
  private var collected: CollectedBytes?

  /// The buffer size that justifies a system call, in bytes.
  private static let flushSize = 1 << 16
  /// The file size above which a thread writes the file, and the size of the buffers passed to it, in bytes.
  private static let backgroundSize = 1 << 20
  private static let backgroundPieceSize = 1 << 18
  /// The number of bytes that a stream buffers if an insertion is certain to follow.
  private static let heldLimit = 1 << 28
  /// The number of bytes that a stream buffers for possible insertions.
  private static let streamHold = 1 << 22

  /// Creates a sink for a file, or for standard output if the path is `-`.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - held: receives the completed file, which is then not renamed.
  /// - Throws: `TrackError.Code.unwritable` if the folder is missing or not writable.
  public init(path: String, held: StagedFile? = nil) throws(TrackError) {
    self.held = held
    if path == "-" {
      target = .stream(.standardOutput)
      return
    }
    guard !path.isEmpty else { throw TrackError(.notCreatable, "the name of the output is empty") }
    // The target of a link is replaced, not the link.
    let final = try FileDescriptor.resolved(path)
    let kind = FileDescriptor.kind(at: final)
    switch kind {
    case .folder: throw FileHint.folder(path)
    case .other: target = .stream(try FileDescriptor.writing(existing: final))
    case .regular, nil:
      let file = try FileDescriptor.temporary(beside: final)
      file.copyMode(from: final)
      target = .file(file, final: final)
      replaces = kind != nil
    }
  }

  /// Creates a folder for outputs, with its parents, if missing.
  public static func makeFolder(_ path: String) throws(TrackError) { try FileDescriptor.makeFolder(path) }

  /// Returns whether two paths refer to the same file.
  public static func areSame(_ first: String, _ second: String) -> Bool {
    FileDescriptor.areSame(first, second)
  }

  /// Returns the absolute path of a file or folder, with links resolved, or nil if it does not exist.
  public static func absolutePath(_ path: String) -> String? {
    guard FileDescriptor.kind(at: path) != nil, let resolved = try? FileDescriptor.resolved(path) else {
      return nil
    }
    return resolved
  }

  /// Creates a sink that collects the output in memory.
  public init() {
    target = .memory
    held = nil
  }

  /// Creates a sink that collects the output in memory and stores it in `bytes` when it is finished, for
  /// writers that own the sink.
  public init(collecting bytes: CollectedBytes) {
    self.init()
    collected = bytes
  }

  deinit {
    if case .file(let file, _) = target { FileDescriptor.remove(file.path) }
  }

  /// The number of bytes written so far, without insertions.
  public var offset: Int { flushed + buffer.count }

  /// Appends text.
  public mutating func write(_ text: String) throws(TrackError) {
    buffer.append(text)
    try flush()
  }

  /// Appends bytes. Large numbers of bytes are written without being copied.
  public mutating func write(_ bytes: Span<UInt8>) throws(TrackError) {
    if bytes.count >= ByteSink.flushSize {
      switch target {
      case .file where background != nil || flushed >= ByteSink.backgroundSize: break
      case .file(let file, _), .stream(let file):
        try drain()
        try file.write(bytes)
        flushed += bytes.count
        return
      case .memory, .finished: break
      }
    }
    buffer.append(contentsOf: bytes)
    try flush()
  }

  /// Writes the buffer if it is large enough.
  package mutating func flush() throws(TrackError) {
    switch target {
    case .file:
      if buffer.count >= (background == nil ? ByteSink.flushSize : ByteSink.backgroundPieceSize) {
        try drain()
      }
    case .stream where isHeld:
      if buffer.count > ByteSink.heldLimit {
        throw TrackError(
          .unwritable, "too much data to buffer before the element that precedes it",
          suggestion: .writeToFile)
      }
    case .stream where flushed == 0:
      if buffer.count >= ByteSink.streamHold {
        try drain()
      } else if buffer.count >= ByteSink.backgroundPieceSize {
        // At once, because growing in steps would provide twice the memory.
        buffer.enlarge(to: ByteSink.streamHold + ByteSink.backgroundPieceSize)
      }
    case .stream:
      if buffer.count >= ByteSink.flushSize { try drain() }
    case .memory, .finished: break
    }
  }

  /// Writes the buffer.
  private mutating func drain() throws(TrackError) {
    if case .stream = target, !insertions.isEmpty { try applyInsertions() }
    let count = buffer.count
    switch target {
    case .file(let file, _):
      if background == nil, flushed >= ByteSink.backgroundSize {
        background = BackgroundWriter(file, synchronizes: held == nil && replaces)
      }
      if let background {
        flushed += count
        try background.write(&buffer)
        return
      }
      try file.write(buffer.bytes)
    case .stream(let file): try file.write(buffer.bytes)
    case .memory, .finished: return
    }
    flushed += count
    buffer.removeAll()
  }

  /// Waits until the file contains everything that has left the buffer.
  private mutating func settle() throws(TrackError) {
    try background?.settle()
    background = nil
  }

  /// Whether bytes can still be inserted at an earlier offset: always for files and memory, for streams
  /// while the output is small.
  var canInsert: Bool {
    if case .stream = target { return flushed == 0 }
    return true
  }

  /// Whether insertions remain possible regardless of the size of the output.
  var canAlwaysInsert: Bool {
    if case .stream = target { return false }
    return true
  }

  /// Declares that an insertion will follow, so that a stream must wait for it.
  mutating func holdForInsertion() { isHeld = true }

  /// Inserts bytes at an earlier offset when the sink is finished.
  ///
  /// In a stream, this is possible only until something is written, as reported by ``canInsert``.
  ///
  /// - Parameter offset: an earlier value of ``offset``. Insertions at the same offset keep their order.
  package mutating func insert(_ bytes: [UInt8], at offset: Int) {
    insertions.append((offset, bytes))
  }

  /// Ends the output. The file gets its final name.
  public mutating func finish() throws(TrackError) {
    if !insertions.isEmpty { try applyInsertions() }
    try drain()
    try settle()
    switch target {
    case .file(let file, let final):
      target = .finished
      do {
        try file.checkClosing()
        if let held {
          held.take(file.path, for: final, replaces: replaces)
        } else {
          if replaces { try file.synchronize() }
          try FileDescriptor.rename(file.path, to: final)
        }
      } catch {
        FileDescriptor.remove(file.path)
        throw error
      }
    case .stream: target = .finished
    case .memory: collected?.bytes = buffer.array
    case .finished: break
    }
  }

  /// The output in memory; empty for other targets.
  public var bytes: [UInt8] { buffer.array }

  /// Rewrites the output with the insertions.
  private mutating func applyInsertions() throws(TrackError) {
    let insertions = insertions.enumerated().sorted {
      ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
    }
    .map(\.element)
    defer { self.insertions = [] }
    if flushed == 0 {
      var whole = ByteBuffer(capacity: buffer.count + insertions.reduce(0) { $0 + $1.bytes.count })
      var position = 0
      for insertion in insertions {
        whole.append(contentsOf: buffer.bytes.extracting(position..<insertion.offset))
        whole.append(contentsOf: insertion.bytes.span)
        position = insertion.offset
      }
      whole.append(contentsOf: buffer.bytes.extracting(position..<buffer.count))
      buffer = whole
    } else if case .file(let file, let final) = target {
      try drain()
      try settle()
      let copy = try FileDescriptor.temporary(beside: final)
      do {
        try ByteSink.splice(file.path, insertions, to: copy)
      } catch {
        FileDescriptor.remove(copy.path)
        throw error
      }
      FileDescriptor.remove(file.path)
      copy.copyMode(from: final)
      target = .file(copy, final: final)
    }
  }

  private static func splice(
    _ path: String, _ insertions: [(offset: Int, bytes: [UInt8])], to copy: FileDescriptor
  ) throws(TrackError) {
    var input = try ByteInput(path: path)
    for insertion in insertions {
      while input.offset < insertion.offset {
        if input.available.isEmpty, try !input.fill() { break }
        let count = min(input.available.count, insertion.offset - input.offset)
        try copy.write(input.available.extracting(0..<count))
        input.consume(count)
      }
      try copy.write(insertion.bytes.span)
    }
    repeat {
      try copy.write(input.available)
      input.consumeAll()
    } while try input.fill()
  }
}

/// Receives the bytes of a finished sink.
public final class CollectedBytes {
  /// The bytes, empty until the sink is finished.
  public fileprivate(set) var bytes: [UInt8] = []

  /// Creates an empty receiver.
  public init() {}
}
