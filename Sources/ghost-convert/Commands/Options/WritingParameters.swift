import CommandLineParsing
import TrackFormats

/// What commands that write tracks say alike about how they look.
extension Parameter {
  static func fitKind(_ property: Property<FITWriter.Kind>) -> Parameter {
    .option(
      "--fit-kind", property, value: "KIND",
      "Make FIT files a course to follow, or an activity to upload; auto takes tracks with laps for activities.",
      completion: .values(FITWriter.Kind.allCases.map(\.rawValue)), parse: { try OutputFormat.fitKind($0) })
  }

  static func flat(_ property: Property<Bool>) -> Parameter {
    .flag(
      "--flat", property,
      "With --output-directory: write all files into the folder itself, without the subfolders of input folders."
    )
  }

  static func force(_ property: Property<Bool>) -> Parameter {
    .flag("--force", property, "Allow an output to replace an input.")
  }

  static func plainLines(_ property: Property<Bool>) -> Parameter {
    .flag(
      "--plain-lines", property,
      "Follow each track in KML by a plain line, for programs that do not know gx:Track.")
  }

  static func quoteFormulas(_ property: Property<Bool>) -> Parameter {
    .flag(
      "--quote-formulas", property,
      "Write an apostrophe before texts in CSV and TSV that a spreadsheet would run as formulas.")
  }
}

extension OutputFormat.WritingOptions {
  /// Checks the options against the format of the output, nil for one that is none of tracks.
  ///
  /// - Throws: if an option is set that does not apply to the format.
  func check(_ format: OutputFormat?) throws(UsageError) {
    if addsPlainLines, format?.hasPlainLines != true {
      throw UsageError("--plain-lines is for KML and KMZ", hint: "leave it out, or write to a .kml or .kmz")
    }
    if quotesFormulas, format?.isTable != true {
      throw UsageError(
        "--quote-formulas is for CSV and TSV", hint: "leave it out, or write to a .csv or .tsv")
    }
  }
}
