public import TrackModel

/// The messages of a conversion in order, with separate warnings.
public struct ConversionMessages: Sendable {
  public enum Line: Sendable {
    case note(String)
    case failure(TrackError)
  }

  public private(set) var lines: [Line] = []
  public private(set) var warnings = FoldedWarnings()

  public init() {}

  public mutating func add(_ others: ConversionMessages) {
    lines += others.lines
    warnings.add(others.warnings)
  }

  public mutating func add(note: String) { lines.append(.note(note)) }

  mutating func add(_ losses: LossReport, _ description: String, file: String) {
    warnings.add(losses, description, file: file)
  }

  mutating func report(_ error: TrackError) { lines.append(.failure(error)) }

  mutating func report(_ warnings: [TrackWarning], file: String) {
    self.warnings.add(warnings, file: file)
  }
}
