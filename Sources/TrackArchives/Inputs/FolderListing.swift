import TrackFormats
import TrackModel

/// The files in a folder and its subfolders.
struct FolderListing {
  /// The paths relative to the folder, in byte order per level.
  private(set) var files: [String] = []
  /// The unreadable folders with their errors.
  private(set) var faults: [(name: String, error: TrackError)] = []
  /// Links to folders, which are not followed because they can form cycles.
  private(set) var links: [String] = []
  /// Pipes, sockets and devices, which may block when read.
  private(set) var others: [String] = []

  private let excludedFiles: [String]
  /// The names of the excluded files without their folders. Comparing names first avoids system calls.
  private let excludedNames: Set<String>

  /// The maximum nesting depth of folders.
  private let maximumDepth: Int

  /// - Parameters:
  ///   - path: the path of the folder.
  ///   - excluded: a folder to skip, such as the output folder.
  ///   - excludedFiles: files to skip.
  ///   - maximumDepth: the maximum nesting depth of folders.
  /// - Throws: if the folder itself cannot be read.
  init(
    _ path: String, excluding excluded: String?, _ excludedFiles: [String] = [], depth maximumDepth: Int = 100
  ) throws(TrackError) {
    self.maximumDepth = maximumDepth
    self.excludedFiles = excludedFiles
    excludedNames = Set(excludedFiles.compactMap { $0.split(separator: "/").last.map(String.init) })
    let names = try FileDescriptor.names(inFolder: path)
    add(names, of: FileName.folderPrefix(path), "", excluded, depth: 0)
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
      guard depth < maximumDepth else {
        let message = "folders nested more than \(maximumDepth) deep"
        faults.append((relative, TrackError(.limitExceeded, message)))
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
