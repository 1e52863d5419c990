import GhostModel
import TrackModel

/// Encodes the points of a recording, in about 18 bytes per point, or 20 with elevations.
///
/// Times and positions are exact, accuracies have the precision of a Float, and elevations are rounded to
/// millimetres. The layout is stable, because other programs read it (see `Contrib/recorded-points`). A
/// different layout would have a different first byte.
///
///     1 byte       version, 1
///     1 byte       the sum of 1 if there are accuracies, and 2 if there are elevations
///     varint       number of segments
///     varints      per segment: number of points
///     varints      per point: difference of its time in microseconds from the previous one (the first from
///                  0), zigzag-coded and wrapping, so that ``Instant/absent`` is preserved
///     8 bytes      per point: latitude (Double, little-endian), followed by all longitudes
///     4 bytes      per point, if there are accuracies: accuracy in metres, -1 if unknown (Float,
///                  little-endian)
///     varints      per point, if there are elevations: 0 if unknown, otherwise 1 more than the zigzag-coded
///                  difference of its elevation in millimetres from the previous known one (the first from 0)
///
/// A varint has seven bits per byte, the lowest first; the high bit is set in all bytes except the last.
enum RecordedPoints {
  static func encode(_ recording: Recording) -> [UInt8] {
    let hasAccuracies = recording.segments.contains { $0.horizontalAccuracies != nil }
    let hasElevations = recording.segments.contains { $0.elevations != nil }
    var bytes: [UInt8] = [1, (hasAccuracies ? 1 : 0) | (hasElevations ? 2 : 0)]
    bytes.reserveCapacity(16 + recording.count * (18 + (hasAccuracies ? 4 : 0) + (hasElevations ? 2 : 0)))
    append(UInt64(recording.segments.count), &bytes)
    for segment in recording.segments { append(UInt64(segment.count), &bytes) }
    var previous: Int64 = 0
    for segment in recording.segments {
      for time in segment.times {
        append((time &- previous).zigzag, &bytes)
        previous = time
      }
    }
    for segment in recording.segments {
      for value in segment.latitudes { append(value.bitPattern, 8, &bytes) }
    }
    for segment in recording.segments {
      for value in segment.longitudes { append(value.bitPattern, 8, &bytes) }
    }
    if hasAccuracies {
      for segment in recording.segments {
        for row in 0..<segment.count {
          let value = segment.horizontalAccuracies?[row] ?? Recording.Segment.unknownAccuracy
          append(UInt64(Float(value).bitPattern), 4, &bytes)
        }
      }
    }
    if hasElevations {
      var previous: Int64 = 0
      for segment in recording.segments {
        for row in 0..<segment.count {
          guard let elevation = segment.elevations?[row], elevation.magnitude < largestElevation else {
            bytes.append(0)
            continue
          }
          let millimetres = Int64((elevation * 1000).rounded())
          append((millimetres - previous).zigzag + 1, &bytes)
          previous = millimetres
        }
      }
    }
    return bytes
  }

  /// The limit of known elevations in metres, so that differences in millimetres do not overflow.
  private static let largestElevation = Recording.Segment.unknownElevation.magnitude

  /// - Throws: `malformed` for bytes that are not from ``encode(_:)``.
  static func decode(_ bytes: [UInt8]) throws(TrackError) -> Recording {
    var reader = Reader(bytes: bytes)
    guard reader.byte() == 1 else { throw damaged }
    let contents = reader.byte()
    let segments = Int(clamping: reader.varint())
    guard segments <= bytes.count else { throw damaged }
    var counts: [Int] = []
    var total = 0
    for _ in 0..<segments {
      let count = Int(clamping: reader.varint())
      // A point needs more than one byte, so an invalid count cannot cause a large allocation.
      guard count <= bytes.count, total <= bytes.count else { throw damaged }
      counts.append(count)
      total += count
    }
    var times: [Int64] = []
    times.reserveCapacity(total)
    var previous: Int64 = 0
    for _ in 0..<total {
      let code = reader.varint()
      previous = previous &+ Int64(zigzag: code)
      times.append(previous)
    }
    let latitudes = (0..<total).map { _ in Double(bitPattern: reader.word(8)) }
    let longitudes = (0..<total).map { _ in Double(bitPattern: reader.word(8)) }
    let accuracies =
      contents & 1 == 0 ? nil : (0..<total).map { _ in Double(Float(bitPattern: UInt32(reader.word(4)))) }
    var millimetres: Int64 = 0
    let elevations: [Double?]? =
      contents & 2 == 0
      ? nil
      : (0..<total).map { _ in
        let code = reader.varint()
        guard code > 0 else { return nil }
        millimetres = millimetres &+ Int64(zigzag: code - 1)
        return Double(millimetres) / 1000
      }
    guard !reader.isPastEnd else { throw damaged }
    var recording = Recording()
    var row = 0
    for count in counts {
      var segment = Recording.Segment()
      for index in row..<(row + count) {
        let accuracy = accuracies?[index]
        segment.append(
          Coordinate(latitude: latitudes[index], longitude: longitudes[index]),
          time: times[index] == Instant.absent ? nil : Instant(microseconds: times[index]),
          horizontalAccuracy: accuracy == Recording.Segment.unknownAccuracy ? nil : accuracy,
          elevation: elevations?[index])
      }
      recording.segments.append(segment)
      row += count
    }
    return recording
  }

  private static var damaged: TrackError {
    TrackError(
      .malformed, "the recorded points are damaged", suggestion: .reimportSource)
  }

  private static func append(_ value: UInt64, _ bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func append(_ word: UInt64, _ count: Int, _ bytes: inout [UInt8]) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(index * 8))) }
  }

  /// Reads zeros after the end, and records the overrun.
  private struct Reader {
    let bytes: [UInt8]
    private var index = 0
    private(set) var isPastEnd = false

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func byte() -> UInt8 {
      guard index < bytes.count else {
        isPastEnd = true
        return 0
      }
      index += 1
      return bytes[index - 1]
    }

    mutating func word(_ count: Int) -> UInt64 {
      var word: UInt64 = 0
      for index in 0..<count { word |= UInt64(byte()) << UInt64(index * 8) }
      return word
    }

    mutating func varint() -> UInt64 {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 7) {
        let next = byte()
        value |= UInt64(next & 0x7F) << shift
        if next < 0x80 { return value }
      }
      isPastEnd = true
      return value
    }
  }
}
