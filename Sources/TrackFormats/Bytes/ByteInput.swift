public import TrackModel

/// Bytes on their way in: a window on a file, a pipe or memory that moves forward as it is consumed.
///
/// Readers look at ``available``, take what they understand with ``consume(_:)`` and ask for more with
/// ``fill()``. The window grows only where a reader consumes nothing between two fills.
@safe
public struct ByteInput: ~Copyable {
  private enum Source {
    case file(FileDescriptor)
    case bytes([UInt8], next: Int)
    case stream(any ByteStream)
  }

  /// What errors call the input: a path, `standard input`, or nil for bytes in memory.
  public let name: String?
  /// How many bytes were consumed so far: where the window begins in the input.
  public private(set) var offset = 0
  private var source: Source
  private let chunk: Int
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// How many bytes the file has; nil for a pipe, memory or what is made as it is asked for.
  public let size: Int?
  /// Where the input begins in its file; nil for what can only be read onwards.
  private let origin: Int?
  /// How many bytes were read at least once.
  private var furthest = 0
  private let progress: ByteProgress?
  /// Where it is noted that the compression around the input is damaged; nil for what was not compressed.
  public let damage: CompressionDamage?

  /// How many bytes are read at a time.
  public static let defaultChunk = 1 << 16

  private init(
    _ source: Source, name: String?, chunk: Int, size: Int? = nil, progress: ByteProgress? = nil,
    damage: CompressionDamage? = nil
  ) {
    self.source = source
    self.damage = damage
    self.size = size
    origin =
      switch source {
      case .file(let file): size == nil ? nil : file.position
      case .bytes: 0
      case .stream: nil
      }
    self.progress = progress
    self.name = name
    self.chunk = max(chunk, 1)
    capacity = self.chunk
    unsafe base = .allocate(capacity: capacity)
  }

  /// Opens a file, or standard input for `-`.
  ///
  /// - Parameter progress: is told how many bytes were read.
  /// - Throws: ``TrackError/Code/notFound``, or `.unreadable` for a folder or where permission is missing.
  public init(
    path: String, chunk: Int = ByteInput.defaultChunk, progress: ByteProgress? = nil
  ) throws(TrackError) {
    let file = path == "-" ? FileDescriptor.standardInput : try FileDescriptor.reading(path)
    self.init(.file(file), name: file.name, chunk: chunk, size: file.size, progress: progress)
  }

  /// Reads a file that is open, from its present position.
  package init(file: FileDescriptor, chunk: Int = ByteInput.defaultChunk) {
    self.init(.file(file), name: file.name, chunk: chunk)
  }

  /// Reads from a source that makes its bytes as they are asked for, such as an entry of an archive.
  ///
  /// - Parameter damage: where the source notes that what it was made from is damaged.
  package init(
    stream: any ByteStream, name: String?, chunk: Int = ByteInput.defaultChunk, size: Int? = nil,
    damage: CompressionDamage? = nil
  ) {
    self.init(.stream(stream), name: name, chunk: chunk, size: size, damage: damage)
  }

  /// Reads from memory, `chunk` bytes at a time.
  public init(bytes: [UInt8], name: String? = nil, chunk: Int = ByteInput.defaultChunk) {
    self.init(.bytes(bytes, next: 0), name: name, chunk: min(chunk, max(bytes.count, 1)))
  }

  deinit { unsafe base.deallocate() }

  /// The bytes that were read and not yet consumed.
  public var available: Span<UInt8> {
    @_lifetime(borrow self) get {
      let span = unsafe Span(_unsafeStart: UnsafePointer(base + start), count: end - start)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Copies the first so many bytes of the window.
  @unsafe
  package func copy(_ count: Int, to target: UnsafeMutablePointer<UInt8>) {
    precondition(count >= 0 && count <= end - start, "no more than what is there can be copied")
    unsafe target.update(from: base + start, count: count)
  }

  /// Copies up to `count` bytes to `start` and consumes them; 0 at the end.
  @unsafe
  package mutating func read(
    to start: UnsafeMutablePointer<UInt8>, count: Int
  ) throws(TrackError) -> Int {
    if available.isEmpty, try !fill() { return 0 }
    let length = min(count, available.count)
    unsafe copy(length, to: start)
    consume(length)
    return length
  }

  /// Takes so many bytes off the front of the window.
  ///
  /// - Precondition: not more than are ``available``.
  public mutating func consume(_ count: Int) {
    precondition(count >= 0 && count <= end - start, "no more than what is there can be consumed")
    start += count
    offset += count
  }

  /// Takes the whole window.
  public mutating func consumeAll() {
    offset += end - start
    start = end
  }

  /// Reads one more chunk behind what is available.
  ///
  /// - Returns: false at the end of the input.
  public mutating func fill() throws(TrackError) -> Bool {
    guard !isAtEnd else { return false }
    makeRoom()
    let target = unsafe base + end
    let count: Int
    switch source {
    case .file(let file): count = try unsafe file.read(to: target, count: chunk)
    case .stream(let stream): count = try unsafe stream.read(to: target, count: chunk)
    case .bytes(let bytes, let next):
      count = min(chunk, bytes.count - next)
      unsafe bytes.withUnsafeBufferPointer { bytes in
        if count > 0, let first = bytes.baseAddress { unsafe target.update(from: first + next, count: count) }
      }
      source = .bytes(bytes, next: next + count)
    }
    end += count
    isAtEnd = count == 0
    let position = offset + end - start
    if count > 0, position > furthest {
      progress?.add(position - furthest)
      furthest = position
    }
    return count > 0
  }

  /// Whether the input can be read from any place of it, as files and memory can and pipes cannot.
  var isSeekable: Bool { origin != nil }

  /// Goes on from another place of the input, before or behind the window.
  ///
  /// - Parameter offset: as ``offset`` counts, 0 or more.
  /// - Throws: ``TrackError/Code/unreadable`` where the input is not ``isSeekable``.
  mutating func seek(to offset: Int) throws(TrackError) {
    guard let origin, offset >= 0 else {
      throw TrackError(.unreadable, "the input can only be read onwards", file: name)
    }
    let distance = offset - self.offset
    self.offset = offset
    // What was consumed last is often still in memory.
    if start + distance >= 0, start + distance <= end {
      start += distance
      return
    }
    switch source {
    case .file(let file): try file.seek(to: origin + offset)
    case .bytes(let bytes, _): source = .bytes(bytes, next: min(offset, bytes.count))
    case .stream: break
    }
    start = 0
    end = 0
    isAtEnd = false
  }

  /// Reads until so many bytes are available or the input ends.
  public mutating func fill(atLeast count: Int) throws(TrackError) {
    while end - start < count, try fill() {}
  }

  /// Moves what is available to the front, and enlarges the memory where a chunk does not fit behind it.
  private mutating func makeRoom() {
    let rest = end - start
    if start > 0, end + chunk > capacity {
      unsafe base.update(from: base + start, count: rest)
      start = 0
      end = rest
    }
    guard end + chunk > capacity else { return }
    let larger = max(capacity * 2, end + chunk)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe moved.update(from: base + start, count: rest)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
    start = 0
    end = rest
  }
}

extension Span<UInt8> {
  /// A copy of the bytes.
  package var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}

/// A source of bytes that are made as they are asked for.
package protocol ByteStream: AnyObject {
  /// Writes up to `count` bytes to `start`.
  ///
  /// - Returns: how many were written, 0 at the end.
  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int
}
