import BulkImport
import CommandLineParsing
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct LapsOptions: RecordingInputOptions {
    var inputs: [String] = []
    var library: String?
    var gate: Gate?
    var finish: Gate?
    var sectors: [Gate] = []
    var source = LapSource.gate
    var comparesBest = false
    var comparison: LapRanking.Choice?
    var splits = false
    var outputs: [String] = []
    var to: OutputFormat?
    var quotesFormulas = false
    var force = false
    var json = false
    var display = DisplayOptions()
    var reading = InputTrack.Options()
  }

  static let lapsCommand: Command = Command(
    "laps", summary: "Time the laps of a circuit or the runs of a hill climb",
    discussion: """
      Laps are timed at a gate, a line across the road. Without --gate, the gates of a VBO file are used. \
      Otherwise the circuit is found automatically, and the gate is placed on a straight, fast stretch of it. \
      Crossings between two fixes are timed on a \
      curve through the neighbouring fixes.

      A lap is complete if the car drove once around the circuit. Stops, spins, slow laps, the pit lane \
      and seconds without fixes do not make it incomplete; a break in the paddock does. With --finish a lap is \
      a run from the gate to the finish, and the way back is ignored.
      """,
    defaults: LapsOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, "Recordings of one circuit; - is standard input.", completion: .files),
      .quiet, .utc, .units,
    ],
    sections: [
      ParameterSection(
        "Input",
        [
          .option(
            "--track", \.reading.track, value: "NUMBER", default: "all tracks",
            "Use this track of each file, counted from 1.", parse: { try QuantityArgument.number($0) })
        ]),
      .formattedRecordings,
      ParameterSection(
        "Laps",
        [
          .option(
            "--gate", \.gate, value: "LAT,LON[,BEARING]", default: "found automatically",
            "Set the start of laps, with an optional direction of travel in degrees."),
          .option(
            "--finish", \.finish, value: "LAT,LON[,BEARING]", "Set the end of runs, if it is not the gate."),
          .repeated(
            "--sector", \.sectors, value: "LAT,LON[,BEARING]",
            "Add a gate between two sectors. Repeat in driving order."),
          .option(
            "--laps", \.source, value: "SOURCE",
            "gate: time laps at a gate. recorded: use the laps of FIT, TCX and CSV files."),
        ]),
      ParameterSection(
        "Comparison",
        [
          .flag("--best", \.comparesBest, "Compare the best lap with the second best."),
          .option(
            "--compare", \.comparison, value: "LAPS",
            "Compare laps with the first in the list, for example 3,5. "
              + "all compares the ten fastest laps and the slowest, and ranks all.",
            completion: .values(["all"]), parse: lapChoice),
        ]),
      ParameterSection(
        "Output",
        [
          .repeated(
            "--output", short: "-o", \.outputs, value: "FILE",
            "Write the comparison in the format of FILE's extension (\(endings)), without one the table of laps "
              + "(csv), or laps to a folder.",
            completion: .files),
          .flag("--split", \.splits, "Write each lap to a separate file in the folder given with --output."),
          .option(
            "--to", \.to, value: "FORMAT", default: "gpx", "With --split: set the format of the files."),
          .quoteFormulas(\.quotesFormulas, in: "CSV"),
          .flag("--json", \.json, "Print one JSON object."),
          .force(\.force),
        ]),
    ],
    examples: [
      Example("ghost-convert laps session.gpx", "find the circuit and time its laps"),
      Example(
        "ghost-convert laps a.gpx --gate 46.2,7.1 --sector 46.21,7.1 --sector 46.22,7",
        "time laps and sectors at given gates"),
      Example(
        "ghost-convert laps climb.gpx --gate 46.2,7.1 --finish 46.25,7.15", "time the runs of a hill climb"),
      Example("ghost-convert laps session.gpx --compare 3,5 -o race.html", "compare two laps in a browser"),
      Example("ghost-convert laps session.gpx -o laps.csv", "write the table of laps for a spreadsheet"),
      Example("ghost-convert laps session.fit --split --to drive -o laps/", "write each lap as a drive"),
    ]
  ) { (options: LapsOptions) throws(UsageError) -> Int32 in
    var options = options
    if let status = try options.resolveInputs() { return status }
    try options.check()
    if options.comparesBest { options.comparison = .best }
    let protection = InputProtection(options.inputs, isOff: options.force)
    if let status = protection.status(of: options.outputs) { return status }
    return LapsRun(options: options).run()
  }

}

/// The source of laps.
enum LapSource: String, CaseIterable, ArgumentValue {
  case gate, recorded

  static var argumentChoices: [String] { [] }
}

extension GhostConvert.LapsOptions {
  /// Checks the combination of options.
  ///
  /// - Throws: if options cannot be used together.
  fileprivate func check() throws(UsageError) {
    if finish != nil, gate == nil { throw UsageError("--finish needs a gate", hint: "add --gate") }
    if source == .recorded, gate != nil || !sectors.isEmpty {
      throw UsageError("--laps recorded excludes --gate and --sector")
    }
    if comparesBest, comparison != nil { throw UsageError("--best and --compare cannot be used together") }
    if splits {
      if comparesBest || comparison != nil { throw UsageError("--split excludes --best and --compare") }
      if quotesFormulas { throw UsageError("--split excludes --quote-formulas") }
      guard outputs.count == 1 else {
        throw UsageError(
          outputs.isEmpty ? "--split needs a folder" : "--split writes to one folder",
          hint: outputs.isEmpty ? "add -o FOLDER" : "remove the other folders")
      }
      if outputs == ["-"] {
        throw UsageError("--split cannot write to standard output", hint: "use -o FOLDER")
      }
    } else {
      if to != nil { throw UsageError("--to requires --split") }
      try GhostConvert.checkOutputs(outputs, quotesFormulas: quotesFormulas)
      if !comparesBest, comparison == nil,
        let other = outputs.first(where: { (try? ComparisonOutput.forFile($0)) != .csv })
      {
        throw UsageError(
          "\(other): the table of laps is written as CSV",
          hint: "use -o laps.csv, or add --best, --compare LAPS or --split")
      }
    }
  }
}

extension GhostConvert {
  fileprivate static func lapChoice(_ text: String) throws(InvalidValue) -> LapRanking.Choice? {
    if text == "all" { return .all }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard numbers.count > 1, numbers.count == text.count(where: { $0 == "," }) + 1,
      numbers.allSatisfy({ $0 > 0 }), Set(numbers).count == numbers.count
    else { throw InvalidValue("expected numbers of laps such as 3,5, or all") }
    return .numbers(numbers)
  }
}
