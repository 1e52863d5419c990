import Testing
import TrackModel

@testable import TrackFormats

extension Transcript {
  /// Reads a drive document or a coordinates array.
  init(drive text: String, chunk: Int = ByteInput.defaultChunk, capacity: Int = 64, isStrict: Bool = false) {
    var reader = DriveReader(
      ByteInput(bytes: Array(text.utf8), chunk: chunk), options: ReadingOptions(isStrict: isStrict))
    self.init(reading: &reader, capacity: capacity)
  }
}

@Suite("Drive reader")
struct DriveReaderTests {
  /// `[{"lat":46.5,"lon":7.5},{"lat":46.6,"lon":7.6},{"lat":46.75,"lon":7.25}]`, encoded with `base64`.
  private static let three =
    "W3sibGF0Ijo0Ni41LCJsb24iOjcuNX0seyJsYXQiOjQ2LjYsImxvbiI6Ny42fSx7ImxhdCI6NDYuNzUsImxvbiI6Ny4yNX1d"

  private static func document(_ members: String, data: String = three) -> String {
    "{\(members)\"coordinatesData\": \"\(data)\"}"
  }

  private static let whole: String = document(
    """
    "id": "9C0F6A3E-0C5B-4F8E-9A51-0A2C9F8F6C11", "name": "To work", "startTime": "2024-05-17T06:12:30Z",
    "endTime": "2024-05-17T06:12:33Z", "duration": 3, "distance": 41.5,
    """)

  @Test("The coordinates have a limit of their own, and other texts keep the limit of JSON texts")
  func sizes() {
    // The base64 text has 96 characters, and it arrives in pieces of 8 bytes.
    func error(_ coordinates: Int, name: Int = 1) -> TrackError? {
      var options = ReadingOptions()
      options.limits.jsonTextSize = 50
      options.limits.coordinatesDataSize = coordinates
      let name = String(repeating: "a", count: name)
      let text = String(Self.document("").dropLast()) + ", \"name\": \"\(name)\"}"
      var reader = DriveReader(ByteInput(bytes: Array(text.utf8), chunk: 8), options: options)
      return Transcript(reading: &reader).error
    }
    #expect(error(110) == nil)
    #expect(error(80)?.code == .limitExceeded)
    #expect(error(110, name: 100)?.code == .limitExceeded)
  }

