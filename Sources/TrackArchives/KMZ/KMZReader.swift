public import TrackFormats
public import TrackModel

/// Reads KMZ: the file `doc.kml` of a ZIP, or else the first `.kml` at its root or anywhere.
///
/// The compressed archive is kept in memory and unpacked as a stream. Other files are skipped. Archives with
/// an excessive expansion ratio are rejected.
public struct KMZReader: TrackReader, ~Copyable {
  /// The file until it is opened.
  private var input: ByteInput?
  private var reader: KMLReader?
  private let options: ReadingOptions
  private let limits: ArchiveLimits
  private var log = WarningLog()
  private var isAtEnd = false
  /// The number of pictures and other files.
  private var otherFiles = 0

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  ///   - limits: the limits of the archive.
  public init(
    _ input: consuming ByteInput, options: ReadingOptions = ReadingOptions(),
    limits: ArchiveLimits = ArchiveLimits()
  ) {
    self.input = consume input
    self.options = options
    self.limits = limits
  }

  public var warnings: [TrackWarning] {
    var all = log
    switch reader {
    case .some(let reader): all.add(reader.warnings)
    case .none: break
    }
    return all.warnings
  }

  public var unsupportedContent: LossReport {
    var all = LossReport()
    switch reader {
    case .some(let reader): all = reader.unsupportedContent
    case .none: break
    }
    all.add("pictures and other files of the archive", otherFiles)
    return all
  }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    if !isAtEnd, reader == nil {
      do {
        try open()
      } catch {
        batch.removeAll()
        isAtEnd = true
        throw error
      }
    }
    guard let event = try reader?.next(into: &batch) else {
      batch.removeAll()
      return nil
    }
    return event
  }

  private mutating func open() throws(TrackError) {
    guard var input = input.take() else { return }
    let name = input.name
    let memory = try ArchiveMemory(reading: &input, limit: limits.documentSize)
    let (index, others, files) = try KMZReader.choose(
      in: ArchiveReader(memory: memory, formats: .zip, budget: ArchiveBudget(limits)))
    otherFiles = files - others - 1
    if others > 0 {
      try log.report(
        .notRepresentable, "further KML file, ignored", count: others,
        isStrict: options.isStrict)
    }
    let archive = try ArchiveReader(memory: memory, formats: .zip, budget: ArchiveBudget(limits))
    for _ in 0..<index { _ = try archive.nextEntry() }
    guard let entry = try archive.nextEntry() else { return }
    try archive.check(entry)
    reader = KMLReader(ByteInput(stream: archive, name: name), options: options)
  }

  /// Finds the entry to read.
  ///
  /// - Returns: its index, the number of other KML files, and the number of all files.
  /// - Throws: ``TrackError/Code/unknownFormat`` if there is none.
  private static func choose(in archive: ArchiveReader) throws(TrackError) -> (
    index: Int, others: Int, files: Int
  ) {
    var best: (index: Int, rank: Int)?
    var index = 0
    var count = 0
    var files = 0
    while let entry = try archive.nextEntry() {
      defer { index += 1 }
      guard entry.isFile else { continue }
      let isOfSystem = entry.name.lowercased().hasPrefix("__macosx/")
      if !isOfSystem { files += 1 }
      guard let rank = rank(entry.name) else { continue }
      count += 1
      if rank < best?.rank ?? .max { best = (index, rank) }
    }
    guard let best else {
      throw TrackError(.unknownFormat, "ZIP archive without a KML file")
    }
    return (best.index, count - 1, files)
  }

  /// Returns the preference of a name, 0 is best, or `nil` if it is not a KML file.
  private static func rank(_ name: String) -> Int? {
    let name = name.lowercased()
    guard name.hasSuffix(".kml"), !name.hasPrefix("__macosx/") else { return nil }
    let isAtRoot = !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    return name == "doc.kml" ? 0 : isAtRoot ? 1 : 2
  }
}
