extension TrackFormat {
  /// Lines of encoded positions with five decimals (about 1 m). Read and written.
  public static let polyline = TrackFormat(
    name: "polyline", title: "Encoded polylines with five decimals (Google, Strava), one per line",
    fileExtensions: ["polyline"], recognizes: { $0.polyline.precision == .five },
    reading: { input, options in PolylineReader(input, precision: .five, options: options) },
    writing: { PolylineWriter($0, precision: .five) })

  /// Lines of encoded positions with six decimals (about 0.1 m). Read and written.
  public static let polyline6 = TrackFormat(
    name: "polyline6", title: "Encoded polylines with six decimals (Valhalla, OSRM), one per line",
    fileExtensions: ["polyline6"], recognizes: { $0.polyline.precision == .six },
    reading: { input, options in PolylineReader(input, precision: .six, options: options) },
    writing: { PolylineWriter($0, precision: .six) })
}

extension FileOpening {
  /// The start of the file interpreted as encoded polylines.
  var polyline: PolylineOpening { PolylineOpening(bytes, isCut: isCut, name: name) }
}
