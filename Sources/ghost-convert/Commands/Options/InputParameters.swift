import CommandLineParsing
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

/// Options about inputs, shared by the commands that read tracks.
extension Parameter {
  static func from(
    _ property: Property<TrackFormat?>,
    _ help: String = "Treat inputs as FORMAT instead of detecting it."
  ) -> Parameter {
    .option(
      "--from", property, value: "FORMAT", help,
      completion: .values(FormatRegistry.withArchives.formats.filter(\.canRead).map(\.name)),
      parse: trackFormat)
  }

  static func columns(_ property: Property<CSVColumns?>) -> Parameter {
    .option(
      "--columns", property, value: "LIST",
      "Assign table columns by number or heading, for example lat=2,lon=3,time=1.",
      parse: csvColumns)
  }

  static func separateClips(_ property: Property<Bool>) -> Parameter {
    .flag(
      "--separate-clips", property,
      "Keep each film separate. By default, consecutive films of a camera are one recording, "
        + "and films with the same positions are read once."
    )
  }

  static func strict(
    _ property: Property<Bool>, _ help: String = "Treat warnings about the input as errors."
  ) -> Parameter {
    .flag("--strict", property, help)
  }

  static func jobs(
    _ property: Property<Int?>, _ help: String = "Process N inputs in parallel."
  ) -> Parameter {
    .option(
      "--jobs", property, value: "N", default: "the number of processors", help,
      parse: { try QuantityArgument.number($0, in: 1...256, expected: "a whole number from 1 to 256") })
  }

  static func report(_ property: Property<String?>) -> Parameter {
    .option(
      "--report", property, value: "FILE",
      "Write the outcome of each input to FILE, one JSON object per line. "
        + "An existing file is only replaced if it is a report.",
      completion: .files)
  }
}

/// The values of `--kind` that match several names (`KindStage.groups`).
enum KindGroups {
  static let help =
    "driving matches all road vehicles; cycling, running, walking and hiking match each of their names."
  static var completion: Completion { .values(KindStage.groups.keys.sorted()) }
}

/// Parses `lat=2,lon=3,time=1`.
private func csvColumns(_ text: String) throws(InvalidValue) -> CSVColumns? {
  do throws(TrackError) {
    return try CSVColumns(parsing: text)
  } catch {
    throw InvalidValue(error.message)
  }
}

/// Parses the name of a format.
private func trackFormat(_ text: String) throws(InvalidValue) -> TrackFormat? {
  if let format = FormatRegistry.withArchives.named(text) { return format }
  throw InvalidValue(
    "expected one of " + FormatRegistry.withArchives.formats.map(\.name).joined(separator: ", "))
}
