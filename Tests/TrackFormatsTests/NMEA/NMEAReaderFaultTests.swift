import TestSupport
import Testing
import TrackFormats
import TrackModel

/// Flaws in a log: they are skipped and counted with their line.
@Suite("NMEA reader: flaws and faults")
struct NMEAReaderFaultTests {
  struct Flaw: Sendable, CustomTestStringConvertible {
    let line: String
    let code: String
    /// Whether the sentence still gives a point.
    let isPoint: Bool
    let offending: String?
    var testDescription: String { line }

    init(_ line: String, _ code: String, isPoint: Bool = false, offending: String? = nil) {
      self.line = line
      self.code = code
      self.isPoint = isPoint
      self.offending = offending
    }

    /// A sentence with a valid checksum.
    init(sentence: String, _ code: String, isPoint: Bool = false, offending: String? = nil) {
      self.init(NMEASample.sentence(sentence), code, isPoint: isPoint, offending: offending)
    }
  }

  private static let rmc = "GPRMC,101112,A,4730.0,N,00830.0,E,1.0,2.0,150624,,"

  private static func flawed(latitude: String) -> Flaw {
    Flaw(sentence: "GPRMC,101112,A,\(latitude),N,00830.0,E,,,150624,,", "invalid-position")
  }

  private static func flawed(time: String) -> Flaw {
    Flaw(sentence: "GPRMC,\(time),A,4730.0,N,00830.0,E,,,150624,,", "invalid-time", offending: time)
  }

  /// The point is kept, with the date of the next one.
  private static func flawed(date: String) -> Flaw {
    Flaw(
      sentence: "GPRMC,101112,A,4730.0,N,00830.0,E,,,\(date),,", "invalid-time", isPoint: true,
      offending: date)
  }

  static let flaws: [Flaw] =
    [
      Flaw("$\(rmc)*00", "wrong-checksum", offending: "$GPRMC,101112,A,4730.0,N,00830.0,E,1.0,2…"),
      // A damaged address.
      Flaw(
        "$GPRLC\(rmc.dropFirst(5))*48", "wrong-checksum",
        offending: "$GPRLC,101112,A,4730.0,N,00830.0,E,1.0,2…"),
      Flaw("$\(rmc)*", "cut-sentence"), Flaw("$\(rmc)*4", "cut-sentence"), Flaw("$\(rmc)*XY", "cut-sentence"),
      Flaw("$GPRMC,101112,A,4730.0,N,00830.0,E,1.0,2", "cut-sentence"),
      Flaw("$GPGGA,101112,4730.0,N,00830.0,E,1,09,0.9,540", "cut-sentence"),
      Flaw(
        "$GPRMC,101112,A,47" + NMEASample.sentence("GPGSA,A,1,,,,,,,,,,,,,,,"), "cut-sentence",
        offending: "$GPRMC,101112,A,47"),
    ]
    + ["4760.0", "9000.1", "9100.0", "-4730.0", "47300000", "north", "", "47.30.0", "1e9", "nan"]
    .map(flawed(latitude:))
    + [
      Flaw(sentence: "GPRMC,101112,A,4730.0,N,18000.1,E,,,150624,,", "invalid-position"),
      Flaw(sentence: "GPRMC,101112,A,4730.0,E,00830.0,N,,,150624,,", "invalid-position"),
      Flaw(sentence: "GPGGA,101112,4730.0,,00830.0,E,1,09,0.9,540,M,48,M,,", "invalid-position"),
      Flaw(sentence: "GPGLL,4730.0,N,,,101112,A", "invalid-position"),
      Flaw(sentence: "GPWPL,4760.0,N,00830.0,E,X", "invalid-position"),
    ]
    + ["240000", "106000", "101161", "1011", "10111x", "101112.x", ".1", "1011 2", "+10111"].map(
      flawed(time:))
    + ["320124", "290223", "150024", "000000", "1506", "15062024", "abcdef"].map(flawed(date:))
    + [
      Flaw(sentence: "GPZDA,101112,31,02,2024,00,00", "invalid-time"),
      Flaw(sentence: "GPZDA,101112,1e18,02,2024,00,00", "invalid-time"),
      Flaw(
        sentence: "GPRMC,101112,A,4730.0,N,00830.0,E,fast,,150624,,", "invalid-value", isPoint: true,
        offending: "fast"),
      Flaw(
        sentence: "GPGGA,101112,4730.0,N,00830.0,E,1,09,0.9,high,M,48,M,,", "invalid-value", isPoint: true,
        offending: "high"),
    ]

