import DriveLibrary
import TrackArchives
import TrackFormats
package import TrackModel
import TrackTransforms

/// A reference to a drive of a library as an input: `drives.gpkg#5C2A3E`.
package struct LibraryReference: Sendable {
  /// The path of the library.
  package let library: String
  /// The prefix of the id.
  package let identifier: String

  /// Creates a reference, or nil if the input is the name of a file or does not name a library.
  package init?(_ input: String) {
    guard let mark = input.lastIndex(of: "#"), !InputEnumerator.exists(input) else { return nil }
    let library = String(input[..<mark])
    guard LibraryFileKind.isLibrary(library) else { return nil }
    self.library = library
    identifier = String(input[input.index(after: mark)...])
  }

  /// Opens the drive: with its recorded points if the library contains them, otherwise as stored by the app.
  ///
  /// - Throws: errors of opening the library, `notFound` if no drive has the id, or `usage` if several have
  ///   it.
  package func open(_ opening: TrackOpening) throws(TrackError) -> OpenTracks {
    let library = try DriveLibrary(path: library, mode: .reading)
    guard let track = try LibraryTrack(try library.drive(withPrefix: identifier), in: library) else {
      throw TrackError(.notFound, "was removed from the library", file: self.library)
    }
    return OpenTracks(
      reader: track.reader(opening.stages()), format: track.document == nil ? .drive : .gpx)
  }

  /// Returns the name and the date of the drive, or nil if it cannot be read.
  ///
  /// - Parameter day: formats the date of a time.
  package func title(day: (Instant) -> String) -> String? {
    guard let drive = try? DriveLibrary(path: library, mode: .reading).drive(withPrefix: identifier) else {
      return nil
    }
    return [drive.name, drive.startTime.map(day) ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

extension InputPart {
  /// Returns inputs in order, with consecutive files grouped.
  package static func parts(_ inputs: [String]) -> [InputPart] {
    var parts: [InputPart] = []
    for input in inputs {
      if let reference = LibraryReference(input) {
        parts.append(
          .tracks(path: input, open: { opening throws(TrackError) in try reference.open(opening) }))
      } else if case .files(let paths)? = parts.last {
        parts[parts.count - 1] = .files(paths + [input])
      } else {
        parts.append(.files([input]))
      }
    }
    return parts
  }
}

extension InputPath {
  /// Returns the stem of outputs that are named after an input.
  package static func baseName(_ path: String) -> String {
    LibraryReference(path)?.identifier ?? stem(path)
  }
}
