import BulkImport
import CommandLineParsing
import DriveLibrary
import GhostExport
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension GhostConvert {
  struct DoctorOptions: CommandOptions {
    var json = false
  }

  static let doctorCommand: Command = Command(
    "doctor", summary: "Show versions, formats, limits and the environment",
    discussion: """
      Reports of problems should include its output. It reads no drives and contacts no server.
      """,
    defaults: DoctorOptions(),
    parameters: [.flag("--json", \.json, "Print one JSON object.")],
    examples: [Example("ghost-convert doctor", "print all sections")]
  ) { (options: DoctorOptions) -> Int32 in
    let sections = Doctor.sections
    if options.json {
      let object = sections.map { section in
        (section.key, JSONValue.object(section.rows.map { ($0.key, $0.value) }))
      }
      Console.print(JSONValue.object(object))
    } else {
      let width = sections.flatMap { $0.rows.map(\.label.count) }.max() ?? 0
      let lines = sections.map { section in
        ([section.title] + section.rows.map { "  " + $0.label.padded(to: width + 2) + $0.text })
          .joined(separator: "\n")
      }
      Console.print(lines.joined(separator: "\n\n"))
    }
    return ExitStatus.success
  }
}

/// The installation as a list of sections.
private enum Doctor {
  struct Row {
    /// The key in JSON.
    let key: String
    let label: String
    let value: JSONValue
    let text: String

    init(_ key: String, _ value: JSONValue, text: String? = nil) { self.init(key, key, value, text: text) }

    init(_ key: String, _ label: String, _ value: JSONValue, text: String? = nil) {
      self.key = key
      self.label = label
      self.value = value
      self.text = text ?? Self.text(of: value)
    }

    private static func text(of value: JSONValue) -> String {
      switch value {
      case .string(let text): text
      case .array(let values): values.map(text).joined(separator: ", ")
      case .bool(let isTrue): isTrue ? "yes" : "no"
      default: value.text
      }
    }
  }

  struct Section {
    let key: String
    let title: String
    let rows: [Row]
  }

  static var sections: [Section] {
    [
      Section(key: "versions", title: "Versions", rows: versions),
      Section(key: "formats", title: "Formats", rows: formats),
      Section(key: "optional_programs", title: "Optional programs", rows: programs),
      Section(key: "limits", title: "Limits", rows: limits),
      Section(key: "environment", title: "Environment", rows: environment),
    ]
  }

  private static var versions: [Row] {
    [
      Row("ghost_convert", "ghost-convert", .string(GhostConvert.version)),
      Row("swift", "Swift", .string(compiler)),
      Row("libxml2", .string(FormatRegistry.xmlLibraryVersion)),
    ] + ArchiveLimits.libraryVersions.map { Row($0.name, .string($0.version)) } + [
      Row("sqlite", "SQLite", .string(DriveLibrary.databaseVersion)), Row("system", .string(system)),
    ]
  }

  /// The newest version of Swift that is known not to be newer than the compiler. Swift cannot print its own
  /// version.
  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var system: String {
    #if os(Linux)
      let name = "Linux"
    #elseif os(macOS)
      let name = "macOS"
    #else
      let name = "unknown"
    #endif
    #if arch(x86_64)
      return name + ", x86-64"
    #elseif arch(arm64)
      return name + ", ARM64"
    #else
      return name
    #endif
  }

  private static var formats: [Row] {
    [
      Row(
        "read", .array(FormatRegistry.withArchives.formats.filter(\.canRead).map(\.name).map { .string($0) })),
      Row("write", .array(OutputFormat.names.map { .string($0) })),
      Row("comparisons", .array(ComparisonOutput.all.map(\.name).map { .string($0) })),
    ]
  }

  /// Programs that some examples of the help use. The program itself needs none of them.
  private static var programs: [Row] {
    let folders = (Environment.value("PATH") ?? "").split(separator: ":").map(String.init)
    return ["gpspipe", "psql", "ogr2ogr"].map { name in
      let path = folders.map { $0 + "/" + name }.first { unsafe access($0, X_OK) == 0 }
      return Row(name, .optional(path), text: path ?? "not found")
    }
  }

  private static var limits: [Row] {
    let reading = ReadingLimits()
    let archives = ArchiveLimits()
    return [
      Row("xml_depth", "XML: depth", .integer(reading.depth)),
      Row(
        "xml_text_bytes", "XML: one text", .integer(reading.textSize),
        text: ReadingLimits.text(size: reading.textSize)),
      Row(
        "xml_tag_bytes", "XML: one tag", .integer(reading.tagSize),
        text: ReadingLimits.text(size: reading.tagSize)),
      Row("archive_entries", "archive: entries", .integer(archives.entryCount)),
      Row(
        "archive_entry_bytes", "archive: one entry", .integer(archives.entrySize),
        text: ReadingLimits.text(size: archives.entrySize)),
      Row("archive_depth", "archive: depth", .integer(archives.depth)),
      Row("drive_points", "drive: points", .integer(Cadence.maximumPoints)),
    ]
  }

  private static var environment: [Row] {
    let variables = ["GHOST_LIBRARY", "TMPDIR", "TZ", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS", "NO_COLOR"]
    return variables.map { name in
      let value = Environment.value(name)
      return Row(name, .optional(value), text: value ?? "not set")
    } + [
      Row("temporary_files", "temporary files", .string(TemporaryFiles.folder)),
      Row("terminal", .bool(Console.printsToTerminal)), Row("utf8", "UTF-8", .bool(Terminal.isUTF8)),
    ]
  }
}