  @Test(
    "The identifier of a document is read without its coordinates",
    arguments: [
      (DriveReaderTests.whole, "9C0F6A3E-0C5B-4F8E-9A51-0A2C9F8F6C11" as String?),
      (#"{"name": {"id": "B"}, "coordinatesData": "W3s=", "id": "A"}"#, "A"),
      (#" {"id": "A", "coordinatesData": "?"#, "A"),
      (#"{"coordinatesData": "W3s="}"#, nil), (#"{"id": 7, "name": "A"}"#, nil),
      (#"[{"id": "A"}]"#, nil), (#"{"name": "#, nil), ("<gpx id=\"A\"/>", nil), ("", nil),
    ])
  func identifierAlone(text: String, identifier: String?) {
    #expect(DriveReader.identifier(in: ByteInput(bytes: Array(text.utf8))) == identifier)
  }

  @Test("A drive becomes a track whose points are evenly spaced in time")
  func document() throws {
    let transcript = Transcript(drive: DriveReaderTests.whole)
    // 3 s for two steps: 1.5 s each.
    #expect(
      transcript.points == [
        "point 46.5 7.5 2024-05-17T06:12:30Z", "point 46.6 7.6 2024-05-17T06:12:31.500Z",
        "point 46.75 7.25 2024-05-17T06:12:33Z",
      ])
    #expect(transcript.violations == [])
    #expect(transcript.warnings == [])
    var reader = DriveReader(ByteInput(bytes: Array(DriveReaderTests.whole.utf8)))
    let track = try #require(try TrackDocument(reading: &reader).tracks.first)
    #expect(track.segments.count == 1)
    #expect(track.info.name == "To work")
    // The times of the points give start and end.
    #expect(track.info.timeSpan == nil)
    #expect(track.info.extensions.map(\.name) == ["drive"])
    #expect(track.info.extensions.first?.namespace == DriveReader.namespace)
    #expect(
      track.info.extensions.first?.attributes.map { "\($0.name)=\($0.value)" } == [
        "id=9C0F6A3E-0C5B-4F8E-9A51-0A2C9F8F6C11", "duration=3", "distance=41.5", "points=3",
      ])
  }

  @Test("Members may be in any order, and slashes in base64 may be escaped")
  func order() {
    // RFC 4648 by hand: three bytes 0x3F are 001111 110011 111100 111111, which is P z 8 /.
    #expect(Base64.decode(Array("Pz8/".utf8).span) == Array("???".utf8))
    let data = DriveReaderTests.three
    let text =
      "{\"startTime\":\"2024-05-17T08:12:30+02:00\",\"duration\":2,\"coordinatesData\":\""
      + "\(data.prefix(8))\\u0046\(data.dropFirst(9))\",\"name\":\"x\"}"
    // The ninth character of the data is changed, so that the document is invalid unless escapes are read.
    #expect(data.dropFirst(8).first != "F")
    #expect(Transcript(drive: text).error != nil)
    let sound = text.replacing(
      "\\u0046", with: "\\u00\(String(data.utf8.dropFirst(8).first ?? 0, radix: 16))")
    #expect(
      Transcript(drive: sound).points == [
        "point 46.5 7.5 2024-05-17T06:12:30Z", "point 46.6 7.6 2024-05-17T06:12:31Z",
        "point 46.75 7.25 2024-05-17T06:12:32Z",
      ])
  }

  @Test("Without a start there are no times, and the duration is kept")
  func noStart() throws {
    let text = DriveReaderTests.document(
      "\"name\": \"x\", \"startTime\": null, \"duration\": 61.5, \"distance\": 0,")
    let transcript = Transcript(drive: text)
    #expect(transcript.points == ["point 46.5 7.5", "point 46.6 7.6", "point 46.75 7.25"])
    var reader = DriveReader(ByteInput(bytes: Array(text.utf8)))
    let info = try TrackDocument(reading: &reader).tracks[0].info
    #expect(info.timeSpan == nil)
    #expect(info.extensions[0].attributes.contains { $0.name == "duration" && $0.value == "61.5" })
  }

  @Test("Start and end are kept if they differ from the times of the points")
  func timeSpan() throws {
    let start = Instant(microseconds: 1_715_926_350_000_000)
    func span(_ members: String) throws -> TimeSpan? {
      var reader = DriveReader(ByteInput(bytes: Array(DriveReaderTests.document(members).utf8)))
      return try TrackDocument(reading: &reader).tracks[0].info.timeSpan
    }
    // The points end at 06:12:33.7; the app writes whole seconds.
    let begin = "\"startTime\": \"2024-05-17T06:12:30Z\","
    #expect(try span(begin + "\"duration\": 3.7, \"endTime\": \"2024-05-17T06:12:33Z\",") == nil)
    #expect(
      try span(begin + "\"duration\": 3, \"endTime\": \"2024-05-17T06:12:40Z\",")
        == TimeSpan(begin: start, end: Instant(microseconds: start.microseconds + 10_000_000)))
    #expect(try span(begin) == TimeSpan(begin: start, end: nil))
    #expect(try span("\"endTime\": \"2024-05-17T06:12:30Z\",") == TimeSpan(begin: nil, end: start))
    // Without a duration, the time from start to end is used.
    let ends = begin + "\"endTime\": \"2024-05-17T06:12:32Z\","
    #expect(
      Transcript(drive: DriveReaderTests.document(ends)).points[1] == "point 46.6 7.6 2024-05-17T06:12:31Z")
  }

  @Test(
    "Coordinates alone become a track without times",
    arguments: [
      "[{\"lat\":46.5,\"lon\":7.5},{\"lat\":-1,\"lon\":2e1}]",
      " [ { \"lon\" : 7.5, \"lat\" : 46.5 } , {\"lat\":-1,\"lon\":20} ]\n",
    ])
  func bare(_ text: String) {
    let transcript = Transcript(drive: text)
    #expect(
      transcript.lines == [
        "header", "track", "  extension {urn:ghost-car:drive:1}drive points=\"2\"", "segment",
        "point 46.5 7.5", "point -1 20", "end of segment", "end of track",
      ])
  }

  @Test("Drives with one point or none are read")
  func few() {
    let one = DriveReaderTests.document(
      "\"startTime\": \"2024-05-17T06:12:30Z\", \"duration\": 9,", data: "W3sibGF0IjoxLCJsb24iOjJ9XQ==")
    #expect(Transcript(drive: one).points == ["point 1 2 2024-05-17T06:12:30Z"])
    let none = Transcript(drive: DriveReaderTests.document("\"duration\": 9,", data: "W10="))
    #expect(none.points == [])
    #expect(none.lines.suffix(3) == ["segment", "end of segment", "end of track"])
    #expect(none.violations == [])
  }

  @Test("An invalid position is skipped but keeps its share of the duration")
  func invalidPoint() {
    // [{"lat":46.5,"lon":7.5},{"lat":91,"lon":7.6},{"lon":7.25,"lat":46.75}]; the second ends after byte
    // 43.
    let data =
      "W3sibGF0Ijo0Ni41LCJsb24iOjcuNX0seyJsYXQiOjkxLCJsb24iOjcuNn0seyJsb24iOjcuMjUsImxhdCI6NDYuNzV9XQ=="
    let transcript = Transcript(
      drive: DriveReaderTests.document(
        "\"startTime\": \"2024-05-17T06:12:30Z\", \"duration\": 10,", data: data))
    #expect(
      transcript.points == ["point 46.5 7.5 2024-05-17T06:12:30Z", "point 46.75 7.25 2024-05-17T06:12:40Z"])
    #expect(
      transcript.warnings.map(\.description) == [
        "byte 44: position out of range, point skipped (coordinatesData)"
      ])
  }

  @Test(
    "Faults throw the matching error",
    arguments: [
      ("", TrackError.Code.truncated), ("{}", .malformed), ("[1]", .malformed),
      ("[{\"lat\":1,\"lon\":2}", .truncated),
      ("{\"coordinatesData\":\"====\"}", .invalidValue), ("{\"coordinatesData\":\"W10\"}", .invalidValue),
      ("{\"coordinatesData\":\"W 1=\"}", .invalidValue), ("{\"coordinatesData\":\"\"}", .truncated),
      ("{\"coordinatesData\":3}", .malformed), ("{\"name\":\"x\",\"coordinatesData\":\"W1", .truncated),
      ("x", .malformed),
    ])
  func faults(_ text: String, _ code: TrackError.Code) {
    let transcript = Transcript(drive: text, isStrict: true)
    #expect(transcript.error?.code == code)
    #expect(transcript.violations == [])
  }

  @Test("Coordinates before a cut or a fault are kept")
  func cut() {
    // [{"lat":46.5,"lon":7.5},{"lat":46.6,
    let cut = DriveReaderTests.document("", data: "W3sibGF0Ijo0Ni41LCJsb24iOjcuNX0seyJsYXQiOjQ2LjYs")
    #expect(Transcript(drive: cut).points == ["point 46.5 7.5"])
    #expect(Transcript(drive: cut).warnings.map(\.code) == [.truncated])
    #expect(Transcript(drive: cut, isStrict: true).points == ["point 46.5 7.5"])
    #expect(Transcript(drive: cut, isStrict: true).error?.code == .truncated)
    let wrong = Transcript(drive: "[{\"lat\":1,\"lon\":2},{\"lat\":1;}]")
    #expect(wrong.points == ["point 1 2"])
    #expect(wrong.error?.code == .malformed)
    #expect(wrong.error?.place.byteOffset == 27)
  }

  @Test("Neither the chunk size nor the position of a cut affects the result")
  func chunks() {
    let texts = [
      DriveReaderTests.whole, "[{\"lat\":46.5,\"lon\":7.5},{\"lat\":-1,\"lon\":2e1},{\"lat\":99,\"lon\":1}]",
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      for end in [bytes.count] + Array(bytes.indices) {
        let part = String(decoding: bytes[..<end], as: UTF8.self)
        let whole = Transcript(drive: part)
        #expect(whole.violations == [], "\(part)")
        for chunk in end == bytes.count ? [1, 2, 3, 7, 61] : [7] {
          #expect(Transcript(drive: part, chunk: chunk, capacity: 1).text == whole.text, "\(part)")
        }
      }
    }
  }

  @Test("A drive is detected by its members in any order, and other JSON is not")
  func recognition() {
    func detected(_ text: String) -> String? {
      var input = ByteInput(bytes: Array(text.utf8))
      return (try? FormatRegistry.standard.detect(&input))?.name
    }
    let long = String(repeating: "A", count: 100_000)
    #expect(detected(DriveReaderTests.whole) == "drive")
    #expect(detected("{\"coordinatesData\":\"\(long)") == "drive")
    #expect(detected("{\"id\":\"x\",\"name\":\"\(long)\",\"coordinatesData\":\"\"}") == "drive")
    #expect(detected("[{\"lat\":1,\"lon\":2}]") == "drive")
    #expect(detected("[{\"lon\":1,\"lat\":2},\(long)") == "drive")
    for text in [
      "[]", "[1]", "{\"lat\":1,\"lon\":2}", "[{\"lat\":1,\"lon\":2,\"time\":3}]",
      "{\"type\":\"FeatureCollection\"}",
    ] {
      #expect(detected(text) != "drive")
    }
  }
}
