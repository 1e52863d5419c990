import TrackFormats
import TrackModel

/// The files in a folder and in those inside it.
struct FolderListing {
  /// Relative to the folder, ordered by their bytes, level by level.
  private(set) var files: [String] = []
  /// What could not be looked into, with the reason.
  private(set) var faults: [(name: String, error: TrackError)] = []
  /// Links to folders, which are not followed: they may lead round in circles.
  private(set) var links: [String] = []
  /// Pipes, sockets and devices: to read one may take for ever.
  private(set) var others: [String] = []

  private let excludedFiles: [String]
  /// The same without their folders, to ask the system about few files only.
  private let excludedNames: Set<String>

  /// How deep folders may lie in each other.
  private static let maximumDepth = 100

  /// - Parameters:
  ///   - path: of the folder.
  ///   - excluded: a folder to leave out, such as the one that is written to.
  ///   - excludedFiles: the same for files.
  /// - Throws: where the folder itself cannot be read.
  init(_ path: String, excluding excluded: String?, _ excludedFiles: [String] = []) throws(TrackError) {
    self.excludedFiles = excludedFiles
    excludedNames = Set(excludedFiles.compactMap { $0.split(separator: "/").last.map(String.init) })
    let names = try FileDescriptor.names(inFolder: path)
    add(names, of: path.hasSuffix("/") ? path : path + "/", "", excluded, depth: 0)
  }

  private mutating func add(
    _ names: [String], of base: String, _ prefix: String, _ excluded: String?, depth: Int
  ) {
    for name in names {
      let relative = prefix + name
      let path = base + relative
      if excludedNames.contains(name), excludedFiles.contains(where: { FileDescriptor.areSame($0, path) }) {
        continue
      }
      switch FileDescriptor.kind(at: path) {
      case .folder: break
      case .other:
        others.append(relative)
        continue
      case .regular, nil:
        files.append(relative)
        continue
      }
      if FileDescriptor.isLink(path) {
        links.append(relative)
        continue
      }
      if let excluded, FileDescriptor.areSame(path, excluded) { continue }
      guard depth < FolderListing.maximumDepth else {
        faults.append((relative, TrackError(.limitExceeded, "folders lie too deep in each other")))
        continue
      }
      do throws(TrackError) {
        add(
          try FileDescriptor.names(inFolder: path), of: base, relative + "/", excluded, depth: depth + 1)
      } catch {
        faults.append((relative, error))
      }
    }
  }
}
