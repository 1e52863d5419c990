import BulkImport
import CommandLineParsing
import TrackFormats

/// What commands that write tracks say alike about how they look.
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
  /// - Parameter hasPlainLines: whether the output can hold them.
  /// - Throws: where it is asked for what the output cannot hold.
  func check(hasPlainLines: Bool) throws(UsageError) {
    if addsPlainLines, !hasPlainLines {
      throw UsageError("--plain-lines applies to KML and KMZ", hint: "remove it, or write to .kml or .kmz")
    }
  }
}

extension OutputFormat {
  /// Reads a name from the command line.
  init(argument: String) throws(InvalidValue) {
    guard let format = OutputFormat(name: argument) else {
      throw InvalidValue("expected one of " + OutputFormat.names.joined(separator: ", "))
    }
    self = format
  }

  /// Reads the name of a kind of FIT file.
  static func fitKind(_ text: String) throws(InvalidValue) -> FITWriter.Kind {
    if let kind = FITWriter.Kind(rawValue: text.lowercased()) { return kind }
    throw InvalidValue("expected one of " + FITWriter.Kind.allCases.map(\.rawValue).joined(separator: ", "))
  }
}
