import TrackFormats
import TrackModel

/// The source of libarchive's bytes. Errors in callbacks are stored for the calling function.
@safe
final class ArchiveSource: ByteStream {
  private enum Kind {
    case memory(ArchiveMemory)
    case stream(any ByteStream)
    case file(FileDescriptor, size: Int)
  }

  private let kind: Kind
  /// The source of the stream, if the stream is decompressed.
  private let packed: ArchiveSource?
  private let buffer: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private var offset = 0
  private(set) var error: TrackError?

  convenience init(memory: ArchiveMemory) { self.init(.memory(memory)) }
  convenience init(stream: any ByteStream) { self.init(.stream(stream)) }
  convenience init(file: FileDescriptor) { self.init(.file(file, size: file.size ?? 0)) }

  private init(_ kind: Kind, packed: ArchiveSource? = nil) {
    self.kind = kind
    self.packed = packed
    capacity = packed == nil ? 1 << 16 : 1 << 17
    unsafe buffer = .allocate(capacity: capacity)
  }

  deinit { unsafe buffer.deallocate() }

  /// Returns a source of the decompressed bytes if this one is gzip, and otherwise one of the same bytes.
  ///
  /// - Parameter dictionarySize: the largest dictionary of xz.
  func withoutGzip(
    _ damage: CompressionDamage?, dictionarySize: Int
  ) throws(TrackError) -> ArchiveSource {
    var input = ByteInput(stream: self, name: nil, chunk: capacity)
    try input.fill(atLeast: ContainerKind.length)
    if GzipStream.isStart(input.available) {
      return ArchiveSource(.stream(try GzipStream(input, damage)), packed: self)
    }
    if input.available.array.starts(with: XZStream.signature) {
      return ArchiveSource(.stream(XZStream(input, dictionarySize: dictionarySize)), packed: self)
    }
    guard isSeekable else { return ArchiveSource(.stream(InputStream(input)), packed: self) }
    offset = 0
    return self
  }

  static func of(_ data: UnsafeMutableRawPointer?) -> ArchiveSource? {
    unsafe data.map { unsafe Unmanaged<ArchiveSource>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The bytes of the packed archive read so far.
  var position: Int { packed?.position ?? offset }

  /// The size of the packed archive if known, otherwise the number of bytes read.
  var size: Int {
    switch kind {
    case .memory(let memory): memory.count
    case .stream: packed?.size ?? offset
    case .file(_, let size): size
    }
  }

  /// The archive, if it is in memory and not compressed.
  var memory: ArchiveMemory? { if case .memory(let memory) = kind { memory } else { nil } }

  /// Whether it is an xz file whose dictionaries are checked.
  var isXZ: Bool { if case .stream(let stream) = kind { stream is XZStream } else { false } }

  /// Whether libarchive can seek.
  var isSeekable: Bool { if case .stream = kind { false } else { true } }

  func read(_ start: UnsafeMutablePointer<UnsafeRawPointer?>) -> Int {
    unsafe start.pointee = UnsafeRawPointer(buffer)
    do throws(TrackError) {
      return try unsafe read(to: buffer, count: capacity)
    } catch {
      self.error = error
      return -1
    }
  }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    let length =
      switch kind {
      case .memory(let memory): unsafe memory.copy(to: start, count: count, from: offset)
      case .stream(let stream): try unsafe stream.read(to: start, count: count)
      case .file(let file, _): try unsafe file.read(to: start, count: count, at: offset)
      }
    offset += length
    return length
  }

  func seek(to offset: Int, from whence: Int32) -> Int64 {
    // SEEK_SET, SEEK_CUR, SEEK_END.
    let base = whence == 0 ? 0 : whence == 1 ? self.offset : size
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    self.offset = target
    return Int64(target)
  }
}
