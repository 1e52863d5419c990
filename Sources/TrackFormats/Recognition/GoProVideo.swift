import TrackModel

/// Finds the telemetry track of a GoPro camera in an MP4 file (ISO/IEC 14496-12, 4.2 and 8).
struct GoProVideo {
  private let file: FileDescriptor
  /// The path of boxes from the file to the sample entry of GPMF, the telemetry format.
  private static let path = ["moov", "trak", "mdia", "minf", "stbl", "stsd", "gpmd"].map { Array($0.utf8) }
  /// The remaining number of box headers to read.
  private var budget = 10_000

  /// Returns whether a file is a video with a telemetry track.
  static func isOne(_ opening: FileOpening, at path: String) -> Bool {
    // The zeros of the size before the type were removed from the opening.
    guard (0...4).contains(where: { opening.bytes.dropFirst($0).starts(with: "ftyp".utf8) }),
      let file = try? FileDescriptor.reading(path), let size = file.size
    else { return false }
    var video = GoProVideo(file: file)
    return (try? video.hasTelemetry(0..<size, depth: 0)) ?? false
  }

  private init(file: FileDescriptor) { self.file = file }

  private mutating func hasTelemetry(_ range: Range<Int>, depth: Int) throws(TrackError) -> Bool {
    var start = range.lowerBound
    while start + 8 <= range.upperBound, budget > 0 {
      budget -= 1
      let header = try file.bytes(from: start, count: 16)
      guard header.count >= 8 else { return false }
      var size = Self.number(header[0..<4])
      var length = 8
      if size == 1, header.count == 16 {
        size = Self.number(header[8..<16])
        length = 16
      } else if size == 0 {
        // The last box of a file extends to its end.
        size = range.upperBound - start
      }
      guard size >= length, size <= range.upperBound - start else { return false }
      if header[4..<8].elementsEqual(Self.path[depth]) {
        if depth == Self.path.count - 1 { return true }
        // The sample entries follow a version, flags and their count.
        if header[4..<8].elementsEqual("stsd".utf8) { length += 8 }
        if length <= size, try hasTelemetry(start + length..<start + size, depth: depth + 1) { return true }
      }
      start += size
    }
    return false
  }

  /// Returns a big-endian number, or `Int.max` if it is larger.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
