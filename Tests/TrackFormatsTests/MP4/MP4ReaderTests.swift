import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

extension Transcript {
  /// Reads a film, or GoPro's telemetry without one.
  init(
    mp4 bytes: [UInt8], chunk: Int = ByteInput.defaultChunk, capacity: Int = 64,
    limits: MP4Limits = MP4Limits(), isStrict: Bool = false
  ) {
    let isBare = bytes.starts(with: Array("DEVC".utf8))
    var reader = MP4Reader(
      ByteInput(bytes: bytes, chunk: chunk), options: ReadingOptions(isStrict: isStrict),
      limits: limits, source: isBare ? .bareTelemetry : nil)
    self.init(reading: &reader, capacity: capacity)
  }
}

@Suite("MP4 reader")
struct MP4ReaderTests {
  static let fixtures = ["mp4", "gpmf", "ts"].flatMap { ending in
    Fixture.files(in: Fixture.packageRoot.appending(path: "Fixtures/mp4"), ending: "." + ending)
  }

  private static func bytes(_ name: String) throws -> [UInt8] {
    try #require(fixtures.first { $0.path.hasSuffix("/" + name) }).bytes()
  }

  /// The start of the fixtures, 2024-05-17T06:12:30Z, in microseconds since 1970.
  private static let start: Int64 = 1_715_926_350_000_000

  /// The times of points in microseconds since the start of the fixtures.
  private static func offsets(_ points: PointColumns) -> [Int64] {
    points.times.map { time -> Int64 in time - start }
  }

  /// The warnings of damage.
  private static func damage(_ transcript: Transcript) -> [TrackWarning] {
    transcript.warnings.filter { $0.code == .damaged }
  }

