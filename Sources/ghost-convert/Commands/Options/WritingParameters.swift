import BulkImport
import CommandLineParsing
import TrackFormats

/// Options about outputs, shared by the commands that write tracks.
extension Parameter {
  static func fitKind(_ property: Property<FITWriter.Kind>) -> Parameter {
    .option(
      "--fit-kind", property, value: "KIND",
      "Write FIT files as a course (to follow) or an activity (to upload). auto writes tracks with laps as activities.",
      completion: .values(FITWriter.Kind.allCases.map(\.rawValue)), parse: { try OutputFormat.fitKind($0) })
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
}

extension OutputFormat.WritingOptions {
  /// Checks whether the output supports plain lines.
  ///
  /// - Parameter hasPlainLines: whether the output can contain plain lines.
  /// - Throws: if plain lines are requested but not supported.
  func check(hasPlainLines: Bool) throws(UsageError) {
    if addsPlainLines, !hasPlainLines {
      throw UsageError("--plain-lines applies to KML and KMZ", hint: "remove it, or write to .kml or .kmz")
    }
  }
}

extension OutputFormat {
  /// Parses the name of a format in an option.
  init(argument: String) throws(InvalidValue) {
    guard let format = OutputFormat(name: argument) else {
      throw InvalidValue("expected one of " + OutputFormat.names.joined(separator: ", "))
    }
    self = format
  }

  /// Parses the name of a kind of FIT file.
  static func fitKind(_ text: String) throws(InvalidValue) -> FITWriter.Kind {
    if let kind = FITWriter.Kind(rawValue: text.lowercased()) { return kind }
    throw InvalidValue("expected one of " + FITWriter.Kind.allCases.map(\.rawValue).joined(separator: ", "))
  }
}
