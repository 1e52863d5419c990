import BulkImport
import CommandLineParsing
import DriveLibrary
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

/// Inputs that may be drives in a library.
enum LibraryInputs {
  /// Replaces ids among the inputs with references. Existing files are unchanged, and so are names that
  /// cannot be ids, such as those of missing files.
  ///
  /// - Parameter library: the value of `--library`; empty without a value, nil if the option was not given.
  /// - Returns: the exit status if the library cannot be opened, which has been reported, otherwise nil.
  static func resolve(_ inputs: inout [String], library: String?) -> Int32? {
    guard let library else { return nil }
    do throws(TrackError) {
      let path = try LibraryPath.path(library.isEmpty ? nil : library)
      // The errors of a library are the same as those of the commands that only read a library.
      try DriveLibrary(path: path, mode: .reading).close()
      inputs = inputs.map {
        !$0.allSatisfy { $0.isHexDigit || $0 == "-" } || $0 == "-" || InputEnumerator.exists($0)
          ? $0 : "\(path)#\($0)"
      }
      return nil
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }

  /// Rejects a library as the output of a command that does not write libraries.
  static func checkOutput(_ output: String?) throws(UsageError) {
    guard let output, output.lowercased().hasSuffix(".gpkg") else { return }
    throw UsageError(
      "\(output) is a library", hint: "add drives with import --library \(output)")
  }
}

/// A command whose inputs may be drives in a library.
protocol LibraryInputOptions: DisplayedOptions {
  var library: String? { get set }
}

extension LibraryInputOptions {
  /// Checks the value of `--library` of a command without inputs.
  ///
  /// - Throws: an error if the value could be the id of a drive.
  func checkLibraryValue() throws(UsageError) {
    guard let library, !library.isEmpty else { return }
    guard !LibraryFileKind.isLibrary(library) else {
      throw UsageError(
        "no drive of \(library) selected", hint: "add ids, as listed by ghost-convert library list")
    }
    throw UsageError(
      "--library interprets \(library) as the path of a library",
      hint: "for an id, use --library FILE \(library), or \(library) --library for the default library")
  }
}

/// Options of commands whose inputs are recordings, which become drives by the same rules.
protocol RecordingInputOptions: LibraryInputOptions {
  var inputs: [String] { get set }
  var reading: InputTrack.Options { get set }
}

extension RecordingInputOptions {
  /// Checks the duration and the speed, and replaces ids among the inputs with references.
  ///
  /// - Returns: the exit status if the library cannot be opened, which has been reported, otherwise nil.
  mutating func resolveInputs() throws(UsageError) -> Int32? {
    try reading.rules.checkPace()
    return LibraryInputs.resolve(&inputs, library: library)
  }
}

extension ParameterSection where Options: RecordingInputOptions {
  /// The options for reading recordings.
  static var recordings: ParameterSection { recordings(format: []) }

  /// The options for reading recordings and for their format.
  static var formattedRecordings: ParameterSection { recordings(format: [.from(\.reading.format)]) }

  private static func recordings(format: [Parameter<Options>]) -> ParameterSection {
    let pace: [Parameter<Options>] = [
      .libraryOfInputs, .duration(\.reading.rules.duration), .speed(\.reading.rules.speed),
      .maximumAccuracy(\.reading.rules.maximumAccuracy, default: "15"),
    ]
    return ParameterSection(
      "Input", pace + format + [.columns(\.reading.columns), .strict(\.reading.isStrict)])
  }
}

extension Parameter where Options: LibraryInputOptions {
  /// The option for the library in which ids among the inputs are looked up.
  static var libraryOfInputs: Parameter {
    .option(
      "--library", \.library, value: "[FILE]",
      default: "none; without FILE: $GHOST_LIBRARY or drives.gpkg",
      "Look up operands that are not files as drive ids in this library. "
        + "FILE#ID names a drive without this option.",
      completion: .files, parse: { $0 == missingArgumentValue ? "" : try LibraryPath.argument($0) })
  }
}