  private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  private func track(_ bytes: [UInt8]) throws -> (TrackDocument, PointColumns) {
    var reader = MP4Reader(film: ByteInput(bytes: bytes))
    let document = try TrackDocument(reading: &reader)
    return (document, try #require(document.tracks.first?.segments.first?.points))
  }

  @Test("Samples of GPS5 are spread evenly over their payload, and payloads without a fix are skipped")
  func unevenSamples() throws {
    let (document, points) = try track(try Self.bytes("gopro-gps5.mp4"))
    #expect(document.info.creator == "GoPro Hero7 Black")
    #expect(points.count == 12)
    for (row, sample) in [0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15].enumerated() {
      #expect(abs(points.latitudes[row] - (46.9481 + 0.000108 * Double(sample))) < 1e-9)
      #expect(points.longitudes[row] == 7.4474)
      // A payload has four samples in 1.001 s.
      #expect(abs(points.times[row] - Self.start - Int64(sample) * 250_250) <= 1)
      #expect(points.value(.elevation, at: row) == 540)
      #expect(points.value(.speed, at: row) == 12)
      #expect(points.value(.pdop, at: row) == 1.54)
      #expect(points.details[row].details.fix == "3d")
    }
  }

  @Test("Samples of GPS9 have their own times and replace those of GPS5")
  func datedSamples() throws {
    let (document, points) = try track(try Self.bytes("gopro-gps9.mp4"))
    #expect(document.info.creator == "GoPro HERO11 Black")
    let milliseconds: [Int64] = [0, 250, 500, 750, 1001, 1251, 1501, 1751]
    #expect(Self.offsets(points) == milliseconds.map { $0 * 1000 })
  }

  /// Returns a value of GoPro's telemetry, filled up to four bytes.
  private static func value(
    _ key: String, _ type: Character, size: Int, _ bytes: [UInt8]
  ) -> [UInt8] {
    let count = bytes.count / size
    return Array(key.utf8) + [type == "0" ? 0 : type.asciiValue ?? 0, UInt8(size), UInt8(count >> 8)]
      + [UInt8(count & 0xFF)] + bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// Returns a device with the number 1 and one fix at a latitude.
  private static func device(_ name: String, latitude: Int, precision: [UInt8] = [0, 154]) -> [UInt8] {
    let fields = [latitude * 10_000_000, 70_000_000, 540_000, 12_000, 1200]
    let fix = fields.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    return value(
      "DEVC", "0", size: 1,
      value("DVID", "L", size: 4, [0, 0, 0, 1]) + value("DVNM", "c", size: 1, Array(name.utf8))
        + value(
          "STRM", "0", size: 1,
          value("GPSF", "L", size: 4, [0, 0, 0, 3]) + value("GPSP", "S", size: 2, precision)
            + value("GPS5", "l", size: 20, fix)))
  }

  @Test("Samples with a precision of 99.99 have no fix")
  func unusablePrecision() {
    // 9998 and 9999.
    for (precision, count) in [([0x27, 0x0E], 1), ([0x27, 0x0F], 0)] as [([UInt8], Int)] {
      let transcript = Transcript(mp4: Self.device("Camera", latitude: 45, precision: precision))
      #expect(transcript.points.count == count)
      #expect(transcript.points.allSatisfy { $0.contains("pdop 99.98") })
      #expect(transcript.warnings.map(\.code) == (count == 0 ? [TrackWarning.Code.noFix] : []))
    }
  }

  @Test("A value outside the payloads is counted")
  func otherValue() {
    let payload = Self.device("Camera", latitude: 45)
    let transcript = Transcript(mp4: payload + Array("DEVX".utf8) + payload.dropFirst(4) + payload)
    #expect(transcript.points.count == 2)
    #expect(transcript.warnings.map(\.message) == ["value outside a payload, skipped"])
  }

  @Test("Samples that the tables of a film do not locate are counted")
  func unlocatedSamples() throws {
    let film = try Self.bytes("gopro-gps5.mp4")
    let whole = Transcript(mp4: film)
    let payloads = film.ranges(of: Array("DEVC".utf8)).count
    for (table, number) in [("stco", 8), ("stsz", 12)] {
      var bytes = film
      let place = try #require(bytes.firstRange(of: Array(table.utf8))?.lowerBound)
      // Only the first sample: the table states its length in four bytes, and is read to its end.
      let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
      let shorter = number + 4 + 4
      #expect(size > shorter + 4)
      let rest = size - shorter - 4
      bytes.replaceSubrange(place - 4..<place, with: [0, 0, 0, UInt8(shorter + 4)])
      // The rest becomes another box.
      let free = place - 4 + shorter + 4
      bytes.replaceSubrange(
        free..<(free + rest),
        with: [0, 0, 0, UInt8(rest)] + Array("free".utf8) + Array(repeating: 0, count: max(rest - 8, 0)))
      let transcript = Transcript(mp4: bytes)
      #expect(transcript.points.count < whole.points.count)
      #expect(Self.damage(transcript).map(\.count) == [payloads - 1], "\(table)")
    }
    var bytes = film
    let sizes = try #require(bytes.firstRange(of: Array("stsz".utf8))?.lowerBound) + 16
    bytes.replaceSubrange(sizes..<sizes + 4, with: [0, 0, 0, 0])
    #expect(
      Transcript(mp4: bytes).warnings.contains { $0.message == "empty payload, skipped" && $0.count == 1 })
  }

  @Test("Only the first of several devices with the same number is read, and the others are counted")
  func devices() {
    let payload = Self.device("Camera", latitude: 45) + Self.device("Karma", latitude: 46)
    let transcript = Transcript(mp4: payload + payload)
    let starts = transcript.points.map { $0.prefix(10) }
    #expect(starts == ["point 45 7", "point 45 7"])
    #expect(transcript.warnings.map(\.message) == ["fixes of another device in the film, skipped"])
    #expect(transcript.warnings.map(\.count) == [2])
  }

  @Test("A damaged payload is counted, and the bytes that fill it up are not damage")
  func damagedPayload() {
    let payload = Self.device("Camera", latitude: 45)
    for (byte, codes) in [(0xFF, [TrackWarning.Code.damaged]), (0, [])] as [(UInt8, [TrackWarning.Code])] {
      // The head of the device and its number have 20 bytes.
      let damaged = payload.prefix(20) + Array(repeating: byte, count: payload.count - 20)
      let transcript = Transcript(mp4: payload + damaged + payload)
      #expect(transcript.points.count == 2)
      #expect(transcript.warnings.map(\.code) == codes)
    }
    let hole = payload.prefix(20) + Array(repeating: 0, count: 8) + payload.dropFirst(28)
    let transcript = Transcript(mp4: payload + hole + payload)
    #expect(transcript.points.count == 2)
    #expect(transcript.warnings.map(\.code) == [.damaged])
  }

  /// Returns a film whose nth bytes that begin with `mark` are zeros up to the next ones.
  private static func blanked(_ film: [UInt8], mark: [UInt8], number: Int) -> [UInt8] {
    let starts = film.ranges(of: mark).map(\.lowerBound)
    var film = film
    let range = starts[number]..<starts[number + 1]
    film.replaceSubrange(range, with: Array(repeating: 0, count: range.count))
    return film
  }

  @Test(
    "Payloads and frames of zeros are counted as damage", arguments: ["gopro-gps5.mp4", "gopro-gps9.mp4"])
  func blankPayload(name: String) throws {
    let film = try Self.bytes(name)
    let whole = Transcript(mp4: film)
    let read = Transcript(mp4: Self.blanked(film, mark: Array("DEVC".utf8), number: 0))
    // A payload has four samples.
    #expect(read.points.count { $0.hasPrefix("point") } == whole.points.count { $0.hasPrefix("point") } - 4)
    #expect(Self.damage(read).map(\.message) == ["payload of zeros, skipped"])
    #expect(Self.damage(read).map(\.count) == [1])
    #expect(whole.warnings.allSatisfy { $0.code != .damaged })
  }

  @Test("Payloads of zeros at the end of a film are damage, unless the film is cut off, which is reported")
  func blankEnd() throws {
    let film = try Self.bytes("gopro-gps5.mp4")
    let starts = film.ranges(of: Array("DEVC".utf8)).map(\.lowerBound)
    let end = try #require(film.firstRange(of: Array("moov".utf8))?.lowerBound) - 4
    func withoutPayloads(_ range: Range<Int>) -> [UInt8] {
      var film = film
      film.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
      return film
    }
    let whole = Transcript(mp4: withoutPayloads(starts[3]..<end))
    #expect(Self.damage(whole).map(\.count) == [1])
    // The same film with its index before the payloads, whose offset grows by the index.
    let blank = withoutPayloads(starts[2]..<starts[3])
    var index = Array(blank[end...])
    for table in index.ranges(of: Array("stco".utf8)).map(\.lowerBound) {
      for place in (0..<Int(index[table + 11])).map({ table + 12 + 4 * $0 }) {
        let offset = index[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } + index.count
        for byte in 0..<4 { index[place + byte] = UInt8(truncatingIfNeeded: offset >> (24 - 8 * byte)) }
      }
    }
    let start = try #require(film.firstRange(of: Array("mdat".utf8))?.lowerBound) - 4
    let streamed = Self.joined(Array(blank[..<start]), index, Array(blank[start..<end]))
    #expect(Self.damage(Transcript(mp4: streamed)).map(\.count) == [1])
    let cut = Transcript(mp4: streamed.dropLast(20))
    #expect(cut.warnings.contains { $0.code == .truncated })
    #expect(cut.warnings.allSatisfy { $0.code != .damaged })
  }

  @Test("Frames of zeros are counted as damage")
  func blankFrame() throws {
    let film = try Self.bytes("tesla.mp4")
    let whole = Transcript(mp4: film)
    // The sizes of the first samples are in their table.
    let table = try #require(film.firstRange(of: Array("stsz".utf8))?.lowerBound)
    func number(_ index: Int) -> Int { film[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
    let common = number(table + 8)
    let size = common > 0 ? common : number(table + 16)
    let chunks = try #require(film.firstRange(of: Array("stco".utf8))?.lowerBound)
    let offset = number(chunks + 12)
    var blank = film
    blank.replaceSubrange(offset..<(offset + size), with: Array(repeating: 0, count: size))
    let read = Transcript(mp4: blank)
    #expect(Self.damage(read).map(\.message) == ["frame of zeros, skipped"])
    #expect(Self.damage(read).map(\.count) == [1])
    #expect(whole.warnings.allSatisfy { $0.code != .damaged })
  }

  @Test("Blocks of Novatek have degrees and minutes of 32 bits, and knots", arguments: [16, 48])
  func blocks(offset: Int) throws {
    let (document, points) = try track(try Self.bytes("novatek-\(offset).mp4"))
    #expect(document.info.creator == "dashcam with a Novatek processor")
    #expect(Self.offsets(points).map { $0 / 1_000_000 } == [1, 2, 3])
    let minutes = Double(Float(4656.886 + 0.0625)) - 4600
    #expect(abs(points.latitudes[0] - (46 + minutes / 60)) < 1e-12)
    #expect(abs(points.longitudes[0] + (7 + (Double(Float(726.844)) - 700) / 60)) < 1e-12)
    #expect(abs((points.value(.speed, at: 0) ?? 0) - 12.038) < 0.001)
    #expect(points.value(.course, at: 0) == 60)
  }

  @Test("Blocks of Novatek are found without their table, also in an unfinished film")
  func blocksWithoutTable() throws {
    let block = try Self.bytes("novatek-48.mp4")[(28 + 512)..<(28 + 1024)]
    var film = Array("\0\0\0\u{14}ftypmp41\0\0\0\0mp41\0\0\0\0mdat".utf8)
    for _ in 0..<3 { film += Array(repeating: 7, count: 0x8000 - film.count % 0x8000) + block }
    let transcript = Transcript(mp4: film)
    #expect(transcript.points.count == 3)
    #expect(transcript.warnings.map(\.code) == [.truncated, .timeWithoutZone])
    #expect(transcript.warnings.first?.message.contains("unfinished") == true)
  }

  @Test("A block with a sentence is read like a log of sentences")
  func blocksWithSentences() throws {
    var film = try Self.bytes("novatek-48.mp4")
    let sentence = Array("$GPRMC,061230.00,A,4656.886,N,00726.844,E,23.4,60.0,170524,,,A*52\r\n".utf8)
    film.replaceSubrange((28 + 60)..<(28 + 60 + sentence.count), with: sentence)
    for block in 1..<4 { film[28 + 512 * block + 4] = 0 }
    let transcript = Transcript(mp4: film)
    #expect(transcript.points.count == 1)
    #expect(transcript.points.first?.hasPrefix("point 46.9481 7.4474 2024-05-17T06:12:30Z") == true)
    #expect(transcript.warnings.map(\.code) == [.unknownBlock])
  }

  @Test("Sentences of BlackVue have their own times, and the copyright names the camera")
  func sentences() throws {
    let bytes = try Self.bytes("blackvue.mp4")
    let (document, points) = try track(bytes)
    #expect(document.info.creator == "BlackVue DR900S-2CH")
    #expect(Self.offsets(points) == [0, 1_000_000, 2_000_000, 3_000_000])
    #expect(abs(points.latitudes[3] - (46 + 56.883 / 60)) < 1e-9)
    // One correct checksum shows that the others are wrong.
    let marks = bytes.indices.filter { bytes[$0] == UInt8(ascii: "*") }
    for (changed, expected) in [(1, 3), (4, 4)] {
      var damaged = bytes
      for mark in marks.prefix(changed) { damaged[mark + 1] = UInt8(ascii: "Z") }
      #expect(Transcript(mp4: damaged).points.count == expected)
    }
  }

  @Test("Accelerations of BlackVue are reported as not read")
  func accelerations() throws {
    var reader = MP4Reader(film: ByteInput(bytes: try Self.bytes("blackvue.mp4")))
    _ = try TrackDocument(reading: &reader)
    #expect(reader.unsupportedContent.text == "5 accelerations of the camera")
  }

  @Test("Garmin's records have fractions of half a turn, and 360fly's have the time since the start")
  func records() throws {
    let (document, points) = try track(try Self.bytes("garmin-records.mp4"))
    #expect(document.info.creator == "Garmin dashcam")
    #expect(Self.offsets(points) == [1_000_000, 2_000_000, 3_000_000])
    // 27 mph.
    #expect(abs((points.value(.speed, at: 0) ?? 0) - 12.07008) < 1e-9)
    let fly = try track(try Self.bytes("360fly.mp4"))
    #expect(fly.0.info.creator == "360fly")
    #expect(Self.offsets(fly.1) == [0, 1_000_000, 2_000_000])
    #expect(abs(fly.1.latitudes[0] - 46.9481) < 2e-6)
    #expect(abs(fly.1.longitudes[0] - 7.4474) < 5e-7)
    #expect(fly.1.value(.elevation, at: 0) == 540)
    #expect(fly.1.value(.speed, at: 0) == 12.04)
    #expect(fly.1.value(.course, at: 0) == 60)
  }

  @Test("Subtitles have sentences or fixes of Garmin, which are dated by the film")
  func subtitles() throws {
    let (_, points) = try track(try Self.bytes("subtitles.mp4"))
    #expect(Self.offsets(points) == [0, 1_000_000, 2_000_000])
    #expect(abs(points.latitudes[2] - (46 + 56.882 / 60)) < 1e-9)
    let garmin = try track(try Self.bytes("garmin-subtitles.mp4")).1
    #expect(Self.offsets(garmin) == [1_000_000, 2_000_000, 3_000_000])
    #expect(abs((garmin.value(.speed, at: 0) ?? 0) - 12.07008) < 1e-9)
  }

  @Test("Blocks without a time are dated by their part of the film, without repeated fixes")
  func undatedBlocks() throws {
    // A film of 4 s from 2024-05-17T06:12:30Z, with four blocks, of which two and two are equal.
    let movie: [UInt8] = [0, 0, 0, 0] + Self.bigEndian(3_798_771_150, 3_798_771_150, 1000, 4000)
    let table = Self.bigEndian(0x101, 4) + (0..<4).flatMap { Self.bigEndian(28 + 256 * UInt32($0), 256) }
    let blocks: [UInt8] = (0..<4).flatMap { index -> [UInt8] in
      let latitude = UInt32(465_688_600 + 100 * (index / 2))
      let place: [UInt32] = [latitude, 72_684_400, 60, 43]
      var block: [UInt8] = [0, 0, 1, 0]
      block += Array("freeGPS ".utf8)
      block += [0x90, 0, 0, 0, 0, 0, 0x90, 0]
      block += [UInt8](repeating: 0, count: 10)
      block += [UInt8(ascii: "A")] + place.flatMap { Self.bigEndian($0.byteSwapped) }
      return block + [UInt8](repeating: 0, count: 256 - block.count)
    }
    let header = Self.box("mvhd", movie) + Self.box("gps ", table)
    let film = Self.joined(Self.type, Self.box("mdat", blocks), Self.box("moov", header))
    let (_, points) = try track(film)
    #expect(Self.offsets(points) == [0, 2_000_000])
    #expect(abs(points.latitudes[0] - 46.9481) < 1e-7)
  }

  @Test("Blocks of Novatek can be boxes of the film, or in them")
  func blocksAsBoxes() throws {
    let film = try Self.bytes("novatek-48.mp4")
    let blocks = stride(from: 28, to: 28 + 4 * 512, by: 512).map { Array(film[$0..<($0 + 512)]) }
    let reference = Transcript(mp4: film).text
    // A block begins with the size and the type of a box.
    #expect(Transcript(mp4: Self.type + blocks.joined() + Self.box("moov", [])).text == reference)
    let wrapped = blocks.flatMap { Self.box("free", Array($0[4...])) }
    #expect(Transcript(mp4: Self.type + wrapped + Self.box("moov", [])).text == reference)
    // A table replaces them.
    let table = Self.box("gps ", Self.bigEndian(0x101, 1, UInt32(Self.type.count), 512))
    #expect(Transcript(mp4: Self.type + blocks.joined() + Self.box("moov", table)).points.count == 0)
  }

  private static func bigEndian(_ values: UInt32...) -> [UInt8] {
    values.flatMap { value -> [UInt8] in
      [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: value >> shift) }
    }
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bigEndian(UInt32(content.count + 8)) + Array(type.utf8) + content
  }

  @Test("A film without positions before its pictures is refused in a pipe")
  func pipeWithoutTables() throws {
    let film = Self.joined(Self.type, Self.box("moov", []), Self.box("mdat", [1]))
    var reader = MP4Reader(film: ByteInput(stream: BytePieces(film, chunk: 100), name: nil))
    let error = Transcript(reading: &reader).error
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("no positions precede its pictures") == true)
  }

  @Test("The trailer of Insta360 has fixes with milliseconds")
  func trailer() throws {
    let bytes = try Self.bytes("insta360.mp4")
    let (document, points) = try track(bytes)
    #expect(document.info.creator == "Insta360")
    #expect(Self.offsets(points) == [1_125_000, 2_125_000, 3_125_000])
    #expect(abs(points.latitudes[0] - 46.948154) < 1e-6)
    #expect(abs(points.longitudes[0] + 7.447537) < 1e-6)
    #expect(points.value(.elevation, at: 0) == 540)
    #expect(points.value(.speed, at: 0) == 12)
    let transcript = Transcript(mp4: bytes)
    #expect(transcript.warnings.map(\.code) == [.noFix])
    // A trailer that is longer than the film is not one.
    var damaged = bytes
    damaged[bytes.count - 37] = 0xFF
    #expect(Transcript(mp4: damaged).points.count == 0)
    // A part that is longer than the trailer ends it.
    damaged = bytes
    damaged[bytes.count - 74] = 0xFF
    #expect(Transcript(mp4: damaged).points.count == 0)
  }

  @Test(
    "Positions of LIGOGPSINFO are enciphered in blocks, or text in a box", arguments: ["ligo", "ligo-text"])
  func ligo(name: String) throws {
    let (document, points) = try track(try Self.bytes(name + ".mp4"))
    let isText = name == "ligo-text"
    #expect(
      document.info.creator == (isText ? "dashcam with LIGOGPSINFO" : "dashcam with a Novatek processor"))
    let offsets = Self.offsets(points).suffix(3)
    #expect(offsets == [1_000_000, 2_000_000, 3_000_000])
    #expect(points.count == (isText ? 4 : 3))
    let latitude = try #require(points.latitudes.suffix(3).first)
    let longitude = try #require(points.longitudes.suffix(3).first)
    #expect(latitude == 46.948154)
    #expect(longitude == 7.447537)
    // 23.4 kn or 43.3 km/h.
    let speed = try #require(points.value(.speed, at: 0))
    #expect(abs(speed - (isText ? 43.3 : 23.4 * 1.852) / 3.6) < 1e-9)
    #expect(points.value(.course, at: 0) == 60)
  }

