import BulkImport
import GhostModel
import TrackFormats
import TrackModel

/// A track of a file that a command compares or times.
struct ComparisonInput {
  let path: String
  let track: InputTrack
  /// Whether the user selected the track.
  private let isSelected: Bool

  /// Opens and reads a file.
  ///
  /// - Throws: errors of opening it and of `InputTrack`.
  init(_ path: String, _ options: InputTrack.Options) throws(TrackError) {
    var input = try Input.open(path, options.opening, isOneOfSeveral: true)
    let format = input.format
    track = try InputTrack(&input, format: format, options: options)
    self.path = path
    isSelected = options.track != nil
  }

  private init(_ path: String, _ track: InputTrack) {
    self.path = path
    self.track = track
    isSelected = true
  }

  /// Opens and reads a file, and returns all of its tracks, or the selected one.
  ///
  /// - Throws: errors of opening it and of `InputTrack`.
  static func all(_ path: String, _ options: InputTrack.Options) throws(TrackError) -> [ComparisonInput] {
    var input = try Input.open(path, options.opening, isOneOfSeveral: true)
    let format = input.format
    return try InputTrack.all(&input, format: format, options: options).map { ComparisonInput(path, $0) }
  }

  /// Returns the drives of a file's tracks, and reports the warnings about them.
  ///
  /// - Parameter inputs: the tracks from ``all(_:_:)``.
  /// - Throws: the error of the first track if no track is a drive.
  static func drives(
    of inputs: [ComparisonInput], _ options: InputTrack.Options
  ) throws(TrackError) -> [(trace: TimedDrive, track: InputTrack)] {
    inputs[0].report()
    var drives: [(trace: TimedDrive, track: InputTrack)] = []
    var fault: TrackError?
    for input in inputs {
      do throws(TrackError) {
        drives.append((try input.trace(options), input.track))
      } catch {
        fault = fault ?? error
      }
    }
    Console.report(drives.flatMap(\.trace.warnings), file: InputPath.name(inputs[0].path))
    if drives.isEmpty || options.isStrict, let fault { throw fault }
    if let fault { Console.report(fault.inFile(InputPath.name(inputs[0].path))) }
    return drives
  }

  /// Prints the warnings about the file, and a note if the track was chosen among several.
  func report() {
    Console.report(track.warnings, file: InputPath.name(path))
    guard track.count > 1, !isSelected else { return }
    let name = track.name.map { ", \(TrackError.printable($0))" } ?? ""
    Console.note(
      "\(InputPath.name(path)) contains \(track.count) tracks; using the longest, track \(track.number)\(name); "
        + "select another with --track")
  }

  /// Returns the drive of the track.
  private func trace(_ options: InputTrack.Options) throws(TrackError) -> TimedDrive {
    let trace = try track.trace(label: InputPath.name(path), source: path, options.rules)
    if options.isStrict, let warning = trace.warnings.first { throw warning.asError }
    return trace
  }
}
