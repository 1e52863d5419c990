public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Queries about inputs of earlier imports.
extension DriveLibrary {
  /// Returns the contents that do not have to be read, because an earlier import contains them completely or
  /// their missing drives were removed.
  public func knownContents(_ policy: LibraryImportPolicy) throws(TrackError) -> Set<ContentIdentity> {
    // Duplicates that are kept must be read again.
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

  /// Returns the outcome for an input with a known content, or `nil` if it must be read. What is stored
  /// depends on the library only, not on the run that imported the content. A copy of an input of an earlier
  /// run, such as those in a renamed archive, is stored as a duplicate, and reported as imported before.
  func settled(
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
    /// The outcome of an earlier run, if it imported the content at another path.
    var earlier: LibraryResult?
    if let other = try otherSource(of: input, in: .imported, but: known?.fid) {
      format = other.format
      result = try state(of: other, input)
      if other.run != run { earlier = result }
      if let first = result?.drives.first {
        result?.state = .duplicate
        result?.duplicateOf = LibraryDuplicate(id: first, source: other.path)
        result?.reason = nil
        result?.suggestion = nil
        result?.hasOtherName = false
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
    return earlier ?? result
  }

  /// Returns which drives of an imported input exist: all, some, or none because they were removed. Returns
  /// `nil` if the reason for missing drives is unknown.
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
      result.reason = "some of its drives were removed from the library"
      result.suggestion = .reimportRemovedDrives
    }
    if let name = input.name, let first = result.drives.first {
      let there = try statement(
        """
        SELECT name FROM drives WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM library WHERE key = 'name ' || ?1)
        """
      ).rows([.text(first.uuidString)])
      // Several drives of a file have a number after the name.
      result.hasOtherName = there.first?[0].string.map { !$0.hasPrefix(name) } ?? false
    }
    return result
  }

  /// Returns the outcome for an input whose drives were skipped as duplicates.
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

  // MARK: Looking up

  /// Returns the stored row for a path and content. An earlier failure is ignored if the input can be read
  /// now.
  func source(of input: LibraryInput) throws(TrackError) -> KnownSource? {
    func row(_ hash: String?) throws(TrackError) -> KnownSource? {
      try statement("SELECT \(KnownSource.columns) FROM sources WHERE path = ? AND content_hash IS ?")
        .rows([.text(input.path), .text(hash)]).first.flatMap(KnownSource.init)
    }
    let hash = input.identity?.hash.description
    if let known = try row(hash) { return known }
    if hash != nil, let unread = try row(nil) { return unread }
    return nil
  }

  /// Returns the first input with the same content and a given state.
  func otherSource(
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

  func drives(source: Int64) throws(TrackError) -> [UUID] {
    try statement("SELECT id FROM drives WHERE source_fid = ? ORDER BY fid").rows([.integer(source)])
      .compactMap { $0[0].string.flatMap(UUID.init(uuidString:)) }
  }

  /// Returns the source file of a drive, or `nil` if the drive does not exist.
  func source(of id: UUID) throws(TrackError) -> String? {
    try statement("SELECT source FROM drives WHERE id = ?").rows([.text(id.uuidString)]).first.map {
      $0[0].string ?? ""
    }
  }
}

/// A row of the table of sources.
struct KnownSource {
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
