public import GhostModel
public import TrackFormats
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Drive {
  /// Reads the drives of a file in any format, with their exact times (``Drive/recorded``).
  ///
  /// ```swift
  /// let drives = try Drive.read(contentsOf: url)
  /// print(drives[0].name, drives[0].durationInSeconds, drives[0].distanceInMiles)
  /// ```
  ///
  /// `TrackFile.importDrives(_:)` returns the warnings and the errors of single tracks as well.
  ///
  /// - Parameters:
  ///   - url: a file URL.
  ///   - format: nil to detect it from the content.
  ///   - formats: `.withArchives` of `TrackArchives` also reads archives and folders.
  ///   - options: the rules for turning recordings into drives.
  /// - Throws: if no drive could be imported.
  public static func read(
    contentsOf url: URL, as format: TrackFormat? = nil, formats: FormatRegistry = .standard,
    options: ImportOptions = ImportOptions()
  ) throws(TrackError) -> [Drive] {
    try TrackFile(url, as: format, formats: formats).importDrives(options).drives
  }

  /// Reads the drives of a file outside the caller's actor.
  ///
  /// ```swift
  /// let drives = try await Drive.read(contentsOf: url)
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled.
  @concurrent
  public static func read(
    contentsOf url: URL, as format: TrackFormat? = nil, formats: FormatRegistry = .standard,
    options: ImportOptions = ImportOptions()
  ) async throws -> [Drive] {
    try await TrackFile(url, as: format, formats: formats).importDrives(options).drives
  }

  /// Reads the drives of a file in memory.
  ///
  /// ```swift
  /// let drives = try Drive.read(data, as: .gpx)
  /// ```
  ///
  /// - Parameters:
  ///   - data: the content of the file.
  ///   - format: nil to detect it from the content.
  ///   - formats: `.withArchives` of `TrackArchives` also reads KMZ. Other archives and compressed files are
  ///     read by their URL only.
  ///   - options: the rules for turning recordings into drives.
  /// - Throws: if no drive could be imported.
  public static func read(
    _ data: Data, as format: TrackFormat? = nil, formats: FormatRegistry = .standard,
    options: ImportOptions = ImportOptions()
  ) throws(TrackError) -> [Drive] {
    try TrackFile(data, as: format, formats: formats).importDrives(options).drives
  }

  /// Reads the drives of a file in memory outside the caller's actor.
  ///
  /// ```swift
  /// let drives = try await Drive.read(data, as: .gpx)
  /// ```
  ///
  /// - Throws: `TrackError`, or `CancellationError` if the task is cancelled.
  @concurrent
  public static func read(
    _ data: Data, as format: TrackFormat? = nil, formats: FormatRegistry = .standard,
    options: ImportOptions = ImportOptions()
  ) async throws -> [Drive] {
    try await TrackFile(data, as: format, formats: formats).importDrives(options).drives
  }
}
