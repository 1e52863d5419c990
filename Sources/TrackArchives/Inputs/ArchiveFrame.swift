import TrackFormats
import TrackModel

/// The names in an archive, and its tables.
struct ArchiveSurvey {
  /// The names of all files in archive order.
  private(set) var names: [String] = []
  private(set) var guide: ExportGuide
  /// Whether there are links or devices, or damage that may hide further entries.
  private(set) var holdsOthers = false
  /// The largest table in bytes.
  private let tableSize: Int

  /// - Parameter outer: the guide of the enclosing archive.
  /// - Throws: if the archive cannot be opened. Damage in the contents is reported when they are read.
  init(_ origin: ArchiveOrigin, _ budget: ArchiveBudget, inside outer: ActivityNotesSource) throws(TrackError)
  {
    guide = ExportGuide(inside: outer)
    tableSize = budget.limits.tableSize
    // The entries count when their contents are read.
    let entries = budget.entries
    defer { budget.entries = entries }
    let reader = try origin.open([.archives, .unchecked], budget)
    guard let first = try reader.nextEntry() else { return }
    // Entries that must be unpacked to be skipped count as unpacked.
    let skipping = budget.renewed()
    do throws(TrackError) {
      var next: ArchiveEntry? = first
      while let entry = next {
        if !reader.skipsForFree, let size = entry.size {
          try skipping.spend(size, entrySize: size, packedSize: 0)
        }
        try add(entry, reader)
        next = try reader.nextEntry()
      }
    } catch  where error.code != .limitExceeded {
      holdsOthers = true
    }
    guide.finish(names)
  }

  private mutating func add(_ entry: ArchiveEntry, _ reader: ArchiveReader) throws(TrackError) {
    guard entry.isFile else {
      if !entry.isFolder { holdsOthers = true }
      return
    }
    names.append(entry.name)
    guide.add(entry.name)
    if ExportGuide.mayBeHealthRecord(entry.name) {
      try reader.check(entry)
      var input = ByteInput(stream: reader, name: nil)
      if let workouts = try HealthWorkouts(&input) { guide.add(workouts, from: entry.name) }
      return
    }
    if ExportGuide.isMonth(entry.name) {
      try reader.check(entry)
      guide.add(month: entry.name, ByteInput(stream: reader, name: nil))
      return
    }
    guard ExportGuide.isTable(entry.name), entry.size ?? 0 <= tableSize else { return }
    try reader.check(entry)
    var input = ByteInput(stream: reader, name: nil)
    while input.available.count <= tableSize, try input.fill() {}
    guide.add(table: entry.name, input.available.array)
  }

  /// Extensions of files that a KMZ does not contain.
  private static let otherTracks = [".gpx", ".fit", ".tcx", ".gz", ".zip", ".geojson", ".nmea", ".kmz"]

  /// Whether a ZIP is a KMZ instead of a general archive: by its extension, or because it has a single KML
  /// file or a `doc.kml` at its root and no other tracks.
  func isKMZ(called path: String) -> Bool {
    var documents = 0
    var hasRoot = false
    for name in names {
      let name = name.lowercased()
      guard !name.hasPrefix("__macosx/") else { continue }
      if name.hasSuffix(".kml") { documents += 1 }
      if name == "doc.kml" { hasRoot = true }
      if ArchiveSurvey.otherTracks.contains(where: { name.hasSuffix($0) }) { return false }
    }
    return documents > 0 && (documents == 1 || hasRoot || path.lowercased().hasSuffix(".kmz"))
  }
}

/// An archive that is being enumerated.
final class ArchiveFrame: EnumerationFrame {
  let origin: ArchiveOrigin
  let label: String
  /// The folders that the archive is in, if it is in another.
  let folder: String
  let reader: ArchiveReader
  let budget: ArchiveBudget
  let size: Int?
  let holdsOthers: Bool
  private let guide: ExportGuide
  /// The names of all files if the guide lists activities, to find those without a file.
  private let names: [String]
  private var index = -1
  private var isEnded = false

  init(
    _ origin: ArchiveOrigin, _ label: InputLabel, _ survey: ArchiveSurvey, _ budget: ArchiveBudget, size: Int?
  ) throws(TrackError) {
    self.origin = origin
    self.label = label.path
    folder = label.folder
    holdsOthers = survey.holdsOthers
    guide = survey.guide
    names = guide.listsActivities ? survey.names : []
    self.budget = budget
    self.size = size
    reader = try origin.open(.archives, budget)
  }

  func advance(_ walk: InputEnumerator) -> Bool {
    guard !isEnded else { return false }
    var name: String?
    do throws(TrackError) {
      guard let entry = try reader.nextEntry() else {
        isEnded = true
        walk.frames.append(MissingActivitiesFrame(guide, Set(names), label))
        return true
      }
      index += 1
      walk.passed(reader.position)
      guard entry.isFile else {
        if !entry.isFolder { walk.skip(InputLabel(label, entry: entry.name), .notAFile) }
        return true
      }
      name = entry.name
      switch guide.verdict(entry.name) {
      case .skip(let reason): walk.skip(InputLabel(label, entry: entry.name), reason)
      case .read(let notes): try walk.openEntry(entry, index, of: self, notes)
      }
    } catch {
      // After damage between entries nothing can be found, but after damage inside an entry there may be
      // further ones.
      if name == nil {
        isEnded = true
        walk.frames.append(MissingActivitiesFrame(guide, Set(names), label))
      }
      walk.fail(name.map { InputLabel(label, entry: $0) } ?? InputLabel(path: label), error)
    }
    return true
  }
}

/// An entry of an archive that is located when its first byte is requested.
final class EntryStream: ByteStream {
  private let reader: ArchiveReader
  private var remaining: Int

  init(_ reader: ArchiveReader, index: Int) {
    self.reader = reader
    remaining = index + 1
  }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    while remaining > 0 {
      guard try reader.nextEntry() != nil else { return 0 }
      remaining -= 1
    }
    return try unsafe reader.read(to: start, count: count)
  }
}

/// An entry of an archive that can be read at any offset. Reading backwards decompresses it again.
final class RewindableEntryStream: ByteStream {
  private let origin: ArchiveOrigin
  private let budget: ArchiveBudget
  private let index: Int
  private var entry: EntryStream?
  /// The offset of the entry, and the requested one.
  private var position = 0
  private var offset = 0
  var isSeekable: Bool { true }

  init(_ origin: ArchiveOrigin, _ budget: ArchiveBudget, index: Int) {
    self.origin = origin
    self.budget = budget
    self.index = index
  }

  func seek(to offset: Int) { self.offset = offset }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    if entry == nil || offset < position {
      entry = EntryStream(try origin.open(.archives, budget.renewed()), index: index)
      position = 0
    }
    guard let entry else { return 0 }
    while true {
      let length = try unsafe entry.read(
        to: start, count: offset > position ? min(count, offset - position) : count)
      position += length
      guard length > 0 else { return 0 }
      if position > offset {
        offset = position
        return length
      }
    }
  }
}
