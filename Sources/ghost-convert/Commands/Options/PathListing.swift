import CommandLineParsing
import TrackArchives
import TrackFormats

/// Whether the inputs of a command stand in a list on standard input.
struct PathListing: Sendable {
  var isOn = false
  var isNullSeparated = false

  /// Standard input as that list; nil where the inputs are named.
  var standardInput: StandardInput? {
    isOn ? StandardInput(list: isNullSeparated ? .null : .line) : nil
  }
}

/// Options of a command whose inputs may stand in a list.
protocol ListedInputs: Sendable {
  var inputs: [String] { get set }
  var listing: PathListing { get set }
}

extension ParameterSection where Options: ListedInputs {
  /// The options of ``PathListing``.
  static var listing: ParameterSection {
    ParameterSection(
      "Input lists",
      [
        .flag(
          "--stdin-paths", \.listing.isOn,
          "Read input paths from standard input, one per line, and process each as it arrives."),
        .flag(
          "--null", short: "-0", \.listing.isNullSeparated,
          "With --stdin-paths: paths end with a null byte, as from find -print0."),
      ])
  }
}

extension ListedInputs {
  /// The options with standard input as the only input where that is the list.
  ///
  /// - Throws: where inputs are missing, or named beside the list.
  func resolvingInputs() throws(UsageError) -> Self {
    var options = self
    guard listing.isOn else {
      guard !listing.isNullSeparated else {
        throw UsageError("--null is for --stdin-paths", hint: "add --stdin-paths, or leave it out")
      }
      guard !inputs.isEmpty else {
        if let options = self as? any LibraryInputOptions { try options.checkLibraryValue() }
        throw UsageError(.missingOperand("FILE", minimum: 1, given: 0))
      }
      return self
    }
    guard inputs.isEmpty else {
      throw UsageError(
        "--stdin-paths takes the inputs from standard input, and \(inputs[0]) is given as well",
        hint: "leave one of them out")
    }
    options.inputs = ["-"]
    return options
  }
}

extension WalkOptions {
  /// Looks whether standard input, where it is among the inputs, holds a list of paths, and says so.
  mutating func lookAtStandardInput(_ paths: [String]) {
    guard paths.contains("-"), standardInput == nil, format == nil else { return }
    // Where it cannot be read, the walk says so.
    standardInput = try? StandardInput()
    if standardInput?.list != nil {
      Console.note("standard input: contains paths, read as a list of inputs as with --stdin-paths")
    }
  }
}
