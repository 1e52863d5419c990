public import TrackFormats
public import TrackModel

/// Writes KMZ: the output of `KMLWriter` as the file `doc.kml` in a ZIP archive.
public struct KMZWriter: TrackWriter, ~Copyable {
  /// The output until it is opened.
  private var sink: ByteSink?
  private var writer: KMLWriter?
  private var archive: ArchiveWriter?
  private let addsPlainLines: Bool

  /// Creates a writer. Nothing is written before the first event.
  ///
  /// - Parameters:
  ///   - sink: the file or the memory to write to.
  ///   - addsPlainLines: as for `KMLWriter`.
  public init(_ sink: consuming ByteSink, addsPlainLines: Bool = false) {
    self.sink = consume sink
    self.addsPlainLines = addsPlainLines
  }

  public var losses: LossReport {
    switch writer {
    case .some(let writer): writer.losses
    case .none: LossReport()
    }
  }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { archive?.bytes ?? [] }

  /// Writes an event to the document in the archive.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` as well if the output exceeds 4 GiB.
  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    try open()
    try writer?.write(event, batch)
  }

  public mutating func finish() throws(TrackError) {
    try open()
    try writer?.finish()
  }

  private mutating func open() throws(TrackError) {
    guard let sink = sink.take() else { return }
    let archive = try ArchiveWriter(sink)
    try archive.beginEntry("doc.kml")
    self.archive = archive
    writer = KMLWriter(archive, addsPlainLines: addsPlainLines)
  }
}
