extension TrackFormat {
  /// The text files with positions that 70mai dashcams write next to their films. Read only.
  public static let dashcam70mai = TrackFormat(
    name: "70mai", title: "GPS logs of 70mai dashcams", fileExtensions: [], usualExtension: "txt",
    recognizes: { $0.holds70mai },
    reading: { input, options in LogReader(DashcamLogSource(input, options: options), options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the text begins with the mark of a start or, if the oldest part of the log is lost, with a row.
  fileprivate var holds70mai: Bool {
    guard let line = bytes.drop(while: { $0 <= 0x20 }).split(separator: 0x0A, maxSplits: 1).first else {
      return false
    }
    let text = line.span.extracting(first: line.last == 0x0D ? line.count - 1 : line.count)
    return DashcamLogSource.isStart(text) || DashcamLogSource.row(text) != nil
  }
}
