import TrackModel

/// The bytes of a film, loaded at any position of a file and only onwards of a pipe.
struct MP4Input: ~Copyable {
  private var input: ByteInput
  private var count = 0

  init(_ input: consuming ByteInput) { self.input = input }

  /// The bytes that were loaded last.
  var loaded: Span<UInt8> {
    @_lifetime(borrow self) get { input.available.extracting(first: count) }
  }

  var name: String? { input.name }
  /// The length of the film in bytes; nil if it is unknown, as for a pipe.
  var length: Int? { input.length }
  var canGoBack: Bool { input.isSeekable }

  /// The largest offset, so that sums of offsets and sizes do not overflow.
  static let maximumOffset = 1 << 60

  /// Loads up to `count` bytes from an offset.
  ///
  /// - Returns: the number of loaded bytes, which is smaller at the end of the film.
  /// - Throws: ``TrackError/Code/unsupported`` if the offset has passed in a pipe.
  mutating func load(_ count: Int, at offset: Int) throws(TrackError) -> Int {
    self.count = 0
    if input.isSeekable {
      try input.seek(to: min(offset, MP4Input.maximumOffset))
    } else {
      guard offset >= input.offset else {
        throw TrackError(
          .unsupported, "the film can only be read onwards, and its index is after its data",
          place: InputLocation(byteOffset: offset), suggestion: .text("save it uncompressed as a file first"))
      }
      while input.offset < offset {
        input.consume(min(offset - input.offset, input.available.count))
        if input.offset < offset, try !input.fill() { return 0 }
      }
    }
    try input.fillSparsely(atLeast: count)
    self.count = min(count, input.available.count)
    return self.count
  }

  /// Ends loading and returns the input.
  consuming func returned() -> ByteInput { input }

  /// Returns big-endian numbers of four bytes from a range of the film.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of numbers.
  ///   - isCut: set if the range has more of them.
  mutating func numbers(
    in range: Range<Int>, limit: Int, isCut: inout Bool
  ) throws(TrackError) -> [UInt32] {
    var numbers: [UInt32] = []
    var offset = range.lowerBound
    while numbers.count < limit {
      let wanted = min(range.upperBound - offset, (limit - numbers.count) * 4, ByteInput.defaultChunk)
      let words = wanted < 4 ? 0 : try load(wanted, at: offset) / 4
      guard words > 0 else { break }
      for word in 0..<words { numbers.append(UInt32(truncatingIfNeeded: loaded.number(word * 4, 4))) }
      offset += words * 4
    }
    if numbers.count == limit, range.upperBound - offset >= 4 { isCut = true }
    return numbers
  }
}
