import Testing
import TrackModel

@testable import TrackFormats

@Suite("FIT reader")
struct FITReaderTests {
  /// 2024-05-17T06:00:00Z in seconds since 1970, computed with `date -u -d`.
  private static let start: Int64 = 1_715_925_600_000_000

  private static func degrees(_ semicircles: Int32) -> Double { Double(semicircles) * 180 / 2_147_483_648 }

  private func file(_ build: (inout FITBuilder) -> Void) -> [UInt8] {
    var file = FITBuilder()
    file.addFileID()
    build(&file)
    return file.file()
  }

  // MARK: Values

  @Test("The values of a record are read unchanged", arguments: [false, true])
  func values(isBigEndian: Bool) throws {
    let points = try FITReading.onlyPoints(
      file {
        $0.addRecord(
          5, 560_111_457, -88_850_943, bigEndian: isBigEndian,
          [
            .uint16(2, 5200), .uint8(3, 143), .uint8(4, 85), .uint32(5, 123_456), .uint16(6, 12_345),
            .uint16(7, 250), .sint8(13, -7), .uint8(31, 4), .uint8(53, 64), .uint32(92, 1500),
          ])
      })
    #expect(points.count == 1)
    #expect(abs(points.latitudes[0] - Self.degrees(560_111_457)) < 1e-9)
    #expect(abs(points.longitudes[0] - Self.degrees(-88_850_943)) < 1e-9)
    #expect(points.times[0] == Self.start + 5_000_000)
    // 5200 / 5 − 500; 85 + 64 / 128; centimetres, millimetres per second, millimetres.
    let expected: [Channel: Double] = [
      .elevation: 540, .heartRate: 143, .cadence: 85.5, .distance: 1234.56, .speed: 12.345, .power: 250,
      .temperature: -7, .horizontalAccuracy: 4, .depth: 1.5,
    ]
    for channel in Channel.allCases { #expect(points.value(channel, at: 0) == expected[channel]) }
  }

  @Test("A record with a wrong date changes neither sessions nor segments", arguments: [0, 5, 9, 19])
  func wrongClock(row: UInt32) throws {
    func segments(_ wrong: UInt32?) throws -> [Int] {
      try FITReading.points(
        file {
          $0.addTimer(0, 0)
          for second in 0..<20 as Range<UInt32> {
            if second == 10 {
              $0.addTimer(9, 4)
              $0.addTimer(110, 0)
            }
            let time = second < 10 ? second : second + 100
            $0.addRecord(second == wrong ? 63_000_000 : time, 560_000_000 + Int32(second) * 1000, 88_000_000)
          }
          $0.addTimer(119, 4)
        }
      ).map(\.count)
    }
    #expect(try segments(nil) == [10, 10])
    #expect(try segments(row) == [10, 10])
  }

  @Test("Latitude and longitude 0, the poles and ±180° are valid positions")
  func places() throws {
    let quarter: Int32 = 1 << 30
    let points = try FITReading.onlyPoints(
      file {
        $0.addRecord(0, 0, 0)
        $0.addRecord(1, quarter, .min)
        $0.addRecord(2, -quarter, .max - 1)
      })
    #expect(points.latitudes == [0, 90, -90])
    #expect(points.longitudes[0] == 0 && points.longitudes[1] == -180)
    #expect(abs(points.longitudes[2] - 180) < 2e-7)
  }

  @Test("Invalid values are nil, and a record with an invalid position is skipped")
  func invalid() throws {
    let (document, warnings) = try FITReading.document(
      file {
        $0.addRecord(
          0, 1000, 2000,
          [
            .uint16(2, 0xFFFF), .uint8(3, 0xFF), .uint8(4, 0xFF), .uint32(5, .max), .uint16(6, 0xFFFF),
            .uint16(7, 0xFFFF), .sint8(13, 0x7F), .byte(8, 0xFF, 0xFF, 0xFF),
          ])
        $0.addRecord(1, .max, 2000)
        $0.addRecord(2, 1000, .max)
        $0.add(20, local: 0, [.uint32(253, .max), .sint32(0, 5), .sint32(1, 6)])
      })
    let points = try #require(document.tracks.first?.segments.first?.points)
    #expect(points.count == 2)
    #expect(points.channels.channels.allSatisfy { points.value($0, at: 0) == nil })
    #expect(points.time(at: 1) == nil)
    #expect(warnings.map(\.code) == [.missingPosition] && warnings.map(\.count) == [2])
  }

  @Test("Valid enhanced fields take precedence over other fields, in any order")
  func enhanced() throws {
    let points = try FITReading.onlyPoints(
      file {
        $0.addRecord(
          0, 1, 1, [.uint32(78, 100_000), .uint16(2, 5200), .uint32(73, 70_000), .uint16(6, 9000)])
        $0.addRecord(1, 1, 1, [.uint32(78, .max), .uint16(2, 5200), .uint32(73, .max), .uint16(6, 9000)])
      })
    #expect(points.value(.elevation, at: 0) == 19_500 && points.value(.speed, at: 0) == 70)
    #expect(points.value(.elevation, at: 1) == 540 && points.value(.speed, at: 1) == 9)
  }

  @Test("Compressed speed and distance are accumulated across rollovers")
  func compressedSpeedDistance() throws {
    // Twelve bits of cm/s, twelve bits of 1/16 m: 4000, then 96 (192 more after a rollover), then 3000.
    func field(_ speed: Int, _ distance: Int) -> FITBuilder.Field {
      .byte(8, UInt8(speed & 0xFF), UInt8(speed >> 8 | (distance & 0xF) << 4), UInt8(distance >> 4))
    }
    let points = try FITReading.onlyPoints(
      file {
        $0.addRecord(0, 1, 1, [field(1234, 4000)])
        $0.addRecord(1, 1, 1, [field(0, 96)])
        $0.addRecord(2, 1, 1, [field(0xFFF, 3000)])
        $0.addRecord(3, 1, 1, [.byte(8, 0xFF, 0xFF, 0xFF)])
        $0.addRecord(4, 1, 1, [field(100, 3016)])
      })
    #expect((0..<5).map { points.value(.distance, at: $0) } == [250, 262, 443.5, nil, 444.5])
    #expect((0..<5).map { points.value(.speed, at: $0) } == [12.34, 0, nil, nil, 1])
  }

  @Test("The first value of an array is used; texts and fields of odd sizes have no value")
  func arrays() throws {
    let points = try FITReading.onlyPoints(
      file {
        $0.addRecord(
          0, 1, 1,
          [
            .uint8(3, 120, 121), .uint16(7, 250, 251, 252),
            FITBuilder.Field(4, type: 0x07, bytes: [65]),
            FITBuilder.Field(13, type: 0x86, bytes: [21]),
            FITBuilder.Field(5, type: 0x86, bytes: [1, 2, 3]),
            FITBuilder.Field(2, type: 0x1E, bytes: [1, 2]),
            FITBuilder.Field(6, type: 0x84, bytes: []),
          ])
      })
    #expect(points.value(.heartRate, at: 0) == 120 && points.value(.power, at: 0) == 250)
    #expect(points.value(.temperature, at: 0) == 21)
    #expect(
      [Channel.cadence, .distance, .elevation, .speed].allSatisfy { points.value($0, at: 0) == nil })
  }

