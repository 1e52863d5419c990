import BulkImport
import CommandLineParsing
import TrackArchives
import TrackFormats

/// Whether the inputs of a command are listed on standard input.
struct PathListing: Sendable {
  var isOn = false
  var isNullSeparated = false

  /// Standard input as the list, or nil if the inputs are arguments.
  var standardInput: StandardInput? {
    isOn ? StandardInput(list: isNullSeparated ? .null : .line) : nil
  }
}

/// The options of a command whose inputs may be listed on standard input.
protocol ListedInputs: DisplayedOptions {
  var inputs: [String] { get set }
  var listing: PathListing { get set }
}

extension ParameterSection where Options: ListedInputs {
  /// Returns the options about inputs, with those of ``PathListing`` between others.
  static func input(_ first: [Parameter<Options>], _ last: [Parameter<Options>]) -> ParameterSection {
    let listing: [Parameter<Options>] = [
      .flag(
        "--stdin-paths", \.listing.isOn,
        "Read input paths from standard input, one per line, and process each as it arrives."),
      .flag(
        "--null", short: "-0", \.listing.isNullSeparated,
        "With --stdin-paths: expect a null byte after each path, as written by find -print0."),
    ]
    return ParameterSection("Input", first + listing + last)
  }
}

extension ListedInputs {
  /// Returns the options with standard input as the only input if it is the list.
  ///
  /// - Throws: if inputs are missing, or are given in addition to the list.
  func resolvingInputs() throws(UsageError) -> Self {
    var options = self
    guard listing.isOn else {
      guard !listing.isNullSeparated else {
        throw UsageError("--null requires --stdin-paths", hint: "add --stdin-paths")
      }
      guard !inputs.isEmpty else {
        if let options = self as? any LibraryInputOptions { try options.checkLibraryValue() }
        throw UsageError(.missingOperand("FILE", minimum: 1, given: 0))
      }
      return self
    }
    guard inputs.isEmpty else {
      throw UsageError(
        "--stdin-paths reads the inputs from standard input, but \(inputs[0]) is also given",
        hint: "remove one of them")
    }
    options.inputs = ["-"]
    return options
  }
}

extension EnumerationOptions {
  /// Creates the options of a command.
  ///
  /// - Parameters:
  ///   - listing: whether the inputs are listed on standard input.
  ///   - opening: the options for reading the inputs.
  ///   - outputDirectory: the folder of the outputs, which is not an input.
  ///   - report: the path of the report, which is not an input.
  init(
    _ listing: PathListing, _ opening: TrackOpening, joinsClips: Bool = false, outputDirectory: String? = nil,
    report: String? = nil
  ) {
    self.init()
    format = opening.format
    acceptsAnyTable = opening.acceptsAnyTable
    self.joinsClips = joinsClips
    excludedFolder = outputDirectory
    if let report { excludedFiles = InputReport.files(report) }
    standardInput = listing.standardInput
  }

  /// If standard input is among the inputs, checks whether it contains a list of paths, and reports the list.
  mutating func inspectStandardInput(_ paths: [String]) {
    guard paths.contains("-"), standardInput == nil, format == nil else { return }
    // If it cannot be read, the input walk reports the error.
    standardInput = try? StandardInput()
    if standardInput?.list != nil {
      Console.note("standard input: contains paths, read as a list of inputs as with --stdin-paths")
    }
  }
}
