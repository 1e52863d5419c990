import CommandLineParsing
import GhostExport

/// The display of a command's messages and results.
struct DisplayOptions: Sendable {
  /// Whether only errors and requested output are printed.
  var quiet = false
  /// Whether times are in UTC.
  var utc = false
  var units = UnitSystem.metric
}

/// The options of a command with ``DisplayOptions``, which are in effect while the command runs.
protocol DisplayedOptions: CommandOptions {
  var display: DisplayOptions { get set }
}

extension DisplayedOptions {
  func run(_ body: () throws(UsageError) -> Int32) throws(UsageError) -> Int32 {
    Console.isQuiet = display.quiet
    LocalTime.isUTC = display.utc
    let result = UnitSystem.$current.withValue(display.units) { Result(catching: body) }
    return try result.get()
  }
}

extension Parameter where Options: DisplayedOptions {
  static var quiet: Parameter {
    .flag("--quiet", short: "-q", \.display.quiet, "Print only errors and requested output.")
  }

  static var utc: Parameter {
    .flag(
      "--utc", \.display.utc,
      "Display times in UTC instead of local time, and interpret times in options as UTC. Times in files that "
        + "have no zone are always treated as UTC.")
  }

  static var units: Parameter {
    .option(
      "--units", \.display.units, value: "SYSTEM", default: "metric",
      "Display metric or imperial units. JSON is not affected.",
      completion: UnitSystem.argumentCompletion, parse: { try UnitSystem(argument: $0.lowercased()) })
  }
}

extension UnitSystem: ArgumentValue {}
