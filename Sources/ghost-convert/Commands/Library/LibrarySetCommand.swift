import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct LibrarySetOptions: LibraryChangeOptions {
    var library: String?
    var identifiers: [String] = []
    var values = DriveChange()
    var json = false
    var display = DisplayOptions()
  }

  static let librarySetCommand: Command = Command(
    "set", summary: "Set the name, the kind or the gear of drives",
    discussion: """
      Changes all given drives, or none if one does not exist. Later imports do not change the values back, \
      even with --again, unless other options result in another drive.
      """,
    defaults: LibrarySetOptions(),
    parameters: [
      .arguments(
        "ID", \.identifiers, "Drives, by prefixes of their ids.", parse: LibraryPath.identifier),
      .option("--name", \.values.name, value: "NAME", "Set the name.", parse: name),
      .option(
        "--kind", \.values.kind, value: "KIND", "Set the kind of activity, or remove it if KIND is empty.",
        completion: KindGroups.completion),
      .option(
        "--gear", \.values.gear, value: "TEXT",
        "Set the bike, the shoes or the vehicle, or remove it if TEXT is empty."),
      .flag("--json", \.json, "Print one JSON object per changed drive."),
      .quiet, .utc, .units, .library,
    ],
    examples: [
      Example("ghost-convert library set 5C2A3E --name 'To work'", "rename a drive"),
      Example("ghost-convert library set 5C2A3E 9B610E --kind driving --gear Ioniq", "describe two drives"),
    ]
  ) { (options: LibrarySetOptions) throws(UsageError) -> Int32 in
    guard options.values != DriveChange() else {
      throw UsageError("nothing to set", hint: "add --name, --kind or --gear")
    }
    return options.withLibrary(.writing) { library throws(TrackError) in
      let ids = try library.drives(withPrefixes: options.identifiers).map(\.id)
      try library.set(options.values, of: ids)
      let length = try library.distinctIdentifierLength()
      for id in ids {
        try library.summary(id).map { options.report("changed", $0, identifierLength: length) }
      }
      return ExitStatus.success
    }
  }

  private static func name(_ text: String) throws(InvalidValue) -> String? {
    if text.allSatisfy(\.isWhitespace) { throw InvalidValue("expected a name") }
    return text
  }
}