  @Test("Fractions of seconds are added to the timestamp")
  func time128() throws {
    let points = try FITReading.onlyPoints(
      file { $0.addRecord(3, 1, 1, [.uint8(48, 32)]) })
    #expect(points.times == [Self.start + 3_250_000])
  }

  // MARK: Messages

  @Test(
    "Headers of both sizes are read, with a checksum or zero in its place",
    arguments: [(12, true), (14, true), (14, false)])
  func headers(_ size: Int, _ hasChecksum: Bool) throws {
    var file = FITBuilder()
    file.addFileID()
    file.addRecord(0, 1, 2)
    let (document, warnings) = try FITReading.document(
      file.file(headerSize: UInt8(size), hasHeaderChecksum: hasChecksum))
    #expect(document.tracks.first?.segments.first?.points.count == 1)
    #expect(warnings.isEmpty)
  }

  @Test("A definition applies until its local type is redefined, even in the other byte order")
  func redefinition() throws {
    let points = try FITReading.onlyPoints(
      file {
        $0.addRecord(0, 100, 200, [.uint8(3, 100)])
        $0.addRecord(1, 101, 201, bigEndian: true, [.uint16(2, 5000)])
        $0.add(21, local: 0, [.enumeration(0, 9)])
        $0.addRecord(2, 102, 202, [.uint8(3, 102)])
      })
    #expect(points.times == [0, 1, 2].map { Self.start + $0 * 1_000_000 })
    #expect((0..<3).map { points.value(.heartRate, at: $0) } == [100, nil, 102])
    #expect(points.value(.elevation, at: 1) == 500)
  }

