import CommandLineParsing
import GhostModel
import TrackFormats
import TrackModel

/// The inputs of a command, opened one after the other.
enum Input {
  /// Opens an input and finds its format.
  ///
  /// - Parameters:
  ///   - format: the format to take without looking, where the user named one.
  ///   - stages: what changes the tracks on the way.
  ///   - readsAhead: whether a large input is read on a thread of its own.
  static func open(
    _ path: String, format: TrackFormat?, columns: CSVColumns? = nil, isStrict: Bool, progress: ByteProgress,
    stages: [any TrackStage] = [], readsAhead: Bool = false
  ) throws(TrackError) -> OpenInput {
    var bytes = try ByteInput(path: path, progress: progress)
    let size = bytes.size
    let found: TrackFormat
    do throws(TrackError) {
      // Named columns are those of a table, which without a heading cannot be recognised.
      let named = format ?? (columns == nil ? nil : .csv)
      found = if let named { named } else { try TrackFormat.detect(&bytes) }
    } catch {
      throw error.inFile(name(path))
    }
    let options = ReadingOptions(isStrict: isStrict)
    let reader: any TrackReader & ~Copyable
    if let columns, found == .csv || found == .tsv {
      reader = CSVReader(bytes, options: options, columns: columns)
    } else {
      reader = try found.reader(bytes, options: options)
    }
    return OpenInput(
      reader: StagedReader(readsAhead ? ReadAheadReader(reader) : reader, stages), format: found,
      progress: Progress(progress, total: size))
  }

  /// What messages call an input.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// The file's name without folders and ending.
  static func baseName(_ path: String) -> String {
    if path == "-" { return "stdin" }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    let stem = name[..<dot]
    return String(stem.hasSuffix(".drive") ? stem.dropLast(6) : stem)
  }

  /// The folder that a path lies in, with the slash behind it; empty for the current one.
  static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }

  /// Reads `lat=2,lon=3,time=1` for an option.
  static func columns(_ text: String) throws(InvalidValue) -> CSVColumns? {
    do throws(TrackError) {
      return try CSVColumns(parsing: text)
    } catch {
      throw InvalidValue(error.message)
    }
  }

  /// Reads the name of a format for an option.
  static func format(_ text: String) throws(InvalidValue) -> TrackFormat? {
    if let format = TrackFormat.named(text) { return format }
    throw InvalidValue("expected one of " + TrackFormat.all.map(\.name).joined(separator: ", "))
  }
}

/// An input whose format is known.
struct OpenInput: TrackReader, ~Copyable {
  var reader: StagedReader
  let format: TrackFormat
  var progress: Progress

  var warnings: [TrackWarning] { reader.warnings }

  /// The next event, the progress shown on the way.
  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    let event = try reader.next(into: &batch)
    if case .points = event { progress.update() }
    return event
  }
}
