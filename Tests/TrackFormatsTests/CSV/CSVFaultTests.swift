import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

@Suite("CSV reader: flaws and faults")
struct CSVFaultTests {
  @Test("Rows that are not points are skipped and counted with their line")
  func flaws() {
    let transcript = Transcript(
      csv: """
        time,lat,lon,speed (km/h)
        2024-05-01T10:00:00Z,91,2,
        2024-05-01T10:00:01Z,1,181,
        2024-05-01T10:00:02Z,,,
        2024-05-01T10:00:03Z,1,2,fast
        2024-05-01T10:00:04Z,nan,2,
        """)
    #expect(transcript.points == ["point 1 2 2024-05-01T10:00:03Z"])
    #expect(
      transcript.warnings.map(\.description) == [
        "line 2: position out of range, row skipped: \"91\" (lat) (first of 2)",
        "line 4: row without a position, skipped (first of 2)",
        "line 5: invalid number, ignored: \"fast\" (speed (km/h))",
      ])
  }

  @Test("Rows with too many or too few values cause warnings")
  func counts() {
    #expect(
      CSVTable.warnings("lat,lon,ele\n1,2\n1,2,3,4\n1,2,3,\n1,2,3\n") == [
        "line 2: fewer values than columns, the rest treated as empty",
        "line 3: more values than columns, the rest ignored",
      ])
    #expect(CSVTable.points("lat,lon,ele\n1,2\n1,2,3,4\n") == ["point 1 2", "point 1 2 elevation 3"])
  }

  @Test("A cut-off table keeps its complete rows, or is an error if reading is strict")
  func cut() {
    for text in ["lat,lon,ele\n1,2,3\n4,5", "lat,lon,ele\n1,2,3\n4,5,\"6"] {
      let transcript = Transcript(csv: text)
      #expect(transcript.points == ["point 1 2 elevation 3"])
      #expect(
        transcript.warnings.map(\.description) == [
          "line 3: the file ends inside a row; complete rows are kept"
        ])
      let strict = Transcript(csv: text, isStrict: true)
      #expect(strict.points == ["point 1 2 elevation 3"])
      #expect(strict.error?.code == .truncated)
      #expect(strict.error?.place.line == 3)
    }
    #expect(Transcript(csv: "lat,lon,ele\n1,2,\"3").error?.code == .truncated)
    #expect(Transcript(csv: "").error?.code == .truncated)
  }

  @Test("The points before a fault are delivered first")
  func deliverThenThrow() {
    let transcript = Transcript(csv: "lat,lon,date\n1,2,2024-05-01\n1,3,03/04/2024\n1,4,2024-05-01\n")
    #expect(transcript.points == ["point 1 2 2024-05-01T00:00:00Z"])
    #expect(transcript.error?.code == .invalidValue)
    #expect(transcript.error?.place == InputLocation(line: 3, path: "date"))
  }

  @Test("Strict reading turns the first warning into an error")
  func strict() {
    let transcript = Transcript(csv: "lat,lon\n1,2\nx,2\n", isStrict: true)
    #expect(transcript.points == ["point 1 2"])
    #expect(transcript.error?.code == .warning)
    #expect(transcript.error?.place == InputLocation(line: 3, path: "lat"))
  }

  @Test("An unclosed quote is an error before the rest of the file is buffered")
  func endlessQuote() {
    var bytes = Array("lat,lon,name\n1,2,a\n3,4,\"".utf8)
    bytes += Array(repeating: UInt8(ascii: "x"), count: 1 << 21)
    let transcript = Transcript(csv: bytes)
    #expect(transcript.points == ["waypoint 1 2\n  name \"a\""])
    #expect(transcript.error?.code == .limitExceeded)
    #expect(transcript.error?.place.line == 3)
  }

  @Test("A quote that is not closed costs no rows")
  func unclosedQuotes() {
    let rows = (1...4).map { "2024-05-01T10:00:0\($0)Z,47,\($0)" }
    let expected = (1...4).map { "point 47 \($0) 2024-05-01T10:00:0\($0)Z\n  name \"\\\"a\"" }
    let unclosed = Transcript(csv: "time,lat,lon,name\n" + rows.map { $0 + ",\"a\n" }.joined())
    #expect(unclosed.points == expected)
    #expect(unclosed.warnings.contains { $0.message.contains("a quote is not closed") })
    // The input ends before a closing quote.
    let one = Transcript(csv: "time,lat,lon,name\n" + rows[0] + ",\"a\n" + rows[1] + ",b\n" + rows[2] + ",c")
    #expect(one.points.count == 3 && one.points[0] == expected[0])
    // A text of several lines, at whose end the input ends.
    let lines = Transcript(csv: "time,lat,lon,name\n" + rows[0] + ",\"a\nb\"")
    #expect(lines.points == ["point 47 1 2024-05-01T10:00:01Z\n  name \"a\\nb\""])
  }

  @Test("Random bytes and mutated tables cause no invalid event stream")
  func mutations() {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    let alphabet = Array(",;\t|\"\r\n#.-0123456789NSEWlatontime:/T Zé\u{0}".utf8)
    for _ in 0..<Effort.rounds(400) {
      let sample = CSVTable.samples[Int.random(in: 0..<CSVTable.samples.count, using: &generator)]
      var bytes = sample.bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        let index = Int.random(in: 0...bytes.count, using: &generator)
        if Bool.random(using: &generator) || index == bytes.count {
          bytes.insert(byte, at: index)
        } else {
          bytes[index] = byte
        }
      }
      let whole = Transcript(csv: bytes)
      #expect(whole.violations == [], "\(bytes)")
      #expect(Transcript(csv: bytes, chunk: 3, capacity: 1).text == whole.text, "\(bytes)")
    }
  }
}