  @Test("Compressed timestamps replace five bits and roll over every 32 seconds")
  func compressedTimestamps() throws {
    // The low five bits of the start are 0 (1,084,860,000 = 32 × 33,901,875).
    #expect(FITBuilder.start % 32 == 0)
    let offsets: [UInt8] = [12, 12, 31, 0, 30, 29, 5]
    let points = try FITReading.onlyPoints(
      file {
        $0.addRecord(10, 1, 1)
        for offset in offsets { $0.add(20, local: 1, offset: offset, [.sint32(0, 1), .sint32(1, 1)]) }
        // A full timestamp of any message is the reference for the next compressed ones.
        $0.add(23, local: 4, [.uint32(253, FITBuilder.start + 1000), .uint8(0, 3)])
        $0.add(20, local: 1, offset: 9, [.sint32(0, 1), .sint32(1, 1)])
      })
    // 10; 12; again 12; 31; 0 → 32; 30 → 62; 29 rolls over → 93; 5 → 101; 1000 = 31 × 32 + 8, so 9 → 1001.
    #expect(
      points.times.map { ($0 - Self.start) / 1_000_000 } == [10, 12, 12, 31, 32, 62, 93, 101, 1001])
  }

  @Test("A compressed timestamp without a reference is ignored")
  func compressedWithoutReference() throws {
    var file = FITBuilder()
    file.add(20, local: 1, offset: 12, [.sint32(0, 1), .sint32(1, 1)])
    #expect(try FITReading.onlyPoints(file.file()).time(at: 0) == nil)
  }

  @Test("Chained files are all read, each with its own definitions and timestamps")
  func chained() throws {
    var first = FITBuilder()
    first.addFileID()
    first.addRecord(0, 10, 20, [.uint8(3, 99)])
    var second = FITBuilder()
    second.addFileID()
    second.addRecord(100, 30, 40)
    let (document, warnings) = try FITReading.document(
      first.file() + second.file(headerSize: 12) + first.file())
    #expect(document.tracks.count == 3)
    #expect(
      document.tracks.flatMap(\.segments).flatMap(\.points.times)
        == [0, 100_000_000, 0].map { Self.start + $0 })
    #expect(warnings.isEmpty)
    // A definition of the first file does not apply to the second.
    var bare = FITBuilder()
    bare.add(raw: [0x00] + Array(repeating: 0, count: 13))
    let broken = Transcript(fit: first.file() + bare.file())
    #expect(broken.points.count == 1)
    #expect(broken.warnings.map(\.code) == [.damaged])
  }

  // MARK: Developer fields

  private func description(_ number: UInt8, type: UInt8, native: UInt8, more: [FITBuilder.Field] = [])
    -> [FITBuilder.Field]
  {
    [.uint8(0, 0), .uint8(1, number), .uint8(2, type), .text(3, "field", size: 8), .uint8(15, native)] + more
  }

  @Test("A developer field overrides the native field in its description", arguments: [false, true])
  func developerFields(isBigEndian: Bool) throws {
    // The bits of 12.5 as a float are 41 48 00 00.
    let bytes: [UInt8] = isBigEndian ? [0x41, 0x48, 0, 0] : [0, 0, 0x48, 0x41]
    let points = try FITReading.onlyPoints(
      file {
        $0.add(206, local: 6, description(3, type: 0x88, native: 6, more: [.uint16(14, 20)]))
        $0.addRecord(
          0, 1, 1, bigEndian: isBigEndian, [.uint16(6, 9000)],
          developer: [FITBuilder.DeveloperField(number: 3, bytes: bytes)])
        $0.addRecord(
          1, 1, 1, bigEndian: isBigEndian, [.uint16(6, 9000)],
          developer: [FITBuilder.DeveloperField(number: 3, bytes: [0xFF, 0xFF, 0xFF, 0xFF])])
      })
    #expect(points.value(.speed, at: 0) == 12.5)
    #expect(points.value(.speed, at: 1) == 9)
  }

  @Test("A developer field is read even if its description follows its values")
  func lateDescription() throws {
    let (document, warnings) = try FITReading.document(
      file {
        for second in 0..<100 as Range<UInt32> {
          $0.addRecord(
            second, 1, 1, [.uint8(3, 80)],
            developer: [
              FITBuilder.DeveloperField(number: 1, bytes: [UInt8(second), 1]),
              FITBuilder.DeveloperField(
                number: 2, application: 9, bytes: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
            ])
        }
        // Watts: (raw / 2) − 10.
        $0.add(
          206, local: 6, description(1, type: 0x84, native: 7, more: [.uint8(6, 2), .sint8(7, 10)]))
      })
    let points = try #require(document.tracks.first?.segments.first?.points)
    let watts: [Double?] = (0..<100).map { points.value(.power, at: $0) }
    let expected: [Double?] = (0..<100).map { (second: Int) -> Double in Double(256 + second) / 2 - 10 }
    #expect(watts == expected)
    // The other field was never described. Its bytes are skipped with a warning.
    #expect(points.value(.heartRate, at: 99) == 80)
    #expect(warnings.map(\.code) == [.undescribedField] && warnings.map(\.count) == [100])
  }

  @Test(
    "Values of developer fields are converted from their units",
    arguments: [
      // In hundredths: 36 km/h, 50 °F, 1 km, 10 m/s.
      (UInt8(6), "km/h", 3600, Channel.speed, 10.0), (13, "F", 5000, .temperature, 10),
      (5, "km", 100, .distance, 1000), (6, "m/s", 1000, .speed, 10), (7, "watts", 20_000, .power, 200),
    ])
  func units(native: UInt8, unit: String, raw: Int, channel: Channel, expected: Double) throws {
    let points = try FITReading.onlyPoints(
      file {
        $0.add(
          206, local: 6,
          description(1, type: 0x84, native: native, more: [.uint8(6, 100), .text(8, unit, size: 8)]))
        $0.addRecord(
          0, 1, 1, [.uint8(3, 80)],
          developer: [FITBuilder.DeveloperField(number: 1, bytes: [UInt8(raw & 255), UInt8(raw >> 8)])])
      })
    #expect(abs((points.value(channel, at: 0) ?? .nan) - expected) < 1e-9)
  }

  @Test("A developer field that overrides no field, or one of another message, changes nothing")
  func otherDeveloperFields() throws {
    let points = try FITReading.onlyPoints(
      file {
        $0.add(206, local: 6, description(1, type: 0x02, native: 3, more: [.uint16(14, 18)]))
        $0.add(206, local: 6, description(2, type: 0x02, native: 0xFF))
        $0.addRecord(
          0, 1, 1, [.uint8(3, 80)],
          developer: [1, 2].map { FITBuilder.DeveloperField(number: $0, bytes: [200]) })
      })
    #expect(points.value(.heartRate, at: 0) == 80)
    #expect(points.channels == [ChannelSet(.heartRate)])
  }

  @Test("Unsupported developer fields are reported by name, even in strict reading")
  func unplacedFields() throws {
    let bytes = file {
      for second in 0..<4 as Range<UInt32> {
        // The third record has no value.
        $0.addRecord(
          second, 1, 1, developer: [FITBuilder.DeveloperField(number: 1, bytes: [second == 2 ? 0xFF : 7])])
        if second == 1 {
          $0.add(
            206, local: 6, description(1, type: 0x02, native: 0xFF))
        }
      }
    }
    for isStrict in [false, true] {
      let transcript = Transcript(fit: bytes, isStrict: isStrict)
      #expect(transcript.error == nil && transcript.points.count == 4)
      #expect(transcript.warnings.map(\.code) == [.unplacedField] && transcript.warnings.map(\.count) == [3])
      #expect(transcript.warnings[0].offendingText == "field")
    }
  }

  // MARK: Records that share a second

  @Test("Records with position and sensors of the same second become one point, in either order")
  func sharedSeconds() throws {
    func sensors(_ second: UInt32, _ fields: FITBuilder.Field...) -> [FITBuilder.Field] {
      [.uint32(253, FITBuilder.start + second)] + fields
    }
    let (document, warnings) = try FITReading.document(
      file {
        $0.addRecord(0, 1, 1, [.uint8(4, 80)])
        $0.add(20, local: 3, sensors(0, .uint8(3, 120), .uint8(4, 99)))
        $0.add(20, local: 3, sensors(1, .uint8(3, 121), .uint8(4, 81)))
        $0.addRecord(1, 2, 2, [.uint8(4, 82)])
        // A second without a position.
        $0.add(20, local: 3, sensors(2, .uint8(3, 122), .uint8(4, 83)))
        $0.addRecord(3, 3, 3, [.uint8(4, 84)])
        $0.add(20, local: 3, sensors(4, .uint8(3, 123), .uint8(4, 85)))
      })
    let points = try #require(document.tracks.first?.segments.first?.points)
    #expect(points.times == [0, 1, 3].map { Self.start + $0 * 1_000_000 })
    #expect((0..<3).map { points.value(.heartRate, at: $0) } == [120, 121, nil])
    // Values of the record with the position take precedence.
    #expect((0..<3).map { points.value(.cadence, at: $0) } == [80, 82, 84])
    #expect(warnings.map(\.code) == [.missingPosition] && warnings.map(\.count) == [2])
  }

  // MARK: Device time

  @Test("Times since the device's start become dates, even times before the device reports its date")
  func uptime() throws {
    let points = try FITReading.onlyPoints(
      file {
        $0.add(20, local: 0, [.uint32(253, 60), .sint32(0, 1), .sint32(1, 1)])
        // 70.25 s after the device's start are 100.5 s after the start of the test's clock.
        $0.add(
          162, local: 7,
          [
            .uint32(253, FITBuilder.start + 100), .uint32(1, 70), .uint16(4, 500), .uint16(5, 250),
          ])
        $0.add(20, local: 0, [.uint32(253, 80), .sint32(0, 1), .sint32(1, 1)])
      })
    #expect(points.times == [Self.start + 90_250_000, Self.start + 110_250_000])
  }

  @Test("Times since the device's start are ignored if no message relates them to a date")
  func uptimeAlone() throws {
    let (document, warnings) = try FITReading.document(
      file { $0.add(20, local: 0, [.uint32(253, 60), .sint32(0, 1), .sint32(1, 1)]) })
    #expect(document.tracks.first?.segments.first?.points.time(at: 0) == nil)
    #expect(warnings.map(\.code) == [.uptime])
  }

  @Test("Camera positions become points if the records have no positions")
  func camera() throws {
    func metadata(_ milliseconds: UInt16) -> [FITBuilder.Field] {
      [
        .uint32(253, FITBuilder.start), .uint16(0, milliseconds), .sint32(1, 500), .sint32(2, 600),
        .uint32(3, 5000), .uint32(4, 8000), .uint16(5, 27_012),
      ]
    }
    let bytes = file {
      $0.add(20, local: 0, [.uint32(253, FITBuilder.start), .uint8(3, 90)])
      for milliseconds in [109, 209, 309] as [UInt16] { $0.add(160, local: 5, metadata(milliseconds)) }
    }
    let points = try FITReading.onlyPoints(bytes)
    #expect(points.times == [109_000, 209_000, 309_000].map { Self.start + $0 })
    #expect(points.value(.course, at: 0) == 270.12 && points.value(.speed, at: 0) == 8)
    #expect(points.value(.elevation, at: 0) == 500)
    // If records have positions, only these become points.
    let both = file {
      $0.add(160, local: 5, metadata(109))
      $0.addRecord(1, 1, 1)
      $0.add(160, local: 5, metadata(209))
    }
    #expect(try FITReading.onlyPoints(both).times == [Self.start + 1_000_000])
    func unsupportedContent(_ bytes: [UInt8]) throws -> String {
      var reader = FITReader(ByteInput(bytes: bytes))
      _ = try TrackDocument(reading: &reader)
      return reader.unsupportedContent.text
    }
    #expect(try unsupportedContent(both + both) == "4 camera positions in addition to those of records")
    #expect(try unsupportedContent(bytes) == "")
  }

  @Test("Heart rates between the records and the kinds of laps are counted as content that is not read")
  func uncounted() throws {
    let bytes = file {
      $0.addRecord(0, 1, 1)
      for beat in [140, 141] as [UInt8] {
        $0.add(132, local: 5, [.uint32(253, FITBuilder.start), .uint8(6, beat)])
      }
      $0.addRecord(9, 1, 2)
      for (second, intensity) in [(3, 0), (6, 1), (9, 3)] as [(UInt32, UInt8)] {
        $0.add(
          19, local: 3,
          [
            .uint32(253, FITBuilder.start + second), .uint32(2, FITBuilder.start + second - 3),
            .uint32(7, 3000), .enumeration(23, intensity),
          ])
      }
    }
    var reader = FITReader(ByteInput(bytes: bytes))
    let document = try TrackDocument(reading: &reader)
    #expect(document.tracks[0].info.laps.count == 3)
    #expect(
      reader.unsupportedContent.text
        == "2 messages with heart rates between records, 2 kinds of laps, such as rest")
  }

  // MARK: Tracks and segments

  @Test("A pause splits segments when the timer restarts, not when it stops")
  func pauses() throws {
    let (document, _) = try FITReading.document(
      file {
        $0.addTimer(0, 0)
        for second in 0...10 as ClosedRange<UInt32> { $0.addRecord(second, 1, Int32(second)) }
        $0.addTimer(10, 4)
        // Devices write one more record after the stop.
        $0.addRecord(11, 1, 11)
        $0.addTimer(70, 0)
        for second in 70...90 as ClosedRange<UInt32> { $0.addRecord(second, 1, Int32(second)) }
        $0.addTimer(90, 4)
        $0.addSession(start: 0, end: 90, elapsed: 90, timer: 30, sport: 24)
      })
    let segments = try #require(document.tracks.first).segments.map(\.points)
    #expect(document.tracks.count == 1)
    #expect(segments.map(\.count) == [12, 21])
    #expect(segments.map { $0.times.first } == [Self.start, Self.start + 70_000_000])
    #expect(document.tracks.first?.info.type == "driving")
    #expect(
      document.tracks.first?.info.timeSpan
        == TimeSpan(
          begin: Instant(microseconds: Self.start), end: Instant(microseconds: Self.start + 90_000_000)))
  }

  @Test("Records during a pause are kept but do not add to the timer time")
  func recordsInPause() throws {
    let segments = try FITReading.points(
      file { file in
        file.addTimer(0, 0)
        for second in 0...160 as ClosedRange<UInt32> {
          if second == 110 { file.addTimer(110, 0) }
          file.addRecord(second, 1, Int32(second))
          if second == 50 { file.addTimer(50, 4) }
        }
        file.addTimer(158, 4)
      })
    let spans = segments.map { (($0.times.last ?? 0) - ($0.times.first ?? 0)) / 1_000_000 }
    // One record after the stop belongs to the segment. Records after the last stop are not known to be in
    // a pause.
    let expected: [Int64] = [51] + Array(repeating: 0, count: 58) + [50]
    #expect(spans == expected)
    let times = (0...160).map { Self.start + Int64($0) * 1_000_000 }
    #expect(segments.flatMap(\.times) == times)
  }

  @Test("The first of two records in the second of a restart ends the previous segment")
  func sharedSecond() throws {
    let segments = try FITReading.points(
      file { file in
        file.addTimer(0, 0)
        for second in [0, 5, 10] as [UInt32] { file.addRecord(second, 1, Int32(second)) }
        file.addTimer(10, 4)
        file.addTimer(10, 0)
        for second in [10, 15, 20] as [UInt32] { file.addRecord(second, 2, Int32(second)) }
      })
    #expect(segments.map { $0.times.map { ($0 - Self.start) / 1_000_000 } } == [[0, 5, 10], [10, 15, 20]])
  }

  @Test("Sessions that share a second keep their own records of it", arguments: [true, false])
  func sharedSecondOfSessions(hasTimer: Bool) throws {
    let (document, warnings) = try FITReading.document(
      file { file in
        for session in 0..<3 as Range<UInt32> {
          if hasTimer { file.addTimer(session * 60, 0) }
          for second in stride(from: session * 60, through: session * 60 + 60, by: 1) {
            file.addRecord(second, Int32(session), Int32(second))
          }
          if hasTimer { file.addTimer(session * 60 + 60, 4) }
        }
        for session in 0..<3 as Range<UInt32> {
          file.addSession(
            start: session * 60, end: session * 60 + 60, elapsed: 60, timer: 60, sport: UInt8(session))
        }
      })
    #expect(warnings.isEmpty)
    #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[61], [61], [61]])
  }

  @Test(
    "The only record of the second in which two sessions touch belongs to both",
    arguments: [true, false],
    [(60_000, true), (59_250, true), (60_750, true), (59_000, false), (30_000, false)])
  func touchingSessions(hasTimer: Bool, end: (milliseconds: UInt32, isShared: Bool)) throws {
    var reader = FITReader(
      ByteInput(
        bytes: file { file in
          for second in 0...180 as ClosedRange<UInt32> {
            if hasTimer, second % 60 == 0, second < 180 { file.addTimer(second, 0) }
            file.addRecord(second, 1, Int32(second))
          }
          for session in 0..<3 as Range<UInt32> {
            file.add(
              18, local: 2,
              [
                .uint32(253, FITBuilder.start + 180), .uint32(2, FITBuilder.start + session * 60),
                .uint32(7, end.milliseconds), .enumeration(5, UInt8(session)),
              ])
          }
        }))
    let document = try TrackDocument(reading: &reader)
    let count = end.isShared ? 61 : 60
    #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[count], [count], [61]])
    #expect(
      document.tracks.map { $0.segments.first?.points.longitudes.first }
        == [0, 60, 120].map { FITRows.degrees($0) })
    #expect(reader.sharedPoints == (end.isShared ? 2 : 0) && reader.warnings.isEmpty)
  }

  @Test("A session that ends in a pause does not share the next session's first record")
  func pauseBetweenSessions() throws {
    let (document, _) = try FITReading.document(
      file { file in
        file.addTimer(0, 0)
        for second in [0, 5, 10] as [UInt32] { file.addRecord(second, 1, 1) }
        file.addTimer(10, 4)
        file.addTimer(20, 0)
        for second in [20, 25, 30] as [UInt32] { file.addRecord(second, 1, 1) }
        file.addTimer(30, 4)
        file.addSession(start: 0, end: 20, elapsed: 20, timer: 10, sport: 1)
        file.addSession(start: 20, end: 30, elapsed: 10, timer: 10, sport: 2)
      })
    #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[3], [3]])
  }

  @Test(
    "A stop and a restart in the same second lose no point, for any row limit",
    arguments: [2, 3, 4, 5, 100])
  func restartedTimer(rowLimit: Int) throws {
    let bytes = file { file in
      file.addTimer(0, 0)
      for second in 0...10 as ClosedRange<UInt32> { file.addRecord(second, 1, Int32(second)) }
      file.addTimer(10, 4)
      file.addTimer(10, 0)
      for second in 11...20 as ClosedRange<UInt32> { file.addRecord(second, 1, Int32(second)) }
    }
    let (document, _) = try FITReading.document(bytes, rowLimit: rowLimit)
    let times = document.tracks.flatMap(\.segments).map { segment in
      segment.points.times.map { ($0 - Self.start) / 1_000_000 }
    }
    #expect(times == [Array(0...10), Array(10...20)])
  }

  @Test("Events stored in one block split the records by time", arguments: [true, false])
  func gatheredEvents(areFirst: Bool) throws {
    let points = try FITReading.points(
      file { file in
        func addEvents() {
          file.addTimer(50, 0)
          file.addTimer(0, 0)
          file.addTimer(9, 1)
        }
        if areFirst { addEvents() }
        for second in [0, 5, 9, 50, 55] as [UInt32] { file.addRecord(second, 1, 1) }
        if !areFirst { addEvents() }
      })
    #expect(points.map(\.count) == [3, 2])
  }

  @Test(
    "Sessions become tracks with their own laps, whether they precede or follow the records",
    arguments: [true, false])
  func sessions(areFirst: Bool) throws {
    let (document, warnings) = try FITReading.document(
      file { file in
        func addSummaries() {
          file.addSession(start: 0, end: 5, elapsed: 5, timer: 4, sport: 0, message: 19)
          file.addSession(start: 5, end: 10, elapsed: 5, timer: 5, sport: 2, message: 19)
          file.addSession(start: 20, end: 30, elapsed: 10, timer: 10, sport: 7, message: 19)
          file.addSession(start: 20, end: 30, elapsed: 10, timer: 10, sport: 1)
          file.addSession(start: 0, end: 10, elapsed: 10, timer: 9, sport: 22)
          // A session without records does not become a track.
          file.addSession(start: 31, end: 40, elapsed: 9, timer: 9, sport: 5)
        }
        if areFirst { addSummaries() }
        for second in 0...30 as ClosedRange<UInt32> { file.addRecord(second, 1, Int32(second)) }
        if !areFirst { addSummaries() }
      })
    #expect(warnings.isEmpty)
    #expect(document.tracks.map(\.info.type) == ["motorcycling", "running"])
    #expect(document.tracks.map { $0.segments.map(\.points.count) } == [[20], [11]])
    let laps = document.tracks.map(\.info.laps)
    #expect(laps.map(\.count) == [2, 1])
    #expect(laps[0].map(\.timerTime) == [4, 5] && laps[0].map(\.elapsedTime) == [5, 5])
    #expect(laps[0].map(\.trigger) == ["Manual", "Distance"] && laps[1][0].trigger == "SessionEnd")
    #expect(laps[0][0].distance == 123.45 && laps[0][0].calories == 77)
    #expect(laps[1][0].start == Instant(microseconds: Self.start + 20_000_000))
  }

  @Test("A course becomes a track of type Course with waypoints")
  func course() throws {
    var file = FITBuilder()
    file.addFileID(type: 6)
    file.add(31, local: 4, [.enumeration(4, 2), .text(5, "Über den Berg", size: 20)])
    file.addRecord(0, 1, 1)
    file.add(
      32, local: 5,
      [
        .uint32(1, FITBuilder.start + 60), .sint32(2, 0), .sint32(3, 1 << 29), .uint32(4, 90_000),
        .enumeration(5, 6), .text(6, "Turn", size: 4),
      ])
    let (document, _) = try FITReading.document(file.file())
    #expect(document.tracks.map(\.info.name) == ["Über den Berg"] && document.tracks[0].info.type == "Course")
    let waypoint = try #require(document.waypoints.first)
    #expect(waypoint.coordinate == Coordinate(latitude: 0, longitude: 45))
    #expect(waypoint.time == Instant(microseconds: Self.start + 60_000_000))
    #expect(waypoint.details.name == "Turn" && waypoint.details.type == "Left")
    #expect(waypoint.values == [.distance: 900])
  }

  @Test(
    "A file of another type causes a warning with the type",
    arguments: [(2, "settings"), (32, "monitoring_b"), (99, "99")])
  func otherTypes(_ type: Int, _ name: String) throws {
    var file = FITBuilder()
    file.addFileID(type: UInt8(type))
    file.add(55, local: 3, [.uint32(253, FITBuilder.start), .uint8(5, 6)])
    let bytes = file.file()
    let (document, warnings) = try FITReading.document(bytes)
    #expect(document.tracks.isEmpty)
    #expect(warnings.map(\.code) == [.noTrackFile])
    #expect(warnings[0].message.contains(name))
    for chunk in [1, 100_000] {
      var input = ByteInput(bytes: bytes, chunk: chunk)
      #expect(try FITFileType.peek(&input)?.rawValue == UInt8(type))
      #expect(input.offset == 0)
    }
  }

  @Test("The file type is nil if it is missing or the data is not FIT")
  func peekNothing() throws {
    var bare = FITBuilder()
    bare.addRecord(0, 1, 1)
    for bytes in [[], Array("GPX".utf8), bare.file(), Array(bare.file().prefix(20)), FITBuilder().file()] {
      var input = ByteInput(bytes: bytes)
      #expect(try FITFileType.peek(&input) == nil)
    }
  }

  @Test("A file with more points than the row limit is read completely, with late track information")
  func manyPoints() throws {
    let bytes = file {
      $0.addTimer(0, 0)
      for second in 0..<25 as Range<UInt32> { $0.addRecord(second, 1, Int32(second), [.uint8(3, 100)]) }
      $0.addTimer(40, 0)
      for second in 40..<60 as Range<UInt32> { $0.addRecord(second, 1, Int32(second)) }
      $0.addSession(start: 0, end: 60, elapsed: 60, timer: 45, sport: 0, message: 19)
      $0.addSession(start: 0, end: 60, elapsed: 60, timer: 45, sport: 24)
    }
    let whole = try FITReading.document(bytes)
    for limit in [1, 7, 10, 24, 25, 26, 45, 46] {
      let transcript = Transcript(fit: bytes, rowLimit: limit)
      #expect(transcript.violations == [])
      let parts = try FITReading.document(bytes, rowLimit: limit)
      #expect(parts.document == whole.document, "a limit of \(limit)")
    }
  }

  // MARK: Invariance

  @Test("The size of chunks and batches does not affect the result", arguments: [1, 2, 3, 7, 61, 4096])
  func chunks(_ chunk: Int) {
    let bytes = FITReading.sample()
    let whole = Transcript(fit: bytes)
    #expect(whole.violations == [] && whole.error == nil)
    #expect(whole.points.count == 12)
    let part = Transcript(fit: bytes, chunk: chunk, capacity: chunk)
    #expect(part.text == whole.text)
    #expect(part.violations == [])
  }

  @Test("FIT is detected by its signature, regardless of the file name")
  func detection() throws {
    for chunk in [1, 100_000] {
      var input = ByteInput(bytes: FITReading.sample(), name: "ride.gpx", chunk: chunk)
      #expect(try FormatRegistry.standard.detect(&input) == .fit)
      #expect(input.offset == 0)
    }
  }
}