  @Test("Yada's LIGOGPSINFO has JSON objects in a box of its own")
  func ligoObjects() throws {
    func record(_ status: String, _ second: Int) -> [UInt8] {
      let text =
        "LIGOGPSINFO {\"Hour\": \"06\", \"Minute\": \"12\", \"Second\": \"\(second)\", \"Year\": \"2024\", \"Month\": "
        + "\"05\", \"Day\": \"17\", \"status\": \"\(status)\", \"NS\": \"S\", \"EW\": \"W\", \"Latitude\": \"46.9481\", "
        + "\"Longitude\": \"7.4474\", \"Speed\": \"36.0\", \"MHour\": \"08\", \"MMinute\": \"12\"}"
      return Array(text.utf8) + [UInt8](repeating: 0, count: 512 - text.utf8.count)
    }
    let content = record("V", 29) + record("A", 30) + record("A", 31)
    let film = Self.joined(Self.type, Self.box("moov", []), Self.box("udta", content))
    let (document, points) = try track(film)
    #expect(document.info.creator == "dashcam with LIGOGPSINFO")
    #expect(Self.offsets(points) == [0, 1_000_000])
    #expect(points.latitudes == [-46.9481, -46.9481])
    #expect(points.longitudes[0] == -7.4474)
    // 36 knots are 18.52 m/s.
    #expect(abs((points.value(.speed, at: 0) ?? 0) - 18.52) < 1e-9)
    #expect(Transcript(mp4: film).warnings.map(\.code) == [.noFix])
  }

