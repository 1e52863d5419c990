public import TrackModel

/// The messages of a conversion in order, with separate warnings.
public struct ConversionMessages: Sendable {
  /// A message about an input or an output.
  public enum Line: Sendable {
    /// A complete sentence about a change or an omission. It begins with the name of the file.
    case note(String)
    /// The error of an input, with its file.
    case failure(TrackError)
  }

  /// The notes and failures, in the order of occurrence.
  public private(set) var lines: [Line] = []
  /// The warnings and losses of all inputs and outputs.
  public private(set) var warnings = FoldedWarnings()

  package init() {}

  package mutating func add(_ others: ConversionMessages) {
    lines += others.lines
    warnings.add(others.warnings)
  }

  package mutating func add(note: String) { lines.append(.note(note)) }

  mutating func add(_ losses: LossReport, _ description: String, file: String) {
    warnings.add(losses, description, file: file)
  }

  mutating func report(_ error: TrackError) { lines.append(.failure(error)) }

  mutating func report(_ warnings: [TrackWarning], file: String) {
    self.warnings.add(warnings, file: file)
  }
}
