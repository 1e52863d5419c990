import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("FIT reader: damaged files")
struct FITReaderFaultTests {
  private static func file(records: UInt32 = 5) -> FITBuilder {
    var file = FITBuilder()
    file.addFileID()
    for second in 0..<records { file.addRecord(second, 1000, Int32(second)) }
    return file
  }

  @Test("A file cut off anywhere keeps its complete messages")
  func truncation() {
    let bytes = Self.file().file()
    let whole = Transcript(fit: bytes)
    #expect(whole.points.count == 5 && whole.warnings.isEmpty)
    var counts: [Int] = []
    for length in 0..<bytes.count {
      let part = Transcript(fit: Array(bytes.prefix(length)))
      #expect(part.violations == [], "\(length) bytes")
      #expect(Array(whole.points.prefix(part.points.count)) == part.points, "\(length) bytes")
      // Without a complete message there are no points.
      #expect((part.error != nil) != (part.warnings.count == 1), "\(length) bytes")
      if let error = part.error { #expect(error.code == .truncated, "\(length) bytes: \(error)") }
      counts.append(part.points.count)
      let strict = Transcript(fit: Array(bytes.prefix(length)), isStrict: true)
      #expect(strict.error != nil && strict.violations == [], "\(length) bytes, strictly")
      #expect(strict.points == part.points, "\(length) bytes, strictly")
    }
    #expect(counts == counts.sorted() && Set(counts) == [0, 1, 2, 3, 4, 5])
  }

  @Test(
    "The file after one that is cut off anywhere is found by its header",
    arguments: [12, 14] as [UInt8])
  func cutInChain(headerSize: UInt8) {
    let first = Self.file(records: 3).file()
    let second = Self.file(records: 5).file(headerSize: headerSize)
    let whole = Transcript(fit: first).points
    let next = Transcript(fit: second).points
    // From the first complete message to the last record.
    for length in 60..<(first.count - 2) {
      let cut = Transcript(fit: Array(first.prefix(length)) + second, chunk: 32)
      #expect(cut.violations == [] && cut.error == nil, "\(length) bytes")
      #expect(Array(cut.points.suffix(5)) == next, "\(length) bytes")
      #expect(cut.points.dropLast(5).elementsEqual(whole.prefix(cut.points.count - 5)), "\(length) bytes")
      #expect(!cut.warnings.isEmpty, "\(length) bytes")
      #expect(Transcript(fit: Array(first.prefix(length)) + second, isStrict: true).error != nil)
    }
  }

  @Test("A sample with all features can be cut off anywhere, in chunks of any size")
  func truncatedSample() {
    let bytes = FITReading.sample()
    for length in 0..<bytes.count {
      let part = Array(bytes.prefix(length))
      let whole = Transcript(fit: part)
      #expect(whole.violations == [], "\(length) bytes")
      #expect(Transcript(fit: part, chunk: 7, capacity: 2).text == whole.text, "\(length) bytes")
    }
  }

  @Test("A wrong checksum is a warning, or an error if reading is strict")
  func checksums() {
    var bytes = Self.file().file()
    bytes[bytes.count - 1] ^= 0x40
    let wrong = Transcript(fit: bytes)
    #expect(wrong.points.count == 5 && wrong.error == nil)
    #expect(wrong.warnings.map(\.code) == [.wrongChecksum])
    let strict = Transcript(fit: bytes, isStrict: true)
    #expect(strict.points.count == 5 && strict.error?.code == .warning)
    let missing = Transcript(fit: Array(bytes.dropLast(2)))
    #expect(missing.points.count == 5 && missing.warnings.map(\.code) == [.missingChecksum])
    var header = Self.file().file()
    header[12] ^= 1
    #expect(Transcript(fit: header).warnings.map(\.code) == [.wrongChecksum, .wrongChecksum])
  }

  @Test(
    "A data size of zero, as after a loss of power, is ignored", arguments: [true, false])
  func zeroSize(hasChecksum: Bool) {
    let file = Self.file()
    let bytes = file.file(dataSize: 0)
    let transcript = Transcript(fit: hasChecksum ? bytes : Array(bytes.dropLast(2)))
    #expect(transcript.points.count == 5 && transcript.error == nil)
    #expect(
      transcript.warnings.map(\.code)
        == (hasChecksum ? [.wrongSize] : [.wrongSize, .missingChecksum]))
    // Another file after it is found by its header.
    let two = Transcript(fit: Array(bytes.dropLast(2)) + file.file())
    #expect(two.points.count == 10 && two.error == nil)
    // The checksums may date from before the size was lost; the header's checksum then shows the loss as
    // well.
    for (headerSize, flaws) in [(12, [.wrongSize]), (14, [.wrongChecksum, .wrongSize])]
      as [(UInt8, [TrackWarning.Code])]
    {
      var lost = file.file(headerSize: headerSize)
      lost.replaceSubrange(4..<8, with: [0, 0, 0, 0])
      let read = Transcript(fit: lost)
      #expect(read.points.count == 5 && read.error == nil && read.warnings.map(\.code) == flaws)
      lost[lost.count - 1] ^= 1
      #expect(Transcript(fit: lost).warnings.map(\.code) != flaws)
    }
    // A file that is really empty is valid.
    #expect(Transcript(fit: FITBuilder().file()).text == "header\n")
  }

