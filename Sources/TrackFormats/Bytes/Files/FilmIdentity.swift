package import TrackModel

extension ContentIdentity {
  /// The size in bytes from which films are identified by samples.
  private static let sampledSize = 1 << 24
  /// The number of samples, evenly distributed from the first to the last byte, and their size in bytes.
  private static let samples = 64
  private static let sampleSize = 1 << 16

  /// Returns the identity of a film in MP4 or MOV of at least 16 MiB: its size and the hash of 64 samples of
  /// 64 KiB. Films have many gigabytes, of which a reader of positions needs few.
  ///
  /// - Returns: nil for other content, which is identified by all of its bytes.
  /// - Throws: `TrackError` if the input cannot be read.
  static func ofFilm(_ input: inout ByteInput) throws(TrackError) -> ContentIdentity? {
    guard input.isSeekable, let size = input.length, size >= sampledSize else { return nil }
    try input.seek(to: 0)
    try input.fill(atLeast: 8)
    guard input.available.count >= 8 else { return nil }
    let type = String(decoding: input.available.extracting(4..<8).array, as: UTF8.self)
    guard ["ftyp", "moov", "mdat", "wide"].contains(type) else { return nil }
    var hasher = ContentHasher()
    for sample in 0..<samples {
      try input.seek(to: (size - sampleSize) / (samples - 1) * sample)
      try input.fill(atLeast: sampleSize)
      hasher.update(input.available.extracting(first: min(sampleSize, input.available.count)))
    }
    return ContentIdentity(hash: hasher.result, size: size)
  }

  /// Reads the identity of a file; of a large film by reading samples of it.
  ///
  /// - Throws: `TrackError` if the file cannot be read.
  package init(file path: String) throws(TrackError) {
    var input = try ByteInput(path: path)
    if let identity = try ContentIdentity.ofFilm(&input) {
      self = identity
      return
    }
    if input.isSeekable { try input.seek(to: 0) }
    var hasher = ContentHasher()
    while try input.fill() {
      hasher.update(input.available)
      input.consumeAll()
    }
    self.init(hash: hasher.result, size: hasher.count)
  }

  /// Returns the identity of content that consists of this content and files.
  ///
  /// - Throws: `TrackError` if a file cannot be read.
  package func followed(by files: [String]) throws(TrackError) -> ContentIdentity {
    var whole = self
    for path in files {
      let next = try ContentIdentity(file: path)
      whole.hash = ContentHash(Array("\(whole.hash) \(next.hash)".utf8).span)
      whole.size += next.size
    }
    return whole
  }
}