  @Test("Transport streams have Novatek's blocks without their header, or records of LIGOGPSINFO")
  func transportStreams() throws {
    let bytes = try Self.bytes("novatek-stream.ts")
    let (document, points) = try track(bytes)
    #expect(document.info.creator == "dashcam with a transport stream")
    #expect(Self.offsets(points).map { $0 / 1_000_000 } == [1, 2, 3])
    // ExifTool reads these positions of the same bytes.
    #expect(abs(points.latitudes[0] - 46.9491455078125) < 1e-12)
    #expect(abs(points.longitudes[0] + 7.44739990234375) < 1e-12)
    #expect(Transcript(mp4: bytes).warnings.map(\.code) == [.noFix, .timeWithoutZone])
    // Bytes between two packets, and the packets of a position that are missing.
    var damaged = bytes
    damaged.insert(contentsOf: [1, 2, 3], at: 752)
    #expect(Transcript(mp4: damaged).points.count == 3)
    #expect(Self.damage(Transcript(mp4: damaged)).map(\.count) == [1])
    #expect(Transcript(mp4: Array(bytes.dropLast(376))).points.count == 2)
    let blank = Array(bytes.dropLast(376)) + Array(repeating: 0, count: 376)
    #expect(Transcript(mp4: blank).points.count == 2)
    #expect(Self.damage(Transcript(mp4: blank)).map(\.count) == [1])
    // Packets with a time before each of them. Damage in one does not affect the next ones.
    var timed: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 188) {
      timed += [0, 0, 1, UInt8(start / 188)] + bytes[start..<(start + 188)]
    }
    #expect(Transcript(mp4: timed).points == Transcript(mp4: bytes).points)
    #expect(Transcript(mp4: timed).warnings.allSatisfy { $0.code != .damaged })
    var parted = timed
    parted.insert(contentsOf: [1, 2, 3], at: 768)
    #expect(Transcript(mp4: parted).points.count == 3)
    var input192 = ByteInput(bytes: timed)
    #expect(try FormatRegistry.standard.detect(&input192) == .mp4)
    // The text of each position follows its enciphered form.
    let texts = try track(try Self.bytes("ligo-stream.ts")).1
    #expect(Self.offsets(texts).map { $0 / 1_000_000 } == [0, 1, 2, 3])
    #expect(texts.latitudes[1] == 46.948154)
    #expect(abs((texts.value(.speed, at: 1) ?? 0) - 43.3 / 3.6) < 1e-9)
    let pictures = Array(bytes[..<564]) + bytes[..<188]
    #expect(Transcript(mp4: pictures).warnings.map(\.code) == [.noPositions])
    var input = ByteInput(bytes: pictures)
    #expect(try FormatRegistry.standard.detect(&input) == .mp4)
    #expect(try MP4Reader.searchPositions(&input) == .none)
  }

  @Test("Tracks of camera motion have times of GPS and speeds to the east and north")
  func motion() throws {
    let (document, points) = try track(try Self.bytes("motion.mp4"))
    #expect(document.info.creator == "camera with a track of its motion")
    #expect(Self.offsets(points) == [1_000_000, 2_000_000, 3_000_000])
    #expect(points.value(.elevation, at: 0) == 540)
    // 3 m/s to the east and 4 m/s to the north.
    #expect(points.value(.speed, at: 0) == 5)
    #expect(abs((points.value(.course, at: 0) ?? 0) - 36.8699) < 0.0001)
    let transcript = Transcript(mp4: try Self.bytes("motion.mp4"))
    #expect(transcript.warnings.map(\.code) == [.noFix])
  }

  @Test("Frames of Tesla are dated by the film")
  func frames() throws {
    let (document, points) = try track(try Self.bytes("tesla.mp4"))
    #expect(document.info.creator == "Tesla dashcam")
    let steps: [Double] = [2, 3, 4, 5]
    #expect(points.latitudes == steps.map { 46.9481 + $0 * 0.0001 })
    #expect(Self.offsets(points) == [55_556, 83_333, 111_111, 138_889])
    #expect(points.value(.course, at: 0) == 60)
    let transcript = Transcript(mp4: try Self.bytes("tesla.mp4"))
    #expect(transcript.warnings.map(\.code) == [.noFix, .timeWithoutZone])
    #expect(transcript.warnings.first?.count == 2)
  }

  @Test("A film without a time is dated by its name")
  func nameWithTime() throws {
    var film = try Self.bytes("tesla.mp4")
    // The creation follows the version of the header.
    let header = try #require(film.firstRange(of: Array("mvhd".utf8))?.lowerBound)
    film.replaceSubrange((header + 8)..<(header + 12), with: [0, 0, 0, 0])
    func transcript(_ name: String?) -> Transcript {
      var reader = MP4Reader(film: ByteInput(bytes: film, name: name))
      return Transcript(reading: &reader, capacity: 64)
    }
    let dated = transcript("SavedClips/2024-05-17_06-12-30-front.mp4")
    #expect(dated.points == Transcript(mp4: try Self.bytes("tesla.mp4")).points)
    #expect(dated.warnings.map(\.code) == [.noFix, .timeWithoutZone])
    // Without a date, only the differences of the times are known: the points are those of 1999-09-09T09:09:09Z.
    for name in ["SavedClips/2024-05-17_06-12-30/front.mp4", "2024-05-17_26-12-30-front.mp4", nil] {
      let undated = transcript(name)
      #expect(undated.warnings.map(\.code) == [.noFix, .missingDate])
      #expect(undated.points.first?.contains(" 1999-09-09T09:09:09Z ") == true)
      #expect(undated.points.count == dated.points.count)
      #expect(undated.lines.contains { $0.contains("clock") })
    }
  }

  @Test("Frames in H.264 and H.265 have the same data after unit headers of one and two bytes")
  func framesOfBothCodecs() throws {
    func double(_ key: UInt8, _ value: Double) -> [UInt8] {
      [key << 3 | 1] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }
    let message = double(11, 46.9481) + double(12, 7.4474) + double(13, 60)
    let payload: [UInt8] = [5, UInt8(message.count + 3), 0x42, 0x42, 0x69] + message + [0x80]
    func sample(_ header: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(header.count + payload.count)] + header + payload
    }
    // Types 6 (H.264) and 39 (H.265), which follows the first bit.
    let frames = [
      TeslaFrame(sample: sample([6]).span), TeslaFrame(sample: sample([39 << 1, 1]).span, isH265: true),
    ]
    for frame in frames {
      let fix = try #require(frame?.fix)
      #expect(fix.coordinate == Coordinate(latitude: 46.9481, longitude: 7.4474))
      #expect(fix.course == 60)
      #expect(fix.channels == [0, 0, 0, 0, 0, 0, 0])
    }
    // A picture (type 19 of H.265) precedes the data.
    let picture: [UInt8] = [0, 0, 0, 2, 19 << 1, 1]
    #expect(TeslaFrame(sample: (picture + sample([39 << 1, 1])).span, isH265: true) == nil)
  }

  @Test("The pedals, the wheel, the gear and the accelerations of a Tesla are other channels")
  func carChannels() throws {
    func double(_ key: UInt8, _ value: Double) -> [UInt8] {
      // Keys above 15 have two bytes.
      let tag = key > 15 ? [key << 3 & 0x7F | 0x81, 1] : [key << 3 | 1]
      return tag + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }
    func float(_ key: UInt8, _ value: Float) -> [UInt8] {
      [key << 3 | 5] + (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }
    let message =
      [2 << 3, 1] + float(5, 37.5) + float(6, -12.25) + [9 << 3, 1] + double(11, 46.5) + double(12, 7.25)
      + double(14, 1.5) + double(15, -2) + double(16, 9.75)
    let payload: [UInt8] = [5, UInt8(message.count + 2), 0x42, 0x69] + message + [0x80]
    let frame = TeslaFrame(sample: ([0, 0, 0, UInt8(payload.count + 1), 6] + payload).span)
    let fix = try #require(frame?.fix)
    #expect(fix.channels == [1, 37.5, -12.25, 1, 1.5, -2, 9.75])
    var batch = PointBatch(capacity: 1)
    fix.append(to: &batch, time: Instant.absent)
    #expect(batch.details.first?.details.extraValues?.names == TeslaFrame.channels)
  }

  @Test("A film without positions has no track")
  func noPositions() throws {
    let transcript = Transcript(mp4: try Self.bytes("no-positions.mp4"))
    #expect(transcript.lines == ["header"])
    #expect(transcript.warnings.map(\.message) == ["no positions in this film"])
    #expect(Transcript(mp4: try Self.bytes("no-positions.mp4"), isStrict: true).error?.code == .warning)
  }

  @Test("A pipe is read if the positions follow their table or need none")
  func pipe() throws {
    func read(_ bytes: [UInt8]) throws -> Transcript {
      var input = ByteInput(stream: BytePieces(bytes, chunk: 100), name: nil)
      let format = try FormatRegistry.standard.detect(&input)
      var reader = format == .gpmf ? MP4Reader(telemetry: input) : MP4Reader(film: input)
      return Transcript(reading: &reader)
    }
    for name in ["blackvue.mp4", "gopro.gpmf"] {
      let bytes = try Self.bytes(name)
      #expect(try read(bytes).text == Transcript(mp4: bytes).text)
    }
    let error = try read(try Self.bytes("gopro-gps5.mp4")).error
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("index is after its data") == true)
    // The table first, with its offset of the samples moved by its length.
    let bytes = try Self.bytes("gopro-gps5.mp4")
    let length = 20 + Int(bytes.span.number(20, 4))
    let movie = bytes[length...]
    var moved = Array(bytes[..<20] + movie + bytes[20..<length])
    let table = try #require(moved.indices.first { moved[$0...].starts(with: "stco".utf8) }) + 12
    for chunk in 0..<4 {
      let offset = moved.span.number(table + chunk * 4, 4) + UInt64(movie.count)
      for byte in 0..<4 {
        moved[table + chunk * 4 + byte] = UInt8(truncatingIfNeeded: offset >> UInt64(24 - byte * 8))
      }
    }
    #expect(try read(moved).text == Transcript(mp4: bytes).text)
    // A film whose end is missing has its earlier samples.
    let cut = Transcript(mp4: Array(moved.dropLast(300)))
    #expect(cut.points.count == 8)
    #expect(cut.warnings.contains { $0.code == .truncated })
  }

  @Test("A film that ends before its index is reported as unfinished")
  func unfinished() throws {
    let bytes = try Self.bytes("gopro-gps5.mp4")
    let transcript = Transcript(mp4: Array(bytes.prefix(900)))
    #expect(transcript.lines == ["header"])
    #expect(transcript.warnings.map(\.code) == [.truncated, .truncated, .noPositions])
  }

  @Test("More boxes than the limit are a warning that names it")
  func boxes() throws {
    let film = try Self.bytes("gopro-gps5.mp4")
    let boxes = Array(repeating: Self.box("free", []), count: 100).joined()
    var limits = MP4Limits()
    limits.boxCount = 100
    let transcript = Transcript(mp4: Array(boxes) + film, limits: limits)
    #expect(transcript.points.isEmpty)
    #expect(transcript.warnings.map(\.code) == [.limitExceeded, .noPositions])
    #expect(transcript.warnings[0].message.contains("100 boxes"))
    #expect(Transcript(mp4: Array(boxes) + film).warnings.allSatisfy { $0.code != .limitExceeded })
  }

  @Test("The limits are those of the documentation")
  func documentedLimits() {
    let limits = MP4Limits()
    #expect(limits.fixCount == 262_144 && limits.tableCount == 262_144)
    #expect(limits.boxCount == 10_000 && limits.partCount == 1000)
    #expect(limits.textSize == 8 << 20 && limits.letterCount == 65_536)
  }

  private static let type = box("ftyp", Array("mp41\0\0\0\0mp41".utf8))

  /// Returns a film with samples of text.
  ///
  /// - Parameter runs: the numbers and durations of samples, in addition to one run of all.
  private static func film(texts: [[UInt8]], runs: Int = 0) -> [UInt8] {
    let count = UInt32(texts.count)
    let durations = bigEndian(0, UInt32(1 + runs), count, 1000) + [UInt8](repeating: 0, count: 8 * runs)
    let tables =
      box("stsd", bigEndian(0, 1, 16) + Array("text".utf8)) + box("stts", durations)
      + box("stsc", bigEndian(0, 1, 1, count, 1))
      + box("stsz", bigEndian(0, 0, count) + texts.flatMap { bigEndian(UInt32($0.count)) })
      + box("stco", bigEndian(0, 1, UInt32(type.count + 8)))
    let header = box("mdhd", bigEndian(0, 0, 0, 1000, 1000 * count, 0))
    let track = box("trak", box("mdia", header + box("minf", box("stbl", tables))))
    return type + box("mdat", texts.flatMap { $0 }) + box("moov", track)
  }

  private static let sentence = Array("$GPRMC,061230,A,4656.8860,N,00726.8440,E,1.0,60.0,170524,,\r\n".utf8)

  @Test("Texts and tables beyond their limits are counted warnings that name them")
  func textLimits() {
    let usual = Transcript(mp4: Self.film(texts: [Self.sentence]))
    #expect(usual.points.count == 1 && usual.warnings.isEmpty)
    let long = Self.sentence + [UInt8](repeating: 0x20, count: 4096)
    let texts = Transcript(mp4: Self.film(texts: [long, long]))
    #expect(texts.warnings.map(\.code) == [.limitExceeded])
    #expect(texts.warnings.first?.count == 2)
    #expect(texts.warnings.first?.message.contains("4 KiB") == true)
    // A hundred runs, and that of all samples, have two numbers each.
    var limits = MP4Limits()
    limits.tableCount = 200
    let table = Transcript(mp4: Self.film(texts: [Self.sentence], runs: 100), limits: limits)
    #expect(table.points.count == 1)
    #expect(table.warnings.map(\.code) == [.limitExceeded])
    #expect(table.warnings.first?.message.contains("200 numbers") == true)
    #expect(Transcript(mp4: Self.film(texts: [Self.sentence], runs: 99), limits: limits).warnings.isEmpty)
  }

  @Test("Sentences beyond their limit are counted warnings that name it")
  func sentenceLimit() {
    var limits = MP4Limits()
    limits.textSize = 8 << 10
    let sentences = Array(repeating: Self.sentence, count: 150)
    let box = Self.box("free", Self.box("gps ", sentences.flatMap { $0 }))
    let transcript = Transcript(mp4: Self.type + box + Self.box("moov", []), limits: limits)
    let exceeded = transcript.warnings.filter { $0.code == .limitExceeded }
    #expect(exceeded.map(\.count) == [1])
    // Of texts, sentences end with a line feed, and one may exceed 8 KiB.
    let length = Self.sentence.count - 1
    let kept = ((8 << 10) + length - 1) / length
    let texts = Transcript(mp4: Self.film(texts: sentences), limits: limits)
      .warnings.first { $0.code == .limitExceeded }
    #expect(texts?.count == 150 - kept)
    #expect(texts?.message.contains("8 KiB") == true)
  }

  @Test("Enciphered records, blocks and parts of a trailer beyond their limits are warnings that name them")
  func otherLimits() throws {
    let letters = try Self.bytes("ligo-letters.mp4")
    let start = try #require(letters.indices.first { letters[$0...].starts(with: "####".utf8) })
    let records = Array(letters[start...])
    #expect(records.count.isMultiple(of: 132))
    var limits = MP4Limits()
    limits.letterCount = 250
    let repeats = limits.letterCount / (records.count / 132) + 1
    let content = Array(letters[(start - 20)..<start]) + Array(repeating: records, count: repeats).joined()
    let film = Transcript(mp4: Self.type + Self.box("moov", []) + Self.box("skip", content), limits: limits)
    let warning = try #require(film.warnings.first { $0.code == .limitExceeded })
    #expect(warning.count == repeats * (records.count / 132) - 250)
    #expect(warning.message.contains("250 enciphered records"))

    limits.tableCount = 100
    let table = Self.box("gps ", [UInt8](repeating: 0, count: 4 * 101))
    let blocks = Transcript(mp4: Self.type + Self.box("moov", table), limits: limits)
    #expect(blocks.warnings.map(\.code) == [.limitExceeded])

    // Empty parts of six bytes, and the end of the trailer with its size.
    var end = [UInt8](repeating: 0, count: 38) + [UInt8(truncatingIfNeeded: 6138), UInt8(6138 >> 8), 0, 0]
    end += [0, 0, 0, 0] + Array("8db42d694ccc418790edff439fe026bf".utf8)
    let trailer = [UInt8](repeating: 0, count: 6060) + end
    let parts = Transcript(mp4: Self.type + Self.box("moov", []) + trailer)
    #expect(parts.warnings.map(\.code) == [.limitExceeded, .noPositions])
    #expect(parts.warnings.first?.message.contains("1000 parts") == true)
  }

  @Test("Telemetry that ends inside a payload has its earlier fixes")
  func cutTelemetry() throws {
    let bytes = try Self.bytes("gopro.gpmf")
    let transcript = Transcript(mp4: Array(bytes.dropLast(20)))
    #expect(transcript.points.count == 11)
    #expect(transcript.warnings.map(\.code) == [.truncated])
    #expect(Transcript(mp4: Array(bytes.dropLast(20)), isStrict: true).error?.code == .warning)
  }

  @Test("Samples that overlap end the film, so that its size bounds the work")
  func overlap() throws {
    var bytes = try Self.bytes("gopro-gps5.mp4")
    let table = try #require(bytes.indices.first { bytes[$0...].starts(with: "stco".utf8) }) + 12
    bytes.replaceSubrange((table + 4)..<(table + 8), with: bytes[table..<(table + 4)])
    let transcript = Transcript(mp4: bytes)
    #expect(transcript.points.count == 4)
    #expect(transcript.warnings.map(\.code) == [.damaged])
  }

  @Test("Payloads that are too large to read have to be in the film, so that its size bounds the work")
  func largePayloads() throws {
    var bytes = try Self.bytes("gopro-gps5.mp4")
    func table(_ name: String) throws -> Int {
      try #require(bytes.indices.first { bytes[$0...].starts(with: name.utf8) })
    }
    // The size and the number of all samples, and the number in each chunk.
    try bytes.replaceSubrange((table("stsz") + 8)..<(table("stsz") + 16), with: [0, 0x60, 0, 0, 0, 16, 0, 0])
    try bytes.replaceSubrange((table("stsc") + 16)..<(table("stsc") + 20), with: [0, 16, 0, 0])
    let transcript = Transcript(mp4: bytes)
    #expect(transcript.points.count == 0)
    #expect(transcript.warnings.map(\.code) == [.truncated])
  }

  @Test("Sizes of boxes can have 64 bits or extend to the end of the film")
  func sizes() throws {
    let bytes = try Self.bytes("gopro-gps5.mp4")
    let length = 20 + Int(bytes.span.number(20, 4))
    let reference = Transcript(mp4: bytes).text
    var open = bytes
    open.replaceSubrange(length..<(length + 4), with: [0, 0, 0, 0])
    #expect(Transcript(mp4: open).text == reference)
    var wide = Array(bytes[..<length])
    let size = UInt32(bytes.count - length + 8)
    wide += Self.joined([0, 0, 0, 1], Array("moov".utf8), [0, 0, 0, 0], Self.bigEndian(size))
    wide += bytes[(length + 8)...]
    #expect(Transcript(mp4: wide).text == reference)
  }

  @Test("A film is searched for positions without losing the start of the input")
  func search() throws {
    let expected: [(String, MP4Reader.PositionSearch)] = [
      ("gopro-gps5.mp4", .found), ("tesla.mp4", .found), ("no-positions.mp4", .none),
    ]
    for (name, expected) in expected {
      let bytes = try Self.bytes(name)
      var input = ByteInput(bytes: bytes, chunk: 64)
      #expect(try MP4Reader.searchPositions(&input) == expected)
      #expect(input.offset == 0)
      try input.fill(atLeast: 16)
      #expect(input.available.extracting(first: 8).array == Array(bytes.prefix(8)))
    }
    var pipe = ByteInput(stream: BytePieces([1, 2], chunk: 1), name: nil)
    #expect(try MP4Reader.searchPositions(&pipe) == .unsearchable)
  }

  @Test("A film without positions is unfinished if its index is missing or cut off")
  func searchOfUnfinished() throws {
    let bytes = try Self.bytes("gopro-gps5.mp4")
    let index = try #require(bytes.firstRange(of: Array("moov".utf8))?.lowerBound)
    // The tables of the only track are at the end of the index.
    for count in [20, index - 4, index + 100] {
      var input = ByteInput(bytes: Array(bytes[..<count]))
      #expect(try MP4Reader.searchPositions(&input) == .unfinished)
    }
  }

  @Test("The number of buffered fixes does not affect the points of a short film")
  func rowLimit() throws {
    let bytes = try Self.bytes("gopro-gps5.mp4")
    var limits = MP4Limits()
    limits.fixCount = 1
    #expect(Transcript(mp4: bytes, limits: limits).text == Transcript(mp4: bytes).text)
  }

  @Test("A fixture matches its golden transcript, for chunks and batches of any size", arguments: fixtures)
  func golden(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    try Golden.expect(Transcript(mp4: bytes), of: fixture)
    Transcript.expectInvariance(bytes.count) { Transcript(mp4: bytes, chunk: $0, capacity: $1) }
  }

  @Test("Corpus files have the content that other readers find", arguments: CorpusFigures.all(in: "mp4"))
  func corpus(_ figures: CorpusFigures) throws {
    var input = ByteInput(bytes: try figures.bytes())
    let format = try FormatRegistry.standard.detect(&input)
    #expect(format == (figures.file.hasSuffix(".mp4") ? .mp4 : .gpmf))
    var reader = format == .mp4 ? MP4Reader(film: input) : MP4Reader(telemetry: input)
    #expect(figures.differences(from: try TrackDocument(reading: &reader)) == [])
  }

  @Test("Times of blocks are those of the camera's clock, unless the film's time differs by a zone")
  func clockOfBlocks() throws {
    let film = try Self.bytes("novatek-48.mp4")
    // The creation of the film, in seconds since 1904, follows the version of its header.
    let header = try #require(film.firstRange(of: Array("mvhd".utf8))?.lowerBound)
    for (shift, isLocal) in [(0, true), (7200, false), (100_000, true)] as [(UInt32, Bool)] {
      var shifted = film
      shifted.replaceSubrange(
        (header + 8)..<(header + 12), with: Self.bigEndian(3_798_771_150 + shift))
      let transcript = Transcript(mp4: shifted)
      #expect(transcript.warnings.map(\.code).contains(.timeWithoutZone) == isLocal)
      #expect(transcript.points == Transcript(mp4: film).points)
    }
  }
}
