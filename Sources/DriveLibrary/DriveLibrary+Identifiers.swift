public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DriveLibrary {
  /// Returns the drives whose ids begin with the given texts, in the given order and without duplicates.
  ///
  /// - Parameters:
  ///   - prefixes: the beginnings of the ids.
  ///   - problem: receives an error for each text that matches no drive or several drives.
  public func drives(
    withPrefixes prefixes: [String], problem: (TrackError) -> Void
  ) throws(TrackError) -> [LibraryDrive] {
    var drives: [LibraryDrive] = []
    var known: Set<UUID> = []
    for text in prefixes {
      let ids = text.isEmpty ? [] : try ids(beginningWith: text)
      if ids.count == 1, let drive = try summary(ids[0]) {
        if known.insert(drive.id).inserted { drives.append(drive) }
      } else if ids.isEmpty {
        problem(
          TrackError(
            .notFound, "no drive has an id that begins with '\(TrackError.printable(text))'",
            suggestion: .listIdentifiers))
      } else {
        problem(try ambiguous(text, ids))
      }
    }
    return drives
  }

  /// Returns the drive whose id begins with a text.
  ///
  /// - Throws: `notFound` if no drive has the id, `usage` if several have it.
  public func drive(withPrefix prefix: String) throws(TrackError) -> LibraryDrive {
    var fault = TrackError(.notFound, "no drive \(prefix)")
    guard let drive = try drives(withPrefixes: [prefix], problem: { fault = $0 }).first else { throw fault }
    return drive
  }

  /// The number of drives that an error names.
  private static let shownDrives = 4

  private func ambiguous(_ text: String, _ ids: [UUID]) throws(TrackError) -> TrackError {
    let length = try distinctIdentifierLength()
    var names: [String] = []
    for id in ids.prefix(Self.shownDrives) {
      let name = try summary(id).map(\.name) ?? ""
      names.append("\(id.uuidString.prefix(length)) (\(TrackError.printable(name)))")
    }
    if ids.count > Self.shownDrives { names.append("and \(ids.count - Self.shownDrives) more") }
    return TrackError(
      .usage, "\(ids.count) drives have ids that begin with '\(text)': " + names.joined(separator: ", "),
      suggestion: .text("use a longer prefix"))
  }
}
