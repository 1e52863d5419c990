package import DriveMatching
import GhostModel
import TrackFormats
package import TrackModel

/// Writes laps to separate files, as tracks with all values of the recording or as drives.
package struct LapFiles {
  private let laps: LapRanking
  private let format: OutputFormat
  private let isStrict: Bool
  private let parts: [DriveParts]
  /// The points per drive, or nil if laps are written as drives.
  private let points: [TrackPoints?]
  /// The warnings about the written files, and the values that the format cannot represent.
  package private(set) var warnings = FoldedWarnings()

  /// Prepares the files.
  ///
  /// - Parameters:
  ///   - laps: the laps and their drives.
  ///   - points: the points of the tracks from which the drives of the laps were made, or nil to write
  ///     drives.
  ///   - format: the format of the files.
  ///   - isStrict: whether values that the format cannot represent are an error.
  package init(_ laps: LapRanking, _ points: [TrackPoints?], format: OutputFormat, isStrict: Bool) {
    self.laps = laps
    self.format = format
    self.isStrict = isStrict
    parts = laps.parts
    self.points = laps.drives.map { drive in
      drive.parts.compactMap { points[$0.index] }.reduce(nil as TrackPoints?) { whole, part in
        guard var whole else { return part }
        whole.append(part)
        return whole
      }
    }
  }

  /// Writes each lap to a file in a folder, which is created if it does not exist. The files are named after
  /// their recordings.
  package mutating func writeAll(to folder: String) throws(TrackError) {
    try ByteSink.makeFolder(folder)
    // Equal numbers of digits, so that the names sort like the laps.
    let digits = max(2, String(laps.entries.count).count)
    for entry in laps.entries {
      let drive = laps.drives[entry.drive]
      let stem = InputPath.baseName(drive.part(at: entry.lap.start).source ?? drive.trace.label)
      let number = String(entry.number)
      let zeros = String(repeating: "0", count: digits - number.count)
      let name = "\(stem)-lap-\(zeros)\(number)"
      let path = "\(FileName.folderPrefix(folder))\(name).\(format.fileEnding)"
      do throws(TrackError) { try write(entry, name: name, to: path) } catch { throw error.inFile(path) }
    }
  }

  /// Writes a lap.
  ///
  /// - Parameters:
  ///   - entry: the lap.
  ///   - name: the name of its track.
  ///   - path: the file.
  mutating func write(_ entry: LapRanking.Entry, name: String, to path: String) throws(TrackError) {
    let (info, segments) = try content(of: entry, name: name)
    let held = isStrict ? StagedFile() : nil
    var writer = try format.writer(ByteSink(path: path, held: held))
    var batch = PointBatch()
    try writer.write(.header(FileInfo()), batch)
    try writer.writeTrack(info, segments: segments.count, &batch) { segment, row, batch in
      _ = batch.append(segments[segment], from: row)
    }
    try writer.finish()
    guard case .track(let format) = format else {
      try held?.keep()
      return
    }
    if isStrict { try writer.losses.check(writer.warnings, in: format.name) }
    try held?.keep()
    warnings.add(writer.warnings, file: path)
    if !writer.losses.isEmpty {
      warnings.add(writer.losses, LossReport.description(in: format.name), file: path)
    }
  }

  private func content(
    of entry: LapRanking.Entry, name: String
  ) throws(TrackError) -> (TrackInfo, [PointColumns]) {
    let (start, end) = (entry.lap.start, entry.lap.end)
    if let points = points[entry.drive] {
      var info = points.info
      info.name = name
      info.number = nil
      info.timeSpan = nil
      info.laps = []
      // They describe the whole recording.
      info.extensions = []
      let part = parts[entry.drive]
      return (
        info, points.part(from: start, to: end, places: (part.place(at: start), part.place(at: end)))
      )
    }
    let trace = try parts[entry.drive].part(from: start, to: end, label: name)
    let first = laps.drives[entry.drive].trace.startTime ?? DriveElement.unknownStart
    var points = PointColumns()
    for row in 0..<trace.count {
      points.append(trace.coordinate(at: row), time: first.advanced(bySeconds: start + trace.elapsed[row]))
    }
    return (TrackInfo(name: name), [points])
  }
}
