extension TrackFormat {
  /// Flight logs of the FAI. Read and written, without a signature.
  public static let igc = TrackFormat(
    name: "igc", title: "IGC flight logs", fileExtensions: ["igc"],
    recognizes: { $0.holdsIGC },
    reading: { input, options in IGCReader(input, options: options) },
    writing: { IGCWriter($0) })
}

extension FileOpening {
  /// Whether a line of the opening is a date record or a fix of an IGC file.
  var holdsIGC: Bool {
    guard rootElement == nil, !isJSON else { return false }
    return bytes.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
      IGCDate.days(line.span) != nil || IGCFix(line.span) != nil
    }
  }
}
