import BulkImport
import GhostModel
import TrackModel

extension InputTrack {
  /// Prints the warnings about the file, and a note if the track was chosen among several.
  func report(_ path: String) {
    Console.report(warnings, file: InputPath.name(path))
    guard isLongestOfSeveral else { return }
    let name = name.map { ", \(TrackError.printable($0))" } ?? ""
    Console.note(
      "\(InputPath.name(path)) contains \(count) tracks; using the longest, track \(number)\(name); "
        + "select another with --track")
  }
}

extension InputDrives {
  /// Reads a file, prints the warnings about it and returns its drives.
  ///
  /// - Throws: errors of reading, and the error of the first track if no track is a drive.
  static func read(
    _ path: String, _ options: InputTrack.Options
  ) throws(TrackError) -> [(trace: TimedDrive, track: InputTrack)] {
    let input = try InputDrives(path, options) { RunProgress($0) }
    let name = InputPath.name(path)
    input.tracks[0].report(path)
    Console.report(input.drives.flatMap(\.trace.warnings), file: name)
    if let fault = input.fault {
      if input.drives.isEmpty || options.isStrict { throw fault }
      Console.report(fault.inFile(name))
    }
    return input.drives
  }
}

/// Prints the failures of a command's inputs and outputs. The others are processed nevertheless.
struct FailureReport {
  /// Whether failures are also printed as JSON records.
  var isJSON = false
  /// The exit status of the first failure.
  private(set) var status = ExitStatus.success

  /// Runs a part of the command, and reports its error.
  ///
  /// - Parameter path: the file, which is named if the error does not name another.
  mutating func attempt(_ path: String, _ body: () throws(TrackError) -> Void) {
    do throws(TrackError) { try body() } catch { add(error.inFile(InputPath.name(path)), path) }
  }

  mutating func add(_ error: TrackError, _ path: String) {
    Console.report(error)
    if isJSON { Console.print(JSONValue.failure(error, of: path)) }
    if status == ExitStatus.success { status = ExitStatus.of(error) }
  }
}
