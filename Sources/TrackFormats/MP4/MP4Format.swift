extension TrackFormat {
  /// Films with positions of GoPro cameras and dashcams. Read only.
  public static let mp4 = TrackFormat(
    name: "mp4", title: "MP4 and MOV films of cameras",
    fileExtensions: ["mp4", "mov", "360", "insv", "ts", "m2ts", "mts"],
    recognizes: { $0.holdsMP4 },
    reading: { input, options in MP4Reader(film: input, options: options) },
    writing: nil)

  /// The telemetry of a GoPro film as a file of its own (GPMF). Read only.
  public static let gpmf = TrackFormat(
    name: "gpmf", title: "GoPro telemetry without its film", fileExtensions: ["gpmf"],
    recognizes: { $0.holdsGPMF },
    reading: { input, options in MP4Reader(telemetry: input, options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the file begins with a box of an MP4 or MOV film (ISO/IEC 14496-12, 4.2), or with packets of a
  /// transport stream.
  var holdsMP4: Bool {
    guard start.count >= 8 else { return false }
    if TransportStream(bytes.span) != nil { return true }
    let type = FourCC(start.span, at: 4)
    // Early films of QuickTime have no type of file.
    return type == "ftyp" || start[0] == 0 && (type == "moov" || type == "mdat" || type == "wide")
  }

  /// Whether the file begins with a device of a GoPro telemetry stream.
  var holdsGPMF: Bool {
    start.count >= 8 && FourCC(start.span, at: 0) == "DEVC" && start[4] == 0
  }
}