  @Test("A defect is skipped, counted and reported with its line", arguments: flaws)
  func flaw(_ flaw: Flaw) throws {
    let text = "# log\n\(flaw.line)\n\(NMEASample.log("GPRMC,101200,A,4745.0,N,00845.0,E,,,160624,,"))"
    let transcript = Transcript(nmea: text)
    #expect(transcript.error == nil && transcript.violations == [])
    #expect(transcript.points.count == (flaw.isPoint ? 2 : 1))
    #expect(transcript.points.last == "point 47.75 8.75 2024-06-16T10:12:00Z")
    let warning = try #require(transcript.warnings.first)
    #expect(transcript.warnings.count == 1)
    #expect(warning.code.description == flaw.code)
    #expect(warning.count == 1 && warning.place.line == 2)
    if let offending = flaw.offending { #expect(warning.offendingText == offending) }
  }

  @Test("Strict reading throws the first defect after the points before it", arguments: flaws)
  func strict(_ flaw: Flaw) throws {
    let text = NMEASample.log("GPRMC,101100,A,4715.0,N,00815.0,E,,,160624,,") + flaw.line + "\n"
    let transcript = Transcript(nmea: text, isStrict: true)
    #expect(transcript.points.allSatisfy { $0 == "point 47.25 8.25 2024-06-16T10:11:00Z" })
    let error = try #require(transcript.error)
    #expect(error.code == .warning && error.place.line == 2)
    #expect(transcript.warnings == [] && transcript.violations == [])
  }

  @Test("A sentence without a checksum is accepted if all its fields are present")
  func withoutChecksum() {
    for sentence in [
      NMEAReaderFaultTests.rmc, "GPGGA,101112,4730.0,N,00830.0,E,1,09,0.9,540,M",
      "GPGLL,4730.0,N,00830.0,E,101112,A",
    ] {
      let transcript = Transcript(nmea: "$\(sentence)\n")
      #expect(transcript.points.count == 1)
      #expect(transcript.warnings.allSatisfy { $0.code.description == "missing-date" })
    }
  }

  @Test("A missing date or an invalid value does not affect the other values of a point")
  func otherValues() {
    let transcript = Transcript(
      nmea: NMEASample.log("GPGGA,101112,4730.0,N,00830.0,E,1,many,0.9,540.5,M,48,M,,"))
    #expect(transcript.points == ["point 47.5 8.5 elevation 540.5 hdop 0.9 geoidHeight 48"])
  }

  @Test(
    "A file without a sentence is malformed",
    arguments: [
      "", "\n", "text\n", "$GPRMC\n", "$GPGSV,1,1,01,70,40,083,46*5E\n",
      String(repeating: "$", count: 10_000),
    ])
  func noSentence(_ text: String) {
    let transcript = Transcript(nmea: text)
    #expect(transcript.lines == ["header"])
    #expect(transcript.error?.code == .malformed)
    #expect(transcript.violations == [])
  }

  @Test("A log without a fix is empty, not an error")
  func noFix() {
    let transcript = Transcript(nmea: NMEASample.log("GPRMC,101112,V,,,,,,,150624,,"))
    #expect(transcript.lines == ["header"])
    #expect(transcript.error == nil)
    #expect(transcript.warnings.map(\.code) == [.noFix])
  }

  @Test("A log cut off at any byte has its complete points", arguments: [1, 3, 4096])
  func truncation(_ capacity: Int) throws {
    let bytes = Array(NMEASample.drive.utf8)
    let whole = Transcript(nmea: NMEASample.drive)
    let firstEnd = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    for length in 0..<bytes.count {
      let part = Transcript(nmea: Array(bytes.prefix(length)), chunk: 50, capacity: capacity)
      #expect(part.violations == [], "cut at \(length)")
      if let error = part.error { #expect(error.code == .malformed && length < firstEnd, "cut at \(length)") }
      // The last epoch lacks the values of its later sentences, so only positions are compared.
      let positions = NMEAReaderFaultTests.positions(part)
      #expect(NMEAReaderFaultTests.positions(whole).starts(with: positions), "cut at \(length)")
    }
  }

  private static func positions(_ transcript: Transcript) -> [String] {
    transcript.points.filter { $0.hasPrefix("point") }
      .map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
  }

  @Test("The size of chunks and batches does not affect the result")
  func invariance() throws {
    var samples = [Array(NMEASample.drive.utf8)]
    samples.append(Array(NMEAReaderFaultTests.flaws.map { $0.line + "\n" }.joined().utf8))
    samples += try Fixture.all(of: "nmea").map { try $0.bytes() }
    for bytes in samples {
      for isStrict in [false, true] {
        Transcript.expectInvariance(bytes.count) { chunk, capacity in
          Transcript(nmea: bytes, chunk: chunk, capacity: capacity, isStrict: isStrict)
        }
      }
    }
  }

  @Test("Random damage causes no crash, no endless loop and no invalid stream", arguments: 0..<4)
  func mutants(_ part: Int) {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let sample = Array(NMEASample.drive.utf8)
    for index in 0..<Effort.rounds(500) {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
        case 1: bytes.insert(contentsOf: Array(",$!*\r\n".utf8), at: place)
        case 2: bytes.removeSubrange(place..<min(place + 15, bytes.count - 1))
        default:
          // A sentence with a valid checksum and random fields.
          let fields = (0..<15).map { _ in
            ["", "1e308", "-1", "999999", "A", "N", "101112"].randomElement(using: &generator) ?? ""
          }
          let kind = ["RMC", "GGA", "GLL", "GSA", "VTG", "ZDA", "WPL"].randomElement(using: &generator) ?? ""
          let sentence = NMEASample.sentence("GP\(kind)," + fields.joined(separator: ","))
          bytes.insert(contentsOf: Array("\n\(sentence)\n".utf8), at: place)
        }
      }
      let whole = Transcript(nmea: bytes)
      #expect(whole.violations == [], "seed \(seed), mutant \(index)")
      let other = Transcript(nmea: bytes, chunk: [1, 5, 64][index % 3], capacity: 2)
      #expect(other.text == whole.text, "seed \(seed), mutant \(index)")
    }
  }
}
