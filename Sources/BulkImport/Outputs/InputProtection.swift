import TrackArchives
import TrackFormats
package import TrackModel

/// Prevents outputs from replacing the inputs of a command.
///
/// Files are compared by device and inode, so that links and alternative spellings of a path are recognized.
/// An existing file in an input folder counts as an input. A library is never replaced by another output,
/// whether or not it is an input.
public struct InputProtection: Sendable {
  private let files: Set<FileIdentity>
  /// The absolute paths of input folders, each with a slash at the end.
  private let folders: [String]
  private let isOff: Bool

  /// Creates a protection of the inputs of a command. Inputs that do not exist are ignored.
  ///
  /// - Parameters:
  ///   - inputs: files, folders and archives. `-` is standard input.
  ///   - outputFolder: the folder for outputs. Input folders that contain it are not searched there.
  ///   - isOff: whether outputs may replace inputs.
  public init(_ inputs: [String] = [], outputFolder: String? = nil, isOff: Bool = false) {
    files = Set(inputs.compactMap { FileIdentity(path: $0) })
    let output = outputFolder.flatMap(InputProtection.folder)
    folders = inputs.compactMap(InputProtection.folder).filter { folder in
      output.map { $0 == folder || !$0.hasPrefix(folder) } ?? true
    }
    self.isOff = isOff
  }

  /// - Throws: `usage` if an output is one of the inputs, or a library.
  package func check(_ outputs: [String?]) throws(TrackError) {
    for case let output? in outputs { try check(output) }
  }

  /// - Parameter input: the file that is read for the output, if it was found in a folder or a list.
  /// - Throws: `usage` if the output is also an input, or a library.
  package func check(_ output: String, input: String? = nil) throws(TrackError) {
    guard !LibraryFileKind.isLibrary(output) else {
      throw TrackError(
        .usage, "the output is a library, which cannot be replaced by another output", file: output,
        suggestion: .text("write to another file"))
    }
    try checkInputs(output, input: input)
  }

  /// - Throws: `usage` if the library for new drives is also an input.
  package func check(library: String?) throws(TrackError) {
    if let library { try checkInputs(library, input: nil) }
  }

  private func checkInputs(_ output: String, input: String?) throws(TrackError) {
    guard !isOff, output != "-", let identity = FileIdentity(path: output) else { return }
    guard
      files.contains(identity) || input.flatMap({ FileIdentity(path: $0) }) == identity || isInFolder(output)
    else { return }
    throw TrackError(
      .usage, "the output is also an input", file: output,
      suggestion: .writeElsewhereOrReplace)
  }

  private func isInFolder(_ output: String) -> Bool {
    guard !folders.isEmpty, let path = ByteSink.absolutePath(output) else { return false }
    return folders.contains { path.hasPrefix($0) }
  }

  /// Returns the absolute path of a folder with a slash at the end, or nil for anything else.
  private static func folder(_ path: String) -> String? {
    guard path != "-", FileIdentity(path: path) == nil, case .folder? = try? OutputKind(path),
      let absolute = ByteSink.absolutePath(path)
    else { return nil }
    return FileName.folderPrefix(absolute)
  }
}
