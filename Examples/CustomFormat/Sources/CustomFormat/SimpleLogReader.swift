import GhostConvertKit

extension TrackFormat {
  /// Lines of `seconds since 1970,latitude,longitude` after the line `#SIMPLELOG`.
  static let simpleLog = TrackFormat(
    name: "simplelog", title: "Lines of time, latitude and longitude", fileExtensions: ["slog"],
    recognizesOpening: { $0.starts(with: Array("#SIMPLELOG\n".utf8)) },
    reading: { input, options in SimpleLogReader(input, options) })
}

/// Reads one line per point. The file is one track with one segment.
struct SimpleLogReader: TrackReader, ~Copyable {
  private enum Step { case header, track, segment, points, endTrack, end }

  private var input: ByteInput
  private let options: ReadingOptions
  private var step = Step.header
  private var line = 0
  private(set) var warnings: [TrackWarning] = []

  init(_ input: consuming ByteInput, _ options: ReadingOptions) {
    self.input = input
    self.options = options
  }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    switch step {
    case .header:
      step = .track
      return .header(FileInfo())
    case .track:
      step = .segment
      return .beginTrack(TrackInfo())
    case .segment:
      step = .points
      return .beginSegment
    case .points:
      while !batch.isFull, let text = try nextLine() { try append(text, to: &batch) }
      if batch.count > 0 { return .points }
      step = .endTrack
      return .endSegment
    case .endTrack:
      step = .end
      return .endTrack
    case .end:
      return nil
    }
  }

  /// Appends the point of a line. Lines that start with `#` are comments.
  private func append(_ text: String, to batch: inout PointBatch) throws(TrackError) {
    guard !text.isEmpty, !text.hasPrefix("#") else { return }
    let fields = text.split(separator: ",").map { Double($0) }
    guard
      fields.count == 3, let seconds = fields[0], let latitude = fields[1], let longitude = fields[2],
      let time = Instant(secondsSince1970: seconds),
      Coordinate(latitude: latitude, longitude: longitude).isValid
    else { throw TrackError(.malformed, "line \(line) has no time, latitude and longitude") }
    batch.append(latitude: latitude, longitude: longitude, time: time.microseconds)
  }

  /// Returns the next line without its line feed, or nil at the end. The last line may lack a line feed.
  private mutating func nextLine() throws(TrackError) -> String? {
    var length = 0
    var end = lineFeed(from: 0)
    while end == nil {
      length = input.available.count
      guard length < 1 << 16 else { throw TrackError(.limitExceeded, "a line is longer than 64 KiB") }
      guard try input.fill() else {
        guard length > 0 else { return nil }
        return take(length, and: 0)
      }
      end = lineFeed(from: length)
    }
    return take(end ?? length, and: 1)
  }

  /// Returns the place of the first line feed in the buffered bytes at or after a place.
  private func lineFeed(from start: Int) -> Int? {
    let bytes = input.available
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    return index < bytes.count ? index : nil
  }

  /// Returns the next bytes as text, and consumes them and the bytes of the line's end.
  private mutating func take(_ count: Int, and ending: Int) -> String {
    let text = String(decoding: (0..<count).map { input.available[$0] }, as: UTF8.self)
    input.consume(count + ending)
    line += 1
    return text
  }
}
