import DriveLibrary
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Resolves prefixes of drive ids.
enum DriveIdentifiers {
  /// Returns the drives with these id prefixes, in the given order and without duplicates.
  ///
  /// - Parameter problem: receives an error for each text that matches no drive or several drives.
  static func drives(
    _ texts: [String], in library: DriveLibrary, _ problem: (TrackError) -> Void
  ) throws(TrackError) -> [LibraryDrive] {
    var drives: [LibraryDrive] = []
    var known: Set<UUID> = []
    for text in texts {
      let ids = text.isEmpty ? [] : try library.ids(beginningWith: text)
      if ids.count == 1, let drive = try library.summary(ids[0]) {
        if known.insert(drive.id).inserted { drives.append(drive) }
      } else if ids.isEmpty {
        problem(
          TrackError(
            .notFound, "no drive has an id that begins with '\(TrackError.printable(text))'",
            suggestion: .text("list the ids with ghost-convert library list")))
      } else {
        problem(try ambiguous(text, ids, library))
      }
    }
    return drives
  }

  /// Returns the drives with these id prefixes.
  ///
  /// - Throws: the last error. The others have been reported.
  static func drives(_ texts: [String], in library: DriveLibrary) throws(TrackError) -> [LibraryDrive] {
    var problems: [TrackError] = []
    let drives = try drives(texts, in: library) { problems.append($0) }
    if let last = problems.popLast() {
      for problem in problems { Console.report(problem) }
      throw last
    }
    return drives
  }

  private static let shown = 4

  private static func ambiguous(
    _ text: String, _ ids: [UUID], _ library: DriveLibrary
  ) throws(TrackError) -> TrackError {
    let length = try library.distinctIdentifierLength()
    var names: [String] = []
    for id in ids.prefix(shown) {
      let name = try library.summary(id).map(\.name) ?? ""
      names.append("\(id.uuidString.prefix(length)) (\(TrackError.printable(name)))")
    }
    if ids.count > shown { names.append("and \(ids.count - shown) more") }
    return TrackError(
      .usage, "\(ids.count) drives have ids that begin with '\(text)': " + names.joined(separator: ", "),
      suggestion: .text("use a longer prefix"))
  }
}
