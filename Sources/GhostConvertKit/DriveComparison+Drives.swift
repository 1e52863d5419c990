import DriveMatching
public import GhostExport
public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DriveComparison {
  /// Compares drives with a reference: which was faster, and where.
  ///
  /// ```swift
  /// let comparison = try DriveComparison(reference, other)
  /// if let winner = comparison.winner, let margin = comparison.margin {
  ///   print("\(comparison.drives[winner].label) was faster by \(margin) s")
  /// }
  /// ```
  ///
  /// Drives with exact times (``Drive/recorded``) are compared by these times, other drives with their
  /// duration spread evenly. The app's engine always spreads the duration evenly.
  ///
  /// - Parameters:
  ///   - reference: the drive that the others are compared with.
  ///   - others: one or more drives.
  ///   - settings: the alignment point and other settings.
  ///   - engine: matches the drives by position, or compares them like the app.
  /// - Throws: `usage` without a drive to compare with; `tooFewPoints` for a drive without points.
  public init(
    _ reference: Drive, _ others: Drive..., settings: ComparisonSettings = ComparisonSettings(),
    engine: Engine = .matched
  ) throws(TrackError) {
    self = try Self.compared([reference] + others, settings, engine) { false }
  }

  /// Compares drives with a reference outside the caller's actor.
  ///
  /// ```swift
  /// let comparison = try await DriveComparison(reference, other)
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled, which is checked before each
  ///   pair.
  @concurrent
  public init(
    _ reference: Drive, _ others: Drive..., settings: ComparisonSettings = ComparisonSettings(),
    engine: Engine = .matched
  ) async throws {
    self = try Self.comparedInTask([reference] + others, settings, engine)
  }

  /// Compares drives with the first drive.
  ///
  /// ```swift
  /// let comparison = try DriveComparison(drives, settings: ComparisonSettings(mode: .endLocation))
  /// ```
  ///
  /// - Throws: `usage` without a drive to compare with; `tooFewPoints` for a drive without points.
  public init(
    _ drives: [Drive], settings: ComparisonSettings = ComparisonSettings(), engine: Engine = .matched
  ) throws(TrackError) {
    self = try Self.compared(drives, settings, engine) { false }
  }

  /// Compares drives with the first drive, outside the caller's actor.
  ///
  /// ```swift
  /// let comparison = try await DriveComparison(drives)
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled, which is checked before each
  ///   pair.
  @concurrent
  public init(
    _ drives: [Drive], settings: ComparisonSettings = ComparisonSettings(), engine: Engine = .matched
  ) async throws {
    self = try Self.comparedInTask(drives, settings, engine)
  }

  private static func comparedInTask(
    _ drives: [Drive], _ settings: ComparisonSettings, _ engine: Engine
  ) throws -> DriveComparison {
    let result: Result<DriveComparison, any Error> = Result {
      try compared(drives, settings, engine) { Task.isCancelled }
    }
    try Task.checkCancellation()
    return try result.get()
  }

  private static func compared(
    _ drives: [Drive], _ settings: ComparisonSettings, _ engine: Engine, isStopped: () -> Bool
  ) throws(TrackError) -> DriveComparison {
    let labels = labels(drives)
    var traces: [TimedDrive] = []
    for (drive, label) in zip(drives, labels) {
      traces.append(
        engine == .app ? try TimedDrive(evenly: drive, label: label) : try TimedDrive(drive, label: label))
    }
    switch engine {
    case .matched:
      return try compare(traces, settings: settings, isStopped: isStopped)
    case .app:
      let trails = zip(drives, labels).map { drive, label in
        var drive = drive
        drive.name = label
        return DecodedDrive(drive)
      }
      var comparison = try DriveComparisonEngine.compare(trails, settings: settings)
      comparison.traces = traces
      return comparison
    }
  }

  /// The names of the drives. Missing and repeated names are numbered.
  private static func labels(_ drives: [Drive]) -> [String] {
    var taken = Set(drives.map(\.name))
    var used: Set<String> = []
    return drives.enumerated().map { index, drive in
      if !drive.name.isEmpty, used.insert(drive.name).inserted { return drive.name }
      var number = index + 1
      func label() -> String { "\(drive.name.isEmpty ? "Drive" : drive.name) (\(number))" }
      while !taken.insert(label()).inserted { number += 1 }
      return label()
    }
  }

  /// Encodes the comparison in a file format.
  ///
  /// ```swift
  /// let page = try comparison.data(as: .html)
  /// ```
  ///
  /// - Throws: `TrackError` if the format cannot represent the drives.
  public func data(
    as output: ComparisonOutput, options: ExportOptions = ExportOptions()
  ) throws(TrackError) -> Data {
    Data(try output.bytes(ComparisonDocument(self, traces: traces), options: options))
  }

  /// Writes the comparison to a file atomically.
  ///
  /// ```swift
  /// try comparison.write(to: folder.appending(path: "race.kml"))
  /// ```
  ///
  /// - Parameters:
  ///   - url: a file URL in an existing folder.
  ///   - output: nil to use the format of the file extension.
  ///   - options: optional contents.
  /// - Throws: `unsupported` for an unknown file extension, or an error if the file cannot be written.
  public func write(
    to url: URL, as output: ComparisonOutput? = nil, options: ExportOptions = ExportOptions()
  ) throws(TrackError) {
    try save(to: url, as: output, options: options)
  }

  /// Writes the comparison to a file outside the caller's actor.
  ///
  /// ```swift
  /// try await comparison.write(to: folder.appending(path: "race.svg"))
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled before writing begins.
  @concurrent
  public func write(
    to url: URL, as output: ComparisonOutput? = nil, options: ExportOptions = ExportOptions()
  ) async throws {
    try Task.checkCancellation()
    try save(to: url, as: output, options: options)
  }

  private func save(
    to url: URL, as output: ComparisonOutput?, options: ExportOptions
  ) throws(TrackError) {
    let path = try url.checkedPath
    let output = if let output { output } else { try ComparisonOutput.forFile(path) }
    try output.write(ComparisonDocument(self, traces: traces), to: path, options: options)
  }
}
