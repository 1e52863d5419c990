public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DriveLibrary {
  /// Stores the outcomes of inputs with their drives, all or none.
  ///
  /// - Returns: the number of new drives per input.
  @discardableResult
  public func record(
    _ results: [(outcome: SourceOutcome, drives: [NewLibraryDrive])], run: Int64?
  ) throws(TrackError) -> [Int] {
    try change { () throws(TrackError) in
      var added: [Int] = []
      for (outcome, drives) in results {
        // An input seen again keeps its earlier outcome.
        if outcome.state == .alreadyThere {
          added.append(0)
          continue
        }
        let known = try database.integer(
          "SELECT fid FROM sources WHERE path = ? AND content_hash IS ?",
          [.text(outcome.path), .text(outcome.contentHash)])
        let source = try write(outcome, options: "", drives: drives.count, run: run, to: known)
        let new = try insert(drives, source: source, path: outcome.path, hash: outcome.contentHash ?? "")
        if new < drives.count { try write(outcome, options: "", drives: new, run: run, to: source) }
        added.append(new)
      }
      return added
    }
  }

  /// Stores the outcome of an input.
  ///
  /// - Parameter known: the number of the row to replace if the content is known.
  /// - Returns: the number of the input.
  @discardableResult
  func write(
    _ outcome: SourceOutcome, options: String, drives: Int, run: Int64?, to known: Int64?
  ) throws(TrackError) -> Int64 {
    let values: [SQLiteValue] = [
      .text(outcome.path), .text(outcome.contentHash),
      outcome.size.map { SQLiteValue.integer($0) } ?? .null,
      .text(outcome.format), .text(outcome.state.rawValue), .text(outcome.reason),
      .text(outcome.duplicateOf?.uuidString), .integer(drives), .text(options),
      run.map { SQLiteValue.integer($0) } ?? .null,
    ]
    guard let known else {
      try statement(
        """
        INSERT INTO sources (path, content_hash, size, format, state, reason, duplicate_of, drives, options, run_fid,
          finished)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        """
      ).run(values)
      return database.lastRow
    }
    // An upsert would consume a row number each time, so that rows differ from those of an uninterrupted
    // import.
    try statement(
      """
      UPDATE sources SET (path, content_hash, size, format, state, reason, duplicate_of, drives, options, run_fid,
        finished) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
      WHERE fid = ?
      """
    ).run(values + [.integer(known)])
    return known
  }

  /// Returns all inputs of the library, ordered by path.
  public func sources() throws(TrackError) -> [SourceOutcome] {
    try database.rows(
      "SELECT path, content_hash, size, format, state, reason, duplicate_of FROM sources ORDER BY path"
    ).compactMap(Self.outcome)
  }

  /// Calls `body` with each input whose drives are in the library, in import order, so that another library
  /// can import the drives as they are stored.
  ///
  /// - Parameter body: receives an input with its drives and the errors of damaged drives. Returns whether to
  ///   continue.
  package func forEachInput(
    _ body: (LibraryInput, [TrackError]) throws(TrackError) -> Bool
  ) throws(TrackError) {
    let rows = try database.prepare(
      """
      SELECT drives.id, source_fid, source, drives.content_hash, size, format, options
      FROM drives LEFT JOIN sources ON sources.fid = source_fid ORDER BY source_fid, drives.fid
      """)
    var origin: [SQLiteValue] = []
    var ids: [UUID] = []
    func end() throws(TrackError) -> Bool {
      guard !ids.isEmpty else { return true }
      let (input, faults) = try input(ids, origin)
      ids = []
      return try body(input, faults)
    }
    while try rows.step() {
      let row = rows.row
      guard let id = row[0].string.flatMap(UUID.init(uuidString:)) else { continue }
      if Array(row[1...]) != origin {
        guard try end() else { return }
        origin = Array(row[1...])
      }
      ids.append(id)
    }
    _ = try end()
  }

  /// Returns an input with drives.
  ///
  /// - Parameter origin: the number, path, hash, size, format and options of the input.
  private func input(
    _ ids: [UUID], _ origin: [SQLiteValue]
  ) throws(TrackError) -> (LibraryInput, [TrackError]) {
    var drives: [PreparedDrive] = []
    var faults: [TrackError] = []
    for id in ids {
      do throws(TrackError) {
        guard let drive = try drive(id) else { continue }
        drives.append(PreparedDrive(NewLibraryDrive(drive, recording: try recording(id))))
      } catch {
        guard error.code == .invalidValue else { throw error }
        faults.append(error)
      }
    }
    // An input without an identity would replace another one with its path.
    let names = Array(ids.map(\.uuidString).joined().utf8)
    let identity = ContentIdentity(
      hash: origin[2].string.flatMap { ContentHash($0) } ?? ContentHash(names.span), size: origin[3].count)
    let input = LibraryInput(
      path: origin[1].string ?? database.path, identity: identity, format: origin[4].string,
      options: origin[5].string ?? "", content: .drives(drives, failure: faults.last?.message))
    return (input, faults)
  }

  private static func outcome(_ row: [SQLiteValue]) -> SourceOutcome? {
    guard let path = row[0].string,
      let state = row[4].string.flatMap(SourceOutcome.State.init(rawValue:))
    else { return nil }
    return SourceOutcome(
      path: path, contentHash: row[1].string, size: row[2].number.flatMap { Int(exactly: $0) },
      format: row[3].string,
      state: state,
      reason: row[5].string, duplicateOf: row[6].string.flatMap(UUID.init(uuidString:)))
  }

  /// Starts a run and returns its number.
  ///
  /// - Parameters:
  ///   - version: the version of the program.
  ///   - command: the command line.
  ///   - folder: the working directory of its relative paths.
  public func beginRun(
    version: String, command: String, folder: String? = nil
  ) throws(TrackError) -> Int64 {
    _ = try database.rows(
      """
      INSERT INTO runs (started, version, folder, command)
      VALUES (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?, ?, ?)
      """, [.text(version), .text(folder), .text(command)])
    return database.lastRow
  }

  /// Records the end of a run.
  ///
  /// - Parameters:
  ///   - run: the number that ``beginRun(version:command:folder:)`` returned.
  ///   - outcome: a summary for people, such as the numbers of imported and failed inputs.
  /// - Throws: `TrackError` if the library cannot be written.
  public func endRun(_ run: Int64, outcome: String) throws(TrackError) {
    _ = try database.rows(
      "UPDATE runs SET ended = strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), outcome = ? WHERE fid = ?",
      [.text(outcome), .integer(run)])
  }
}
