import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DriveLibrary {
  /// The contents that need not be read, because an earlier import has brought all of them in, or what is left of them was
  /// removed.
  public func knownContents(_ policy: LibraryImportPolicy) throws(TrackError) -> Set<ContentIdentity> {
    // What is to be kept twice has to be read twice.
    guard !policy.isAgain, !policy.keepsDuplicates else { return [] }
    let statement = try database.prepare(
      """
      SELECT content_hash, size FROM sources AS source WHERE size IS NOT NULL AND (
        state = 'imported' AND drives <=
          (SELECT count(*) FROM drives WHERE source_fid = source.fid)
          + (SELECT count(*) FROM removed WHERE source_fid = source.fid)
        OR state = 'duplicate' AND (
          EXISTS (SELECT 1 FROM drives WHERE id = duplicate_of)
          OR EXISTS (SELECT 1 FROM removed WHERE id = duplicate_of)))
      """)
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

  private func add(
    _ input: LibraryInput, _ policy: LibraryImportPolicy, _ run: Int64,
    _ extent: inout GeoPackageGeometry.Envelope?
  ) throws(TrackError) -> LibraryResult {
    let known = try source(of: input)
    if let result = try settled(known, input, policy, run) { return result }
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
      // With other options there may be nothing in what was imported with these.
      if known?.state != .imported { try write(input, result, run, to: known?.fid) }
    case .failed(let reason):
      result.state = .failed
      result.reason = reason
      try write(input, result, run, to: known?.fid)
    case .drives(let drives, let failure):
      let source = try write(input, result, drives: drives.count, run, to: known?.fid)
      let kept = known == nil ? [] : try keptDrives(of: source, drives, policy)
      let replaced =
        policy.isAgain && known?.state != .imported && !drives.isEmpty
        ? try takeOver(input, run, to: source) : nil
      for (index, drive) in drives.enumerated() {
        switch try place(of: drive, input, kept: kept, taken: result.drives, policy) {
        case .kept(let id): result.drives.append(id)
        case .new(let id):
          try insert(
            id == drive.id ? drive : drive.identified(by: id), source: source, path: input.path,
            hash: input.identity?.hash.description ?? "")
          result.drives.append(id)
          result.added.insert(index)
          extent = GeoPackageGeometry.union(extent, drive.envelope)
        case .duplicate(let duplicate): result.duplicates.append((index, duplicate))
        case .removed: result.removed.insert(index)
        }
      }
      result.reason = failure
      if failure != nil {
        result.state = .failed
      } else if result.drives.isEmpty, let duplicate = result.duplicates.first?.of {
        result.state = .duplicate
        result.duplicateOf = duplicate
      } else if result.drives.isEmpty, !result.removed.isEmpty {
        result.state = .skipped
        result.reason = LibraryResult.removedReason
      }
      if result.state != .imported || result.drives.count < drives.count {
        try write(input, result, drives: result.drives.count, run, to: source)
      }
      if let replaced { try makeDuplicate(replaced, of: result.drives.first ?? result.duplicateOf?.id) }
    }
    return result
  }

  // MARK: Known inputs

  /// What is said of an input whose content the library knows; nil where it is to be looked at anew. It depends on what is in
  /// the library, not on which run has brought it in.
  private func settled(
    _ known: KnownSource?, _ input: LibraryInput, _ policy: LibraryImportPolicy, _ run: Int64
  ) throws(TrackError) -> LibraryResult? {
    guard input.identity != nil else { return nil }
    if let known, known.state == .imported, !policy.isAgain || known.run == run,
      let result = try state(of: known, input)
    {
      return result
    }
    guard !policy.isAgain, !policy.keepsDuplicates else { return nil }
    var result: LibraryResult?
    var format = input.format
    if let other = try otherSource(of: input, in: .imported, but: known?.fid) {
      format = other.format
      result = try state(of: other, input)
      if let first = result?.drives.first {
        result?.state = .duplicate
        result?.duplicateOf = LibraryDuplicate(id: first, source: other.path)
        result?.reason = nil
      }
      result?.drives = []
    } else {
      let other =
        known?.state == .duplicate ? known : try otherSource(of: input, in: .duplicate, but: known?.fid)
      format = other?.format ?? format
      result = try other.flatMap { other throws(TrackError) in try state(ofDuplicate: other, input) }
    }
    guard let result else { return nil }
    if known == nil || known?.state != result.state || known?.duplicateOf != result.duplicateOf?.id {
      var input = input
      input.format = format
      try write(input, result, run, to: known?.fid)
    }
    return result
  }

  /// What is there of an input that was imported: all, some, or nothing because it was removed; nil where it is not known
  /// why there is nothing.
  private func state(of source: KnownSource, _ input: LibraryInput) throws(TrackError) -> LibraryResult? {
    var result = LibraryResult(state: .alreadyThere)
    result.hasOtherOptions = source.options != input.options
    result.drives = try drives(source: source.fid)
    let removed =
      try statement("SELECT count(*) FROM removed WHERE source_fid = ?").rows([.integer(source.fid)]).first?[
        0
      ]
      .count ?? 0
    if result.drives.isEmpty, source.drives > 0 {
      guard removed >= source.drives else { return nil }
      result.state = .skipped
      result.reason = LibraryResult.removedReason
      result.hasOtherOptions = false
    } else if removed > 0 {
      result.reason = "some of its drives were removed from the library; --again brings them back"
    }
    if let name = input.name, let first = result.drives.first {
      let there = try statement("SELECT name FROM drives WHERE id = ?").rows([.text(first.uuidString)])
      // Of several drives each has a number behind the name.
      result.hasOtherName = there.first?[0].string.map { !$0.hasPrefix(name) } ?? false
    }
    return result
  }

  /// The same for one whose drives were left out as duplicates.
  private func state(
    ofDuplicate source: KnownSource, _ input: LibraryInput
  ) throws(TrackError) -> LibraryResult? {
    guard let id = source.duplicateOf else { return nil }
    var result = LibraryResult(state: .duplicate)
    if let file = try self.source(of: id) {
      result.duplicateOf = LibraryDuplicate(id: id, source: file)
      result.hasOtherOptions = source.options != input.options
    } else if try database.integer("SELECT 1 FROM removed WHERE id = ?", [.text(id.uuidString)]) != nil {
      result.state = .skipped
      result.reason = LibraryResult.removedReason
    } else {
      return nil
    }
    return result
  }

  private struct KnownSource {
    var fid: Int64
    var state: SourceOutcome.State
    var path: String
    var format: String?
    var options: String
    var duplicateOf: UUID?
    var drives: Int
    var run: Int64?

    static let columns = "fid, state, path, format, options, duplicate_of, drives, run_fid"

    init?(_ row: [SQLiteValue]) {
      guard row.count >= 8, case .integer(let fid) = row[0],
        let state = row[1].string.flatMap(SourceOutcome.State.init(rawValue:))
      else { return nil }
      self.fid = fid
      self.state = state
      path = row[2].string ?? ""
      format = row[3].string
      options = row[4].string ?? ""
      duplicateOf = row[5].string.flatMap(UUID.init(uuidString:))
      drives = row[6].count
      if case .integer(let number) = row[7] { run = number }
    }
  }

  /// What is known of this path with this content. Once it can be read, that it could not be counts no more.
  private func source(of input: LibraryInput) throws(TrackError) -> KnownSource? {
    func row(_ hash: String?) throws(TrackError) -> KnownSource? {
      try statement("SELECT \(KnownSource.columns) FROM sources WHERE path = ? AND content_hash IS ?")
        .rows([.text(input.path), .text(hash)]).first.flatMap(KnownSource.init)
    }
    let hash = input.identity?.hash.description
    if let known = try row(hash) { return known }
    if hash != nil, let unread = try row(nil) { return unread }
    return nil
  }

  /// The first input with the same content in a state.
  private func otherSource(
    of input: LibraryInput, in state: SourceOutcome.State, but known: Int64?
  ) throws(TrackError) -> KnownSource? {
    try statement(
      """
      SELECT \(KnownSource.columns) FROM sources
      WHERE content_hash = ? AND state = ? AND fid IS NOT ? ORDER BY fid LIMIT 1
      """
    ).rows([
      .text(input.identity?.hash.description), .text(state.rawValue),
      known.map { SQLiteValue.integer($0) } ?? .null,
    ]).first.flatMap(KnownSource.init)
  }

  private func drives(source: Int64) throws(TrackError) -> [UUID] {
    try statement("SELECT id FROM drives WHERE source_fid = ? ORDER BY fid").rows([.integer(source)])
      .compactMap { $0[0].string.flatMap(UUID.init(uuidString:)) }
  }

  /// The file that a drive came from; nil where there is no such drive.
  private func source(of id: UUID) throws(TrackError) -> String? {
    try statement("SELECT source FROM drives WHERE id = ?").rows([.text(id.uuidString)]).first.map {
      $0[0].string ?? ""
    }
  }

  // MARK: Replacing

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
        try replace(id)
      }
    }
    return kept
  }

  /// Takes a drive away whose place another one takes: it does not count as removed.
  private func replace(_ id: UUID) throws(TrackError) {
    try statement("DELETE FROM drives WHERE id = ?").run([.text(id.uuidString)])
    try statement("DELETE FROM removed WHERE id = ?").run([.text(id.uuidString)])
  }

  /// Takes away what the same content was imported as from another path in an earlier run.
  ///
  /// - Returns: the number of that input.
  private func takeOver(
    _ input: LibraryInput, _ run: Int64, to source: Int64
  ) throws(TrackError) -> Int64? {
    guard let other = try otherSource(of: input, in: .imported, but: source), other.run != run else {
      return nil
    }
    for id in try drives(source: other.fid) { try replace(id) }
    return other.fid
  }

  private func makeDuplicate(_ source: Int64, of id: UUID?) throws(TrackError) {
    try statement("UPDATE sources SET state = 'duplicate', drives = 0, duplicate_of = ? WHERE fid = ?")
      .run([.text(id?.uuidString), .integer(source)])
  }

  // MARK: Drives

  /// What becomes of a drive.
  private enum Place {
    /// It is there from an earlier attempt at the same input.
    case kept(UUID)
    case new(UUID)
    case duplicate(LibraryDuplicate)
    /// It was removed from the library.
    case removed
  }

  private func place(
    of drive: PreparedDrive, _ input: LibraryInput, kept: Set<UUID>, taken: [UUID],
    _ policy: LibraryImportPolicy
  ) throws(TrackError) -> Place {
    if kept.contains(drive.id), !taken.contains(drive.id) { return .kept(drive.id) }
    if let duplicate = try duplicate(of: drive, policy) {
      guard policy.keepsDuplicates else { return .duplicate(duplicate) }
      var number = 1
      while true {
        let id = DriveIdentifier.copy(of: drive.id, from: input.path, number: number)
        if kept.contains(id), !taken.contains(id) { return .kept(id) }
        if try source(of: id) == nil { return .new(id) }
        number += 1
      }
    }
    if !policy.isAgain, try isRemoved(drive, policy) { return .removed }
    return .new(drive.id)
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
    _ input: LibraryInput, _ result: LibraryResult, drives: Int = 0, _ run: Int64, to known: Int64?
  ) throws(TrackError) -> Int64 {
    let outcome = SourceOutcome(
      path: input.path, contentHash: input.identity?.hash.description, size: input.identity?.size,
      format: input.format, state: result.state, reason: result.reason, duplicateOf: result.duplicateOf?.id)
    return try write(outcome, options: input.options, drives: drives, run: run, to: known)
  }
}