  @Test(
    "A header with too large or too small a data size loses no points",
    arguments: [-20, -1, 1, 1000, 1 << 31])
  func wrongSize(_ difference: Int) {
    let file = Self.file()
    let transcript = Transcript(fit: file.file(dataSize: file.bytes.count + difference))
    #expect(transcript.points.count == 5 && transcript.error == nil, "\(transcript.text)")
    #expect(transcript.warnings.first?.code == .wrongSize)
  }

  @Test("Bytes after the end are skipped with a warning", arguments: [1, 5, 14, 200])
  func trailingBytes(_ count: Int) {
    let transcript = Transcript(fit: Self.file().file() + Array(repeating: 0, count: count))
    #expect(transcript.points.count == 5)
    #expect(transcript.warnings.map(\.code) == [.trailingContent])
  }

  @Test("A file after bytes that are no file is read", arguments: [1, 7, 14, 200])
  func fileAfterOtherBytes(_ count: Int) {
    let file = Self.file().file()
    let transcript = Transcript(fit: file + Array(repeating: 0, count: count) + file)
    #expect(transcript.points.count == 10)
    #expect(transcript.warnings.map(\.code) == [.trailingContent])
  }

  @Test("A data message without a definition ends the reading at its offset")
  func undefined() {
    var file = Self.file()
    let place = 14 + file.bytes.count
    file.add(raw: [0x07, 0, 0, 0])
    file.addRecord(9, 1, 1)
    let transcript = Transcript(fit: file.file())
    #expect(transcript.points.count == 5 && transcript.error == nil)
    #expect(transcript.warnings.map(\.code) == [.damaged])
    #expect(transcript.warnings.first?.place.byteOffset == place)
    let strict = Transcript(fit: file.file(), isStrict: true)
    #expect(strict.points.count == 5 && strict.error?.code == .malformed)
    #expect(strict.error?.place.byteOffset == place)
  }

  @Test("A message whose definition exceeds the file is reported as damage, not as a wrong data size")
  func tooLongMessage() {
    var file = Self.file()
    file.add(raw: [0x43, 0, 0, 20, 0, 1, 200, 255, 2, 0x03, 1, 2])
    let transcript = Transcript(fit: file.file())
    #expect(transcript.points.count == 5 && transcript.warnings.count == 1)
  }

  @Test("A file that is not FIT is rejected")
  func refused() {
    for bytes in [[], Array("FIT".utf8), Array(repeating: 0, count: 100), Array("<gpx></gpx>    ".utf8)] {
      #expect(Transcript(fit: bytes).error != nil)
    }
    var bytes = Self.file().file()
    bytes[0] = 255
    let error = Transcript(fit: bytes).error
    #expect(error?.code == .malformed && error?.message.contains("255") == true)
  }

  @Test("Positions outside the valid range are skipped and counted")
  func offEarth() {
    var file = Self.file()
    file.addRecord(7, (1 << 30) + 1, 0)
    file.addRecord(8, .min, 0)
    let transcript = Transcript(fit: file.file())
    #expect(transcript.points.count == 5)
    #expect(transcript.warnings.map(\.code) == [.invalidPosition] && transcript.warnings[0].count == 2)
    #expect(Transcript(fit: file.file(), isStrict: true).error?.code == .warning)
  }

  @Test("A definition with the wrong byte order is detected")
  func mistakenOrder() throws {
    var file = FITBuilder()
    file.addFileID()
    // A record definition marked as big-endian whose values are little-endian.
    file.add(raw: [0x40, 0, 1, 20, 0, 2, 0, 4, 0x85, 1, 4, 0x85])
    file.add(raw: [0, 0, 0, 0, 0x20, 0, 0, 0, 0x10])
    let points = try FITReading.onlyPoints(file.file())
    #expect(points.latitudes == [45] && points.longitudes == [22.5])
  }

  @Test("A file rejected by strict reading ends inside its track, so that no track is complete")
  func strictEnds() throws {
    var wrong = Self.file().file()
    wrong[wrong.count - 1] ^= 1
    var offEarth = Self.file()
    offEarth.addRecord(7, .min, 0)
    for bytes in [wrong, offEarth.file(), Array(Self.file().file().dropLast(5))] {
      let transcript = Transcript(fit: bytes, isStrict: true)
      #expect(transcript.error != nil && transcript.points.count >= 4)
      #expect(!transcript.lines.contains("end of track"))
    }
  }

