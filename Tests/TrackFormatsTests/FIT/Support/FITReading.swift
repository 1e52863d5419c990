import TrackModel

@testable import TrackFormats

extension Transcript {
  /// Reads FIT bytes.
  init(
    fit bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false,
    rowLimit: Int = 1 << 18
  ) {
    var reader = FITReader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict), rowLimit: rowLimit)
    self.init(reading: &reader, capacity: capacity)
  }
}

enum FITReading {
  /// Returns the whole file as a document, with the warnings.
  static func document(
    _ bytes: [UInt8], rowLimit: Int = 1 << 18
  ) throws(TrackError) -> (document: TrackDocument, warnings: [TrackWarning]) {
    var reader = FITReader(ByteInput(bytes: bytes), rowLimit: rowLimit)
    let document = try TrackDocument(reading: &reader)
    return (document, reader.warnings)
  }

  /// Returns the points of all segments.
  static func points(_ bytes: [UInt8]) throws(TrackError) -> [PointColumns] {
    try document(bytes).document.tracks.flatMap { $0.segments.map(\.points) }
  }

  /// Returns the points of the only segment.
  static func onlyPoints(_ bytes: [UInt8]) throws -> PointColumns {
    let all = try points(bytes)
    guard all.count == 1 else { throw Unexpected(segments: all.count) }
    return all[0]
  }

  struct Unexpected: Error { let segments: Int }

  /// Returns a sample with most features of the format, for truncation, mutation and chunk tests.
  static func sample() -> [UInt8] {
    var file = FITBuilder()
    file.addFileID()
    file.addTimer(0, 0)
    for second in 0..<4 as Range<UInt32> {
      file.addRecord(
        second, 560_000_000 + Int32(second) * 1000, 88_000_000, [.uint16(2, 5000), .uint8(3, 120)],
        developer: [FITBuilder.DeveloperField(number: 7, bytes: [UInt8(100 + second), 0])])
    }
    file.add(
      206, local: 6,
      [
        .uint8(0, 0), .uint8(1, 7), .uint8(2, 0x84), .text(3, "power", size: 8), .uint16(14, 20),
        .uint8(15, 7),
      ])
    file.addTimer(3, 4)
    file.addTimer(60, 0)
    for second in 60..<64 as Range<UInt32> {
      file.addRecord(second, 560_010_000, 88_000_000 + Int32(second), bigEndian: true, [.byte(8, 1, 0x21, 3)])
    }
    file.add(20, local: 0, offset: 5, [.sint32(0, 560_020_000), .sint32(1, 88_010_000)])
    file.addTimer(64, 4)
    file.addSession(start: 0, end: 64, elapsed: 64, timer: 7, sport: 0, message: 19)
    file.addSession(start: 0, end: 64, elapsed: 64, timer: 7, sport: 24)
    var course = FITBuilder()
    course.addFileID(type: 6)
    course.add(31, local: 4, [.enumeration(4, 0), .text(5, "Over the hill", size: 16)])
    course.addRecord(100, 0, 0)
    course.addRecord(110, 0, 1000)
    course.add(
      32, local: 5,
      [
        .uint32(1, FITBuilder.start + 105), .sint32(2, 0), .sint32(3, 500), .uint32(4, 900),
        .enumeration(5, 1), .text(6, "Top", size: 8),
      ])
    return file.file() + course.file(headerSize: 12)
  }
}
