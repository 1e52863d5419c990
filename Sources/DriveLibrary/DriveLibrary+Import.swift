import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DriveLibrary {
  /// The contents that need not be read, because an earlier import has brought all of them in.
  public func knownContents(_ policy: LibraryImportPolicy) throws(TrackError) -> Set<ContentIdentity> {
    guard !policy.isAgain else { return [] }
    let states: [SourceOutcome.State] = policy.keepsDuplicates ? [.imported] : [.imported, .duplicate]
    let statement = try database.prepare(
      "SELECT content_hash, size FROM sources WHERE size IS NOT NULL AND state IN (\(Self.list(states)))")
    var known: Set<ContentIdentity> = []
    while try statement.step() {
      let row = statement.row
      guard let hash = row[0].string.flatMap({ ContentHash($0) }), case .integer(let size) = row[1] else {
        continue
      }
      known.insert(ContentIdentity(hash: hash, size: Int(size)))
    }
    return known
  }

  private static func list(_ states: [SourceOutcome.State]) -> String {
    states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }

  /// Takes inputs in, in their order: all of them or, where that fails, none.
  ///
  /// What comes of an input depends on what is in the library and on the inputs before it, and on nothing else: an
  /// import that goes on after a crash does what it would have done without.
  ///
  /// - Parameter run: the number of the run.
  /// - Returns: what became of each.
  public func add(
    _ inputs: [LibraryInput], _ policy: LibraryImportPolicy, run: Int64
  ) throws(TrackError) -> [LibraryResult] {
    guard !inputs.isEmpty else { return [] }
    defer { log?.beginSynchronizing() }
    return try database.transaction { () throws(TrackError) in
      var results: [LibraryResult] = []
      var extent: GeoPackageGeometry.Envelope?
      for input in inputs { results.append(try add(input, policy, run, &extent)) }
      if let extent { try widenContents(extent) }
      return results
    }
  }

  private struct KnownSource {
    var fid: Int64
    var state: SourceOutcome.State
    var path: String
    var reason: String?
    var options: String
    var duplicateOf: UUID?
    var drives: Int
    var run: Int64?
  }

  private func known(_ hash: String) throws(TrackError) -> KnownSource? {
    let rows = try statement(
      """
      SELECT fid, state, path, reason, options, duplicate_of, drives, run_fid FROM sources WHERE content_hash = ?
      """
    ).rows([.text(hash)])
    guard let row = rows.first, case .integer(let fid) = row[0],
      let state = row[1].string.flatMap(SourceOutcome.State.init(rawValue:))
    else { return nil }
    var run: Int64?
    if case .integer(let number) = row[7] { run = number }
    return KnownSource(
      fid: fid, state: state, path: row[2].string ?? "", reason: row[3].string, options: row[4].string ?? "",
      duplicateOf: row[5].string.flatMap(UUID.init(uuidString:)), drives: row[6].count, run: run)
  }

  private func add(
    _ input: LibraryInput, _ policy: LibraryImportPolicy, _ run: Int64,
    _ extent: inout GeoPackageGeometry.Envelope?
  ) throws(TrackError) -> LibraryResult {
    let hash = input.identity.hash.description
    let known = try known(hash)
    if let known, let result = try settled(known, input, policy, run) { return result }
    var result = LibraryResult(state: .imported)
    switch input.content {
    case .unread:
      // Another program has changed the library in the meantime.
      result.state = .failed
      result.reason = "was taken out of the library while it was read"
      return result
    case .skipped(let reason):
      result.state = .skipped
      result.reason = reason
      try write(input, hash, result, drives: 0, run, to: known?.fid)
    case .drives(let drives, let failure):
      let source = try write(input, hash, result, drives: drives.count, run, to: known?.fid)
      let kept = known == nil ? [] : try keptDrives(of: source, drives, policy)
      for (index, drive) in drives.enumerated() {
        if kept.contains(drive.id), !result.drives.contains(drive.id) {
          result.drives.append(drive.id)
        } else if let duplicate = try duplicate(of: drive, policy) {
          result.duplicates.append((index, duplicate))
        } else {
          try insert(drive, source: source, path: input.path, hash: hash)
          result.drives.append(drive.id)
          extent = GeoPackageGeometry.union(extent, drive.envelope)
        }
      }
      result.reason = failure
      if failure != nil {
        result.state = .failed
      } else if result.drives.isEmpty, let duplicate = result.duplicates.first?.of {
        result.state = .duplicate
        result.duplicateOf = duplicate
      }
      if result.state != .imported || result.drives.count < drives.count {
        try write(input, hash, result, drives: result.drives.count, run, to: source)
      }
    }
    return result
  }

  /// What is said of an input that the library knows; nil where it is to be looked at anew.
  private func settled(
    _ known: KnownSource, _ input: LibraryInput, _ policy: LibraryImportPolicy, _ run: Int64
  ) throws(TrackError) -> LibraryResult? {
    let isCopy = known.run == run
    guard !policy.isAgain || isCopy else { return nil }
    var result = LibraryResult(state: .alreadyThere)
    result.hasOtherOptions = known.options != input.options
    switch known.state {
    case .imported:
      result.drives = try drives(source: known.fid)
      if isCopy, let first = result.drives.first {
        // Two files with one content.
        result.state = .duplicate
        result.duplicateOf = LibraryDuplicate(id: first, source: known.path)
        result.drives = []
      } else if result.drives.isEmpty, known.drives > 0 {
        result.reason = "its drives were removed from the library"
      } else if result.drives.count < known.drives {
        result.reason = "some of its drives were removed from the library"
      }
    case .duplicate where !policy.keepsDuplicates:
      guard let id = known.duplicateOf else { return nil }
      result.state = .duplicate
      result.duplicateOf = LibraryDuplicate(id: id, source: try source(of: id) ?? "")
    case .duplicate, .alreadyThere, .skipped, .failed: return nil
    }
    return result
  }

  private func drives(source: Int64) throws(TrackError) -> [UUID] {
    try statement("SELECT id FROM drives WHERE source_fid = ? ORDER BY fid").rows([.integer(source)])
      .compactMap { $0[0].string.flatMap(UUID.init(uuidString:)) }
  }

  private func source(of id: UUID) throws(TrackError) -> String? {
    try statement("SELECT source FROM drives WHERE id = ?").rows([.text(id.uuidString)]).first?[0].string
  }

  /// Takes away what an earlier attempt has left of an input, but for drives that this one brings too.
  ///
  /// - Returns: those that stay.
  private func keptDrives(
    of source: Int64, _ new: [PreparedDrive], _ policy: LibraryImportPolicy
  ) throws(TrackError) -> Set<UUID> {
    var kept: Set<UUID> = []
    for id in try drives(source: source) {
      // Once more also means with the names that its export gives it now.
      if !policy.isAgain, new.contains(where: { $0.id == id }) {
        kept.insert(id)
      } else {
        try statement("DELETE FROM recordings WHERE drive_id = ?").run([.text(id.uuidString)])
        try statement("DELETE FROM drives WHERE id = ?").run([.text(id.uuidString)])
      }
    }
    return kept
  }

  /// The drive that another is a duplicate of: the one with its content, else the first that went the same road at the
  /// same time (``DriveDuplicates``).
  private func duplicate(
    of drive: PreparedDrive, _ policy: LibraryImportPolicy
  ) throws(TrackError) -> LibraryDuplicate? {
    if let source = try statement("SELECT source FROM drives WHERE id = ?").rows([
      .text(drive.id.uuidString)
    ]).first {
      return LibraryDuplicate(id: drive.id, source: source[0].string ?? "")
    }
    guard !policy.keepsDuplicates, let start = drive.startTime, let sketch = drive.sketch else { return nil }
    let tolerance = Int64(DriveDuplicates.startTolerance * 1e6)
    let near = try statement(
      """
      SELECT id, start_time, duration_s, source FROM drives
      WHERE start_time BETWEEN ? AND ? ORDER BY fid
      """
    ).rows([
      .text(ISO8601.text(Instant(microseconds: start.microseconds &- tolerance), decimals: 3)),
      .text(ISO8601.text(Instant(microseconds: start.microseconds &+ tolerance), decimals: 3)),
    ])
    // As the library keeps it, so that it does not matter which of two drives came first.
    let kept = ISO8601.read(Array(ISO8601.text(start, decimals: 3).utf8).span)?.instant ?? start
    for row in near {
      guard let id = row[0].string.flatMap(UUID.init(uuidString:)), let otherStart = row[1].instant,
        let duration = row[2].number,
        DriveDuplicates.mayBeSame((otherStart, duration), (kept, drive.duration)),
        let coordinates = try? self.drive(id)?.coordinates,
        RoadSketch(coordinates).isSameRoad(as: sketch)
      else { continue }
      return LibraryDuplicate(id: id, source: row[3].string ?? "")
    }
    return nil
  }

  /// Writes down what became of an input.
  ///
  /// - Returns: its number.
  @discardableResult
  private func write(
    _ input: LibraryInput, _ hash: String, _ result: LibraryResult, drives: Int, _ run: Int64,
    to known: Int64?
  ) throws(TrackError) -> Int64 {
    let outcome = SourceOutcome(
      path: input.path, contentHash: hash, size: input.identity.size, format: input.format,
      state: result.state, reason: result.reason, duplicateOf: result.duplicateOf?.id)
    return try write(outcome, options: input.options, drives: drives, run: run, to: known)
  }
}
