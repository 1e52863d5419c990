import TrackModel

/// The laps of a track according to a column with the number of the lap, or to markers before the table.
///
/// A lap starts at the first row with its number and ends at the first row with another number. The first
/// number is that of the out-lap, and the last number that of the in-lap, unless the logger states its time.
/// Lap 0 is not a lap. Markers are the ends of laps, of which the first is that of the out-lap.
struct CSVLaps {
  /// Whether rows with an empty cell are outside of laps, as in RaceChrono's tables. Otherwise they repeat
  /// the number above them.
  private let areEmptyCellsOutside: Bool
  private var laps: [Lap] = []
  /// The number of the previous row.
  private var number: Double?
  /// The start of the lap, if the table contains it.
  private var start: Instant?
  /// The time of the lap in seconds, as stated by the logger.
  private var stated: Double?
  /// The ends of laps in microseconds since 1970.
  private let markers: [Int64]
  /// The time of the last row in microseconds since 1970.
  var last = Instant.absent

  /// The time before the end of the recording from which a marker is that end, in microseconds.
  private static let endOfRecording: Int64 = 1_000_000

  init(areEmptyCellsOutside: Bool = false, markers: [Int64] = []) {
    self.areEmptyCellsOutside = areEmptyCellsOutside
    self.markers = markers
  }

  /// Returns the times of `Beacon Markers, 62.774, 117.713` in the lines before a table, as AiM and MoTeC
  /// write them, in microseconds since 1970.
  ///
  /// - Parameter start: the time from which the seconds count.
  static func markers(in preamble: [String], start: Int64) -> [Int64] {
    let key = "beacon markers"
    guard let line = preamble.first(where: { $0.lowercased().hasPrefix(key) }) else { return [] }
    var markers: [Int64] = []
    for text in line.dropFirst(key.count).split(whereSeparator: { ",; \t".contains($0) }) {
      guard let seconds = Double(text), (0..<1e6).contains(seconds) else { return [] }
      markers.append(start + Instant.microseconds(inSeconds: seconds))
    }
    return markers.sorted()
  }

  /// Adds a row.
  mutating func add(_ cell: Span<UInt8>, at time: Int64) {
    let outside = areEmptyCellsOutside && cell.count == 0 ? 0.0 : nil
    guard let next = outside ?? DecimalReading.read(cell), next != number, time != Instant.absent else {
      return
    }
    let instant = Instant(microseconds: time)
    close(at: instant)
    if number != nil, next > 0 { start = instant }
    number = next
  }

  /// Reads a comment such as `# Lap 1: 00:07:24.553`, as TrackAddict writes it at the end of a lap.
  mutating func note(_ comment: String) {
    let words = comment.split { $0 == " " || $0 == "#" }
    guard words.count == 3, words[0] == "Lap", words[1].last == ":", let lap = Double(words[1].dropLast()),
      lap == number
    else { return }
    let parts = words[2].split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
      [hours, minutes, seconds].allSatisfy({ (0..<1000).contains($0) })
    else { return }
    stated = hours * 3600 + minutes * 60 + seconds
  }

  /// Returns the laps of the track and starts the next track.
  mutating func finish() -> [Lap] {
    if stated != nil { close(at: nil) }
    defer { self = CSVLaps(areEmptyCellsOutside: areEmptyCellsOutside, markers: markers) }
    return laps.isEmpty ? markedLaps : laps
  }

  private var markedLaps: [Lap] {
    let ends = markers.filter { last != Instant.absent && $0 < last - Self.endOfRecording }
    return zip(ends, ends.dropFirst()).compactMap { start, end in
      guard start < end else { return nil }
      var lap = Lap(start: Instant(microseconds: start))
      lap.elapsedTime = Double(end - start) / 1e6
      return lap
    }
  }

  private mutating func close(at end: Instant?) {
    defer { (start, stated) = (nil, nil) }
    guard let start else { return }
    var lap = Lap(start: start)
    lap.elapsedTime = stated ?? end.map { $0.seconds(since: start) }
    if let seconds = lap.elapsedTime, seconds > 0 { laps.append(lap) }
  }
}
