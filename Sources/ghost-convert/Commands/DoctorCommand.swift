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
    let key: String
    let label: String
    let value: JSONValue
    let text: String

    init(_ key: String, _ label: String? = nil, value: JSONValue, text: String) {
      self.key = key
      self.label = label ?? key
      self.value = value
      self.text = text
    }

    init(_ key: String, _ label: String? = nil, text: String) {
      self.init(key, label, value: .string(text), text: text)
    }

    init(_ key: String, _ label: String? = nil, words: [String]) {
      self.init(
        key, label, value: .array(words.map { .string($0) }), text: words.joined(separator: ", "))
    }

    init(_ key: String, _ label: String, count: Int) {
      self.init(key, label, value: .integer(count), text: String(count))
    }

    init(_ key: String, _ label: String, size: Int) {
      self.init(key, label, value: .integer(size), text: ReadingLimits.text(size: size))
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
      Row("ghost_convert", "ghost-convert", text: GhostConvert.version),
      Row("swift", "Swift", text: compiler),
      Row("libxml2", text: FormatRegistry.xmlLibraryVersion),
    ] + ArchiveLimits.libraryVersions.map { Row($0.name, text: $0.version) } + [
      Row("sqlite", "SQLite", text: DriveLibrary.databaseVersion), Row("system", text: system),
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
      Row("read", words: FormatRegistry.withArchives.formats.filter(\.canRead).map(\.name)),
      Row("write", words: OutputFormat.names),
      Row("comparisons", words: ComparisonOutput.all.map(\.name)),
    ]
  }

  /// Programs that some examples of the help use. The program itself needs none of them.
  private static var programs: [Row] {
    let folders = (Environment.value("PATH") ?? "").split(separator: ":").map(String.init)
    return ["gpspipe", "psql", "ogr2ogr"].map { name in
      let path = folders.map { $0 + "/" + name }.first { unsafe access($0, X_OK) == 0 }
      return Row(name, value: .optional(path), text: path ?? "not found")
    }
  }

  private static var limits: [Row] {
    let reading = ReadingLimits()
    let archives = ArchiveLimits()
    return [
      Row("xml_depth", "XML: depth", count: reading.depth),
      Row("xml_text_bytes", "XML: one text", size: reading.textSize),
      Row("xml_tag_bytes", "XML: one tag", size: reading.tagSize),
      Row("archive_entries", "archive: entries", count: archives.entryCount),
      Row("archive_entry_bytes", "archive: one entry", size: archives.entrySize),
      Row("archive_depth", "archive: depth", count: archives.depth),
      Row("drive_points", "drive: points", count: Cadence.maximumPoints),
    ]
  }

  private static var environment: [Row] {
    let variables = ["GHOST_LIBRARY", "TMPDIR", "TZ", "LC_ALL", "LC_CTYPE", "LANG", "COLUMNS", "NO_COLOR"]
    return variables.map { name in
      let value = Environment.value(name)
      return Row(name, value: .optional(value), text: value ?? "not set")
    } + [
      Row("temporary_files", "temporary files", text: TemporaryFiles.folder),
      Row(
        "terminal", value: .bool(Console.printsToTerminal), text: Console.printsToTerminal ? "yes" : "no"),
      Row("utf8", "UTF-8", value: .bool(Terminal.isUTF8), text: Terminal.isUTF8 ? "yes" : "no"),
    ]
  }
}
