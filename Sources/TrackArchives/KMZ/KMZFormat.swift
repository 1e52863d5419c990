public import TrackFormats
import TrackModel

extension TrackFormat {
  /// KMZ (OGC KML 2.3, annex C): a ZIP with a KML document and its pictures. Read and written.
  public static let kmz = TrackFormat(
    name: "kmz", title: "KMZ: compressed KML with pictures", fileExtensions: ["kmz"],
    recognizes: { $0.isKMZ },
    reading: { input, options in KMZReader(input, options: options) },
    writing: { KMZWriter($0) })
}

extension FormatRegistry {
  /// The formats of ``standard`` and those that are archives. The registry opens archives, folders and
  /// compressed files.
  public static let withArchives = FormatRegistry(
    standard.formats.flatMap { $0 == .kml ? [$0, .kmz] : [$0] }, inputs: InputEnumerator.inputs)
}

extension InputEnumerator {
  /// Opens the inputs in a path one by one. After the error of an input, the next call continues.
  fileprivate static let inputs: FormatRegistry.InputOpening = { path in
    let walk = InputEnumerator([InputEnumerator.file(path)])
    return { () throws(TrackError) in
      while let step = walk.next() {
        switch step {
        case .container, .skipped, .left: continue
        case .failed(_, let label, let error): throw error.inFile(label.path)
        case .input(let input): return try input.isStreamed ? walk.takeStream() : input.open()
        }
      }
      return nil
    }
  }
}
