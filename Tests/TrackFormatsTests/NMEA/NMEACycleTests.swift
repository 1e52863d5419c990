import Testing
import TrackModel

@testable import TrackFormats

/// When points of a live receiver are delivered.
@Suite("NMEA cycle")
struct NMEACycleTests {
  /// Returns one line per read.
  private final class Lines: ByteStream {
    let lines: [String]
    private(set) var taken = 0

    init(_ lines: [String]) { self.lines = lines }

    @unsafe
    func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
      guard taken < lines.count else { return 0 }
      let bytes = Array((lines[taken] + "\r\n").utf8)
      for index in bytes.indices { unsafe start[index] = bytes[index] }
      taken += 1
      return bytes.count
    }
  }

  /// Returns the RMC, GGA and GSA sentences of a second; the elevation equals the second.
  private static func second(_ number: Int) -> [String] {
    let time = "12000\(number)"
    return [
      "GPRMC,\(time),A,4730.0\(number)00,N,00830.0000,E,10.0,0.0,010524,,,A",
      "GPGGA,\(time),4730.0\(number)00,N,00830.0000,E,1,09,0.9,\(number).0,M,48.0,M,,",
      "GPGSA,A,3,03,22,31,,,,,,,,,,1.6,0.9,1.3",
    ].map { NMEASample.sentence($0) }
  }

  /// Returns for each point the number of lines that were read before it was delivered.
  private static func delays(_ lines: [String], isLive: Bool) throws -> [Int] {
    let stream = Lines(lines)
    var options = ReadingOptions()
    options.isLive = isLive
    var reader = NMEAReader(ByteInput(stream: stream, name: nil, chunk: 512), options: options)
    var batch = PointBatch(capacity: 16)
    var delays: [Int] = []
    while let event = try reader.next(into: &batch) {
      guard case .points = event else { continue }
      for _ in 0..<batch.count { delays.append(stream.taken) }
    }
    return delays
  }

  @Test("A point waits for the next epoch until three cycles have ended with the same sentence")
  func learning() throws {
    let lines = (1...6).flatMap(Self.second)
    // Each point is delivered with the first line of the next second, the last one at the end.
    #expect(try Self.delays(lines, isLive: false) == [4, 7, 10, 13, 16, 18])
    // The fourth second is delivered with its own last line, the twelfth.
    #expect(try Self.delays(lines, isLive: true) == [4, 7, 10, 12, 15, 18])
  }

  @Test(
    "Points that arrive at once fill batches of any size, whichever sentence is missing", arguments: 1...20)
  func full(capacity: Int) throws {
    for dated in 0..<40 {
      let sentences = (0..<45).map { number -> String in
        let second = number < 10 ? "0\(number)" : "\(number)"
        let place = "4730.\(second)00,N,00830.0000,E"
        return NMEASample.sentence(
          number == dated
            ? "GPRMC,1200\(second),A,\(place),10.0,0.0,010524,,,A"
            : "GPGGA,1200\(second),\(place),1,09,0.9,10.0,M,48.0,M,,")
      }
      var options = ReadingOptions()
      options.isLive = true
      let bytes = Array(sentences.joined(separator: "\r\n").utf8)
      var reader = NMEAReader(ByteInput(bytes: bytes), options: options)
      var batch = PointBatch(capacity: capacity)
      var points = 0
      while let event = try reader.next(into: &batch) {
        guard case .points = event else { continue }
        points += batch.count
        batch.removeAll()
      }
      #expect(points == 45, "\(dated)")
    }
  }

  @Test("A late sentence for a delivered point is skipped, and the end of the cycle is detected again")
  func brokenHabit() throws {
    var lines = (1...8).flatMap(Self.second)
    // After the fifth second, lines 13…15.
    lines.insert(NMEASample.sentence("GPGLL,4730.0500,N,00830.0000,E,120005,A,A"), at: 15)
    let delays = try Self.delays(lines, isLive: true)
    // The sixth second begins with line 17. From then on, GSA has to end the cycle three times.
    #expect(delays == [4, 7, 10, 12, 15, 20, 23, 25])
  }

  @Test("The first fix after sentences without a fix is delivered after the start of its track")
  func coldStart() throws {
    let seconds =
      (0..<6).map { "GPRMC,08120\($0),V,,,,,,,170524,,,N" }
      + (6..<9).map { "GPRMC,08120\($0),A,4656.8800,N,00726.8440,E,10.0,0.0,170524,,,A" }
    let text = seconds.map { NMEASample.sentence($0) + "\r\n" }.joined()
    var options = ReadingOptions()
    options.isLive = true
    var reader = NMEAReader(ByteInput(bytes: Array(text.utf8)), options: options)
    let transcript = Transcript(reading: &reader)
    #expect(transcript.violations == [])
    #expect(
      transcript.points.map { $0.split(separator: " ")[3] } == [
        "2024-05-17T08:12:06Z", "2024-05-17T08:12:07Z", "2024-05-17T08:12:08Z",
      ])
    let lines = seconds.map { NMEASample.sentence($0) }
    #expect(try Self.delays(lines, isLive: true).count == 3)
  }

  @Test("A live log has the same points as a log that is read at once")
  func sameContent() throws {
    let text = ((1...9).flatMap(Self.second) + [""]).joined(separator: "\r\n")
    var options = ReadingOptions()
    options.isLive = true
    var live = NMEAReader(ByteInput(bytes: Array(text.utf8), chunk: 7), options: options)
    var whole = NMEAReader(ByteInput(bytes: Array(text.utf8)))
    let document = try TrackDocument(reading: &live)
    #expect(document == (try TrackDocument(reading: &whole)))
    #expect(document.tracks.first?.segments.first?.points.count == 9)
  }
}
