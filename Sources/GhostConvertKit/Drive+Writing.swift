public import GhostModel
public import TrackFormats
public import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Drive {
  /// Encodes the drive in a format, with its points evenly spaced in time.
  ///
  /// Reading a drive document, GPX, KML, KMZ, GeoJSON or CSV returns the same drive, and reading TCX the same
  /// drive with a kind. Other formats round positions and times, or have no times.
  ///
  /// ```swift
  /// let gpx = try drive.data(as: .gpx)
  /// ```
  ///
  /// - Throws: `unsupported` for a format that can only be read.
  public func data(as format: TrackFormat) throws(TrackError) -> Data {
    try CollectionOfOne(self).data(as: format)
  }

  /// Writes the drive to a file atomically.
  ///
  /// ```swift
  /// try drive.write(to: folder.appending(path: "ride.gpx"))
  /// ```
  ///
  /// - Parameters:
  ///   - url: a file URL in an existing folder.
  ///   - format: nil to use the format of the file extension.
  ///   - formats: the formats that are selected by file extensions.
  public func write(
    to url: URL, as format: TrackFormat? = nil, formats: FormatRegistry = .standard
  ) throws(TrackError) {
    try CollectionOfOne(self).write(to: url, as: format, formats: formats)
  }

  /// Writes the drive to a file outside the caller's actor.
  ///
  /// ```swift
  /// try await drive.write(to: folder.appending(path: "ride.tcx"))
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled. No file is created then.
  @concurrent
  public func write(
    to url: URL, as format: TrackFormat? = nil, formats: FormatRegistry = .standard
  ) async throws {
    try await [self].write(to: url, as: format, formats: formats)
  }
}

extension Collection<Drive> {
  /// Encodes the drives in a format, with one track per drive.
  ///
  /// ```swift
  /// let kml = try drives.data(as: .kml)
  /// ```
  ///
  /// - Throws: `unsupported` for a format that can only be read; `usage` for several drives in a format with
  ///   one; `invalidValue` for a drive with an invalid duration, distance or coordinate.
  public func data(as format: TrackFormat) throws(TrackError) -> Data {
    let bytes = CollectedBytes()
    try put(ByteSink(collecting: bytes), as: format) { false }
    return Data(bytes.bytes)
  }

  /// Writes the drives to one file outside the caller's actor.
  ///
  /// ```swift
  /// try await drives.write(to: folder.appending(path: "week.fit"))
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled. No file is created then.
  @concurrent
  public func write(
    to url: URL, as format: TrackFormat? = nil, formats: FormatRegistry = .standard
  ) async throws where Self: Sendable {
    do {
      try save(to: url, as: format, formats: formats) { Task.isCancelled }
    } catch {
      try Task.checkCancellation()
      throw error
    }
  }

  /// Writes the drives to one file atomically.
  ///
  /// ```swift
  /// try drives.write(to: folder.appending(path: "week.kml"))
  /// ```
  ///
  /// - Parameters:
  ///   - format: nil to use the format of the file extension.
  ///   - formats: the formats that are selected by file extensions.
  public func write(
    to url: URL, as format: TrackFormat? = nil, formats: FormatRegistry = .standard
  ) throws(TrackError) {
    try save(to: url, as: format, formats: formats) { false }
  }

  private func save(
    to url: URL, as format: TrackFormat?, formats: FormatRegistry, isStopped: () -> Bool
  ) throws(TrackError) {
    let path = try url.checkedPath
    guard let format = format ?? formats.forOutput(path) else {
      throw TrackError(.unsupported, "the file extension names no format that can be written", file: path)
    }
    do throws(TrackError) {
      try put(ByteSink(path: path), as: format, isStopped: isStopped)
    } catch {
      throw error.inFile(path)
    }
  }

  /// Writes the drives to a sink.
  ///
  /// - Parameter isStopped: whether to throw before the next drive or before the file is created.
  private func put(
    _ sink: consuming ByteSink, as format: TrackFormat, isStopped: () -> Bool
  ) throws(TrackError) {
    func checkStop() throws(TrackError) {
      if isStopped() { throw TrackError(.unwritable, "writing was stopped") }
    }
    for drive in self { try drive.check() }
    guard format != .drive else { return try putDocument(sink, checkStop) }
    guard count < 2 || format.holdsSeveralTracks else {
      throw TrackError(.usage, "a file of the format \(format.name) contains one drive, not \(count)")
    }
    var writer = try format.writer(sink)
    var batch = PointBatch()
    try writer.write(.header(FileInfo()), batch)
    for drive in self {
      try checkStop()
      var reader = StagedReader(
        DriveTrackReader(drive), format.keepsDurationsOfDrives ? [] : [SpreadTimesStage(.drives)])
      while let event = try reader.next(into: &batch) {
        if case .header = event { continue }
        try writer.write(event, batch)
      }
    }
    try checkStop()
    try writer.finish()
  }

  private func putDocument(
    _ sink: consuming ByteSink, _ checkStop: () throws(TrackError) -> Void
  ) throws(TrackError) {
    guard let drive = first, count == 1 else {
      throw TrackError(.usage, "\(Counted.of(count, "drive")), but a drive document contains one")
    }
    var sink = sink
    try DriveDocument.encode(drive) { piece throws(TrackError) in try sink.write(piece) }
    try checkStop()
    try sink.finish()
  }
}
