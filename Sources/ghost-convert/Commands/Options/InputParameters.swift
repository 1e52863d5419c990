import CommandLineParsing
import TrackArchives
import TrackFormats

/// What commands that read tracks say alike about their inputs.
extension Parameter {
  static func from(
    _ property: Property<TrackFormat?>,
    _ help: String = "Take the inputs for this format, whatever they look like."
  ) -> Parameter {
    .option(
      "--from", property, value: "FORMAT", help,
      completion: .values(FormatRegistry.withArchives.formats.filter(\.canRead).map(\.name)),
      parse: { try Input.format($0) })
  }

  static func columns(_ property: Property<CSVColumns?>) -> Parameter {
    .option(
      "--columns", property, value: "LIST",
      "Which columns of a table hold what: lat=2,lon=3,time=1, by number or heading.",
      parse: { try Input.columns($0) })
  }

  static func jobs(
    _ property: Property<Int?>, _ help: String = "How many inputs to work on at the same time."
  ) -> Parameter {
    .option(
      "--jobs", property, value: "N", default: "the number of processors", help,
      parse: { .some(try jobCount($0)) })
  }

  private static func jobCount(_ text: String) throws(InvalidValue) -> Int {
    guard let jobs = Int(text), (1...256).contains(jobs) else {
      throw InvalidValue("expected a whole number from 1 to 256")
    }
    return jobs
  }

  static func report(_ property: Property<String?>) -> Parameter {
    .option(
      "--report", property, value: "FILE",
      "Write down what became of each input, one JSON object a line; - is standard output. Of files that are there only "
        + "an earlier report is replaced.",
      completion: .files)
  }
}
