import BulkImport
package import CommandLineParsing
import TrackFormats
import TrackModel

/// Options about outputs, shared by the commands that write tracks.
extension Parameter {
  static func fitKind(_ property: Property<FITWriter.Kind>) -> Parameter {
    .option(
      "--fit-kind", property, value: "KIND",
      "Write FIT files as a course (to follow) or an activity (to upload). "
        + "auto writes tracks with laps as activities.",
      completion: .values(FITWriter.Kind.allCases.map(\.rawValue)), parse: OutputFormat.fitKind)
  }

  static func flat(_ property: Property<Bool>) -> Parameter {
    .flag(
      "--flat", property,
      "With --output-directory: do not recreate the subfolders of inputs."
    )
  }

  static func force(_ property: Property<Bool>) -> Parameter {
    .flag("--force", property, "Allow outputs to replace inputs.")
  }

  static func plainLines(_ property: Property<Bool>) -> Parameter {
    .flag(
      "--plain-lines", property,
      "Add a plain line to each KML track, for programs without support for gx:Track.")
  }

  /// - Parameter formats: the tables that the command writes.
  static func quoteFormulas(_ property: Property<Bool>, in formats: String = "CSV and TSV") -> Parameter {
    .flag(
      "--quote-formulas", property,
      "Write an apostrophe before text in \(formats) that a spreadsheet would run as a formula.")
  }
}

extension OutputFormat.WritingOptions {
  /// Checks whether the output supports the options.
  ///
  /// - Parameter format: the format of the output; nil for a format without tracks.
  /// - Throws: if an option is set that the format does not support.
  func check(_ format: OutputFormat?) throws(UsageError) {
    if addsPlainLines, format?.hasPlacemarks != true {
      throw UsageError(
        "--plain-lines applies to KML and KMZ", hint: "remove it, or write to a .kml or .kmz file")
    }
    if quotesFormulas, format?.isTable != true {
      throw UsageError(
        "--quote-formulas applies to CSV and TSV", hint: "remove it, or write to .csv or .tsv")
    }
  }
}

extension OutputFormat: ArgumentValue {
  /// Parses the name of a format.
  package init(argument: String) throws(InvalidValue) {
    guard let format = OutputFormat(name: argument) else {
      throw InvalidValue("expected one of " + OutputFormat.names.joined(separator: ", "))
    }
    self = format
  }

  package static var argumentCompletion: Completion { .values(names) }

  /// Returns a question with the extension that is most similar to that of a file name.
  static func hint(forFile path: String) -> String? {
    guard let ending = FileName.fileExtension(path) else { return nil }
    let endings = names.compactMap { OutputFormat(name: $0)?.fileEnding }
    let near = suggestion(for: String(ending), among: endings)
    return near.map { "did you mean \(FileName.last(path).dropLast(ending.count))\($0)?" }
  }

  /// Parses the name of a kind of FIT file.
  static func fitKind(_ text: String) throws(InvalidValue) -> FITWriter.Kind {
    if let kind = FITWriter.Kind(rawValue: text.lowercased()) { return kind }
    throw InvalidValue("expected one of " + FITWriter.Kind.allCases.map(\.rawValue).joined(separator: ", "))
  }
}