  @Test("Mutated files cause no crash and no invalid event stream")
  func mutation() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let samples = [FITReading.sample(), Self.file().file(), FITReading.sample() + FITReading.sample()]
    for round in 0..<Effort.rounds(1000) {
      var bytes = samples[round % samples.count]
      for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: index)
        case 4: bytes[index] = [0, 0x7F, 0x80, 0xFF, 0x40, 0x60].randomElement(using: &generator) ?? 0
        default: bytes.removeSubrange(index..<min(index + 20, bytes.count))
        }
      }
      let isStrict = round % 5 == 0
      let transcript = Transcript(fit: bytes, isStrict: isStrict)
      #expect(transcript.violations == [], "round \(round)")
      let other = Transcript(fit: bytes, chunk: 1 + round % 70, capacity: 1 + round % 9, isStrict: isStrict)
      #expect(other.text == transcript.text, "round \(round)")
      let small = Transcript(fit: bytes, isStrict: isStrict, rowLimit: 1 + round % 7)
      #expect(small.violations == [], "round \(round)")
      // Strict reading stops at the first flaw, before the others are reported.
      if !isStrict { #expect(small.points.count == transcript.points.count, "round \(round)") }
      var input = ByteInput(bytes: bytes)
      _ = try? FITFileType.peek(&input)
    }
  }

  @Test("Laps, sessions and timer events beyond the budget are ignored and counted")
  func manyMessages() throws {
    var limits = ReadingLimits()
    // 32 messages, each counted as 128 bytes.
    limits.keptSize = 4096
    var file = Self.file()
    for _ in 0..<30 { file.addSession(start: 0, end: 4, elapsed: 4, timer: 4, sport: 0, message: 19) }
    file.addSession(start: 0, end: 4, elapsed: 4, timer: 4, sport: 2)
    for _ in 0..<10 { file.addTimer(9, 4) }
    let bytes = file.file()
    func read(_ options: ReadingOptions) -> Transcript {
      var reader = FITReader(ByteInput(bytes: bytes), options: options)
      return Transcript(reading: &reader)
    }
    let transcript = read(ReadingOptions(limits: limits))
    #expect(transcript.error == nil && transcript.violations == [] && transcript.points.count == 5)
    // 30 laps, a session and one of ten events.
    #expect(transcript.lines.count { $0.contains("lap") } == 30)
    #expect(transcript.warnings.map(\.code) == [.limitExceeded] && transcript.warnings[0].count == 9)
    #expect(transcript.warnings[0].message.contains("4 KiB"))
    #expect(read(ReadingOptions()).warnings == [])
    #expect(read(ReadingOptions(isStrict: true, limits: limits)).error?.code == .warning)
    limits.keptSize = 25 * 128
    #expect(read(ReadingOptions(limits: limits)).lines.count { $0.contains("lap") } == 25)
  }

  @Test("Locations beyond the budget are skipped and counted")
  func manyLocations() {
    var limits = ReadingLimits()
    // Four locations of 1 KiB and one byte each.
    limits.waitingSize = 5 * 1024
    var file = Self.file()
    for _ in 0..<6 { file.add(29, local: 5, [.text(0, "a", size: 2), .sint32(1, 1), .sint32(2, 2)]) }
    var reader = FITReader(ByteInput(bytes: file.file()), options: ReadingOptions(limits: limits))
    let transcript = Transcript(reading: &reader)
    #expect(transcript.violations == [] && transcript.points.count == 5 + 4)
    #expect(transcript.warnings.map(\.code) == [.limitExceeded] && transcript.warnings[0].count == 2)
  }

  @Test("Dividing the laps of ten times as many sessions takes about ten times as long")
  func manySessions() throws {
    func duration(_ count: UInt32) throws -> Duration {
      var file = FITBuilder()
      file.addFileID()
      for second in 0..<count { file.addRecord(second, 1, Int32(second)) }
      for second in 0..<count {
        file.addSession(start: second, end: second, elapsed: 0, timer: 0, sport: 0, message: 19)
        file.addSession(start: second, end: second, elapsed: 0, timer: 0, sport: 1)
      }
      let bytes = file.file()
      return try processorTime {
        let (document, _) = try FITReading.document(bytes)
        #expect(document.tracks.count == Int(count))
        #expect(document.tracks.allSatisfy { $0.info.laps.count == 1 })
      }
    }
    let few = try min(duration(400), duration(400))
    // A search of all laps for each session would take almost a hundred times as long.
    #expect(try duration(4000) < few * 25)
  }

  @Test("Random bytes after a header cause no crash")
  func noise() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for round in 0..<Effort.rounds(1000) {
      var file = FITBuilder()
      if round % 2 == 0 { file.addFileID() }
      file.add(
        raw: (0..<Int.random(in: 0...400, using: &generator)).map { _ in
          UInt8.random(in: .min ... .max, using: &generator)
        })
      let transcript = Transcript(fit: file.file())
      #expect(transcript.violations == [], "round \(round)")
    }
  }
}
