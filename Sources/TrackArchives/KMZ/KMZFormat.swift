public import TrackFormats

extension TrackFormat {
  public static let kmz = TrackFormat(
    name: "kmz", title: "KMZ, KML compressed with its pictures", fileExtensions: ["kmz"],
    recognizes: { $0.isKMZ },
    reading: { input, options in KMZReader(input, options: options) },
    writing: { KMZWriter($0) })
}

extension FormatRegistry {
  /// The formats of ``standard`` and those that are archives.
  public static let withArchives = FormatRegistry(
    standard.formats.flatMap { $0 == .kml ? [$0, .kmz] : [$0] })
}
