import DriveMatching
public import GhostModel
public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DriveLibrary {
  /// Imports inputs in order, either all or none.
  ///
  /// The outcome of an input depends only on the library and the preceding inputs, so that an import resumed
  /// after a crash has the same result as an uninterrupted one.
  ///
  /// - Parameters:
  ///   - inputs: the inputs with their prepared drives.
  ///   - policy: the handling of existing drives.
  ///   - run: the number of the run.
  /// - Returns: the outcome of each input.
  /// - Throws: `invalidValue` for a drive with an invalid duration, distance or coordinate; errors of the
  ///   database.
  public func add(
    _ inputs: [LibraryInput], _ policy: LibraryImportPolicy, run: Int64
  ) throws(TrackError) -> [LibraryResult] {
    guard !inputs.isEmpty else { return [] }
    return try change { () throws(TrackError) in
      var results: [LibraryResult] = []
      var extent: GeoPackageGeometry.Envelope?
      let segments = try numberedSegments()
      for input in inputs { results.append(try add(input, policy, run, segments, &extent)) }
      if let extent { try widenContents(extent) }
      return results
    }
  }

  private func add(
    _ input: LibraryInput, _ policy: LibraryImportPolicy, _ run: Int64, _ segments: [NumberedSegment],
    _ extent: inout GeoPackageGeometry.Envelope?
  ) throws(TrackError) -> LibraryResult {
    let known = try source(of: input)
    if let result = try settled(known, input, policy, run) { return result }
    var result = LibraryResult(state: .imported)
    switch input.content {
    case .known:
      // Another program has changed the library in the meantime.
      result.state = .failed
      result.reason = "was removed from the library during the import"
      return result
    case .skipped(let reason):
      result.state = .skipped
      result.reason = reason
      // With other options there may be nothing to import.
      if known?.state != .imported { try write(input, result, run, to: known?.fid) }
    case .failed(let reason):
      result.state = .failed
      result.reason = reason
      try write(input, result, run, to: known?.fid)
    case .drives(let drives, let failure):
      for drive in drives { if let fault = drive.fault { throw fault.inFile(input.path) } }
      let source = try write(input, result, drives: drives.count, run, to: known?.fid)
      let kept = known == nil ? [] : try keptDrives(of: source, drives, policy)
      let replaced =
        policy.isAgain && known?.state != .imported && !drives.isEmpty
        ? try adopt(input, run, to: source) : nil
      // The number of the last copy of each drive.
      var copies: [UUID: Int] = [:]
      for (index, drive) in drives.enumerated() {
        let relatives = try relatives(of: drive, policy)
        switch try place(of: drive, relatives, input, kept: kept, taken: result.drives, &copies, policy) {
        case .kept(let id): result.drives.append(id)
        case .new(let id):
          try insert(
            id == drive.id ? drive : drive.identified(by: id), source: source, path: input.path,
            hash: input.identity?.hash.description ?? "")
          try addPassages(of: segments, in: id, envelope: drive.envelope)
          result.drives.append(id)
          result.added.insert(index)
          if let relative = relatives.first {
            result.related.append((index, relative.relation, relative.drive))
          }
          extent = GeoPackageGeometry.union(extent, drive.envelope)
        case .duplicate(let duplicate): result.duplicates.append((index, duplicate))
        case .removed: result.removed.insert(index)
        }
      }
      result.setState(failure: failure)
      if result.state != .imported || result.drives.count < drives.count {
        try write(input, result, drives: result.drives.count, run, to: source)
      }
      if let replaced { try makeDuplicate(replaced, of: result.drives.first ?? result.duplicateOf?.id) }
    }
    return result
  }

  // MARK: Replacing

  /// Removes the drives of an earlier import of an input, except those that the new import also contains.
  ///
  /// - Returns: the drives that are kept.
  private func keptDrives(
    of source: Int64, _ new: [PreparedDrive], _ policy: LibraryImportPolicy
  ) throws(TrackError) -> Set<UUID> {
    var kept: Set<UUID> = []
    for id in try drives(source: source) {
      // A repeated import also updates the names from the export.
      if !policy.isAgain, new.contains(where: { $0.id == id }) {
        kept.insert(id)
      } else {
        try replace(id)
      }
    }
    return kept
  }

  /// Deletes a replaced drive without recording it as removed.
  private func replace(_ id: UUID) throws(TrackError) {
    fingerprints.remove(id)
    times.remove(id)
    try statement("DELETE FROM drives WHERE id = ?").run([.text(id.uuidString)])
    try statement("DELETE FROM removed WHERE id = ?").run([.text(id.uuidString)])
  }

  /// Removes the drives that an earlier run imported from the same content at another path.
  ///
  /// - Returns: the number of that input.
  private func adopt(
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

  /// The outcome of a drive.
  private enum Place {
    /// The drive exists from an earlier import of the same input.
    case kept(UUID)
    case new(UUID)
    case duplicate(LibraryDuplicate)
    /// The drive was removed from the library.
    case removed
  }

  private func place(
    of drive: PreparedDrive, _ relatives: [Relative], _ input: LibraryInput, kept: Set<UUID>, taken: [UUID],
    _ copies: inout [UUID: Int], _ policy: LibraryImportPolicy
  ) throws(TrackError) -> Place {
    if kept.contains(drive.id), !taken.contains(drive.id) { return .kept(drive.id) }
    if let duplicate = try duplicate(of: drive, relatives) {
      guard policy.keepsDuplicates else { return .duplicate(duplicate) }
      var number = (copies[drive.id] ?? 0) + 1
      defer { copies[drive.id] = number }
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

  /// Returns the original of a duplicate: the drive with the same content, or else the first copy of its
  /// recording.
  private func duplicate(
    of drive: PreparedDrive, _ relatives: [Relative]
  ) throws(TrackError) -> LibraryDuplicate? {
    if let source = try source(of: drive.id) { return LibraryDuplicate(id: drive.id, source: source) }
    return relatives.first { $0.hasAll }?.drive
  }

  // MARK: Relatives

  /// A drive recorded on the same ride, by another device or a companion.
  private struct Relative {
    var drive: LibraryDuplicate
    var relation: RideRelation
    /// Whether the drive is a copy of the whole ride.
    var hasAll = false
  }

  /// Returns the matches of a drive to be imported: the first copy that contains the whole drive, or else one
  /// match of each kind. Copies are not searched for if duplicates are kept.
  private func relatives(
    of drive: PreparedDrive, _ policy: LibraryImportPolicy
  ) throws(TrackError) -> [Relative] {
    guard !policy.keepsDuplicates, let fingerprint = drive.fingerprint else { return [] }
    var relatives: [Relative] = []
    for (other, known) in try drivesUnderWay(with: fingerprint) where other != drive.id {
      // Another program may have deleted the drive.
      guard let match = RideMatch(known, fingerprint), let source = try source(of: other) else { continue }
      let duplicate = LibraryDuplicate(id: other, source: source)
      if match.relation == .duplicate, fingerprint.isCovered(by: known, lag: match.lag) {
        return [Relative(drive: duplicate, relation: .duplicate, hasAll: true)]
      }
      relatives.append(Relative(drive: duplicate, relation: match.relation))
    }
    return RideRelation.allCases.flatMap { relation in relatives.filter { $0.relation == relation } }
  }

  /// Returns the drives that other devices or companions recorded at the time of a drive, ordered by start.
  public func relatives(of id: UUID) throws(TrackError) -> [(drive: LibraryDrive, relation: RideRelation)] {
    guard let fingerprint = try self.fingerprint(of: id) else { return [] }
    var relatives: [(drive: LibraryDrive, relation: RideRelation)] = []
    for (other, known) in try drivesUnderWay(with: fingerprint) where other != id {
      guard let match = RideMatch(fingerprint, known), let summary = try summary(other) else { continue }
      relatives.append((summary, match.relation))
    }
    return relatives
  }

  /// Returns the drives that overlap another drive in time, in import order.
  private func drivesUnderWay(
    with fingerprint: RideFingerprint
  ) throws(TrackError) -> [(drive: UUID, fingerprint: RideFingerprint)] {
    var drives: [(drive: UUID, fingerprint: RideFingerprint)] = []
    for id in try self.drives(near: fingerprint).map(\.id) {
      if let other = try self.fingerprint(of: id) { drives.append((id, other)) }
    }
    return drives
  }

  /// Returns the fingerprint of a drive, or `nil` if the drive has none, does not exist or is damaged.
  ///
  /// Nothing can be compared with a damaged drive, and a check of the library reports it.
  func fingerprint(of id: UUID) throws(TrackError) -> RideFingerprint? {
    do throws(TrackError) {
      return try fingerprints.fingerprint(of: id) { () throws(TrackError) in
        try drive(id).flatMap { drive throws(TrackError) in RideFingerprint(drive, try recording(id)) }
      }
    } catch {
      if error.code == .invalidValue { return nil }
      throw error
    }
  }

  /// Stores the outcome of an input.
  ///
  /// - Returns: the number of the input.
  @discardableResult
  func write(
    _ input: LibraryInput, _ result: LibraryResult, drives: Int = 0, _ run: Int64, to known: Int64?
  ) throws(TrackError) -> Int64 {
    let outcome = SourceOutcome(
      path: input.path, contentHash: input.identity?.hash.description, size: input.identity?.size,
      format: input.format, state: result.state, reason: result.reason, duplicateOf: result.duplicateOf?.id)
    return try write(outcome, options: input.options, drives: drives, run: run, to: known)
  }
}

extension LibraryResult {
  /// Sets the state of an input according to the outcomes of its drives.
  fileprivate mutating func setState(failure: String?) {
    reason = failure
    if failure != nil {
      state = .failed
    } else if drives.isEmpty, let duplicate = duplicates.first?.of {
      state = .duplicate
      duplicateOf = duplicate
    } else if drives.isEmpty, !removed.isEmpty {
      state = .skipped
      reason = LibraryResult.removedReason
    }
  }
}
