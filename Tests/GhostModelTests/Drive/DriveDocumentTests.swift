import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@Suite struct DriveDocumentTests {
  private let drive = Drive(
    id: UUID(
      uuid: (
        0x5C, 0x2A, 0x3E, 0x0B, 0x8D, 0x1F, 0x8A, 0x47, 0x9B, 0x61, 0x0E, 0x6F, 0x2D, 0x9C, 0x4A, 0x35
      )),
    name: "To \"work\" / zum Büro\\\n\u{1}😀", startTime: Instant(microseconds: 1_714_543_929_000_000),
    endTime: Instant(microseconds: 1_714_545_399_500_000), duration: 1470.5, distance: 11.3,
    coordinatesData: Data(#"[{"lat":46.5,"lon":7.5},{"lat":46.6,"lon":7.6}]"#.utf8))

  private func failure(_ text: String) -> TrackError? {
    do throws(TrackError) {
      _ = try DriveDocument.decode(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test("A document is written as the format says")
  func form() {
    // 1714543929 is 2024-05-01T06:12:09Z (date -u -d @1714543929); the base64 is that of coreutils.
    let expected = #"""
      {
        "id": "5C2A3E0B-8D1F-8A47-9B61-0E6F2D9C4A35",
        "name": "To \"work\" / zum Büro\\\n\u0001😀",
        "startTime": "2024-05-01T06:12:09Z",
        "endTime": "2024-05-01T06:36:39.500Z",
        "duration": 1470.5,
        "distance": 11.3,
        "coordinatesData": "W3sibGF0Ijo0Ni41LCJsb24iOjcuNX0seyJsYXQiOjQ2LjYsImxvbiI6Ny42fV0="
      }

      """#
    #expect(String(decoding: DriveDocument.encode(drive), as: UTF8.self) == expected)
  }

  @Test("Times that are not known are left out")
  func withoutTimes() throws {
    var drive = drive
    drive.startTime = nil
    drive.endTime = nil
    let bytes = DriveDocument.encode(drive)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("Time"))
    #expect(try DriveDocument.decode(bytes) == drive)
    #expect(try JSONDecoder().decode(Drive.self, from: Data(bytes)) == drive)
    let nulls = String(decoding: bytes, as: UTF8.self)
      .replacingOccurrences(of: #""duration""#, with: #""startTime":null,"endTime": null,"duration""#)
    #expect(try DriveDocument.decode(Array(nulls.utf8)) == drive)
  }

  @Test("Kind, notes and gear stand behind the name where they are known, for both coders")
  func details() throws {
    var drive = drive
    drive.kind = "Radfahrt"
    drive.notes = "Zwei\nZeilen"
    drive.gear = "\"Stadtrad\""
    let bytes = DriveDocument.encode(drive)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains(
        #"""
        ,
          "kind": "Radfahrt",
          "notes": "Zwei\nZeilen",
          "gear": "\"Stadtrad\"",
          "startTime"
        """#))
    #expect(try DriveDocument.decode(bytes) == drive)
    #expect(try JSONDecoder().decode(Drive.self, from: Data(bytes)) == drive)
    #expect(try DriveDocument.decode(Array(try JSONEncoder().encode(drive))) == drive)
  }

  @Test("Each coder reads what the other wrote, whatever its strategies")
  func coders() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let characters = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
        // All lengths of UTF-8 alike.
        let bits = UInt32.random(in: 0...16, using: &generator)
        return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator) >> bits)
      }
      let data = (0..<Int.random(in: 0...100, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let start = Int64.random(in: -60_000_000_000_000_000...250_000_000_000_000_000, using: &generator)
      let drive = Drive(
        name: String(String.UnicodeScalarView(characters)),
        startTime: Bool.random(using: &generator) ? Instant(microseconds: start) : nil,
        endTime: Bool.random(using: &generator) ? Instant(microseconds: start + 1) : nil,
        duration: .random(in: 0...1e6, using: &generator), distance: .random(in: 0...1e-3, using: &generator),
        coordinatesData: Data(data))
      let bytes = DriveDocument.encode(drive)
      #expect(try DriveDocument.decode(bytes) == drive, "seed \(seed)")
      #expect(try JSONDecoder().decode(Drive.self, from: Data(bytes)) == drive, "seed \(seed)")
      let encoder = JSONEncoder()
      encoder.dataEncodingStrategy = .deferredToData
      encoder.dateEncodingStrategy = .secondsSince1970
      #expect(try DriveDocument.decode(Array(try encoder.encode(drive))) == drive, "seed \(seed)")
    }
  }

  @Test("Keys come in any order, with others between them, and the last of two counts")
  func order() throws {
    let text = #"""
      {"coordinatesData":"W10=","extra":{"id":[1]},"distance":0,"duration":1,"name":"a","n\u0061me":"b\u00fc",
       "id":"5c2a3e0b-8d1f-8a47-9b61-0e6f2d9c4a35","startTime":"2024-05-01T08:12:09.25+02:00"}
      """#
    let drive = try DriveDocument.decode(Array(text.utf8))
    #expect(drive.name == "bü")
    #expect(drive.startTime == Instant(microseconds: 1_714_543_929_250_000))
    #expect(try drive.coordinates.isEmpty)
    #expect(drive.id == self.drive.id)
  }

  @Test(
    "A bad document names the offset, and a missing key its name",
    arguments: [
      ("‸", "truncated", "ends where {, the beginning of a drive"),
      ("‸[]", "malformed", "expected {, the beginning of a drive"),
      ("‸{}", "malformed", #"a drive without "id""#),
      (#"{"id":‸"x"}"#, "invalidValue", "expected a UUID"),
      (#"{"id":‸7}"#, "malformed", "expected a string"),
      (#"{"duration":‸-1}"#, "invalidValue", "expected a number that is not negative"),
      (#"{"duration":‸1e999}"#, "invalidValue", "number too large"),
      (#"{"startTime":‸"2024-05-01T06:12:09"}"#, "invalidValue", "expected an ISO 8601 time with its zone"),
      (#"{"startTime":‸7}"#, "malformed", "expected a string"),
      (#"{"coordinatesData":‸"W10"}"#, "invalidValue", "expected base64"),
      (#"{"name":"x"‸"#, "truncated", "ends where a comma or }"),
      (#"{"name":"x"}‸,"#, "malformed", "expected the end"),
      (
        #"‸{"id":"5C2A3E0B-8D1F-8A47-9B61-0E6F2D9C4A35","name":"","duration":1,"distance":0}"#, "malformed",
        #"a drive without "coordinatesData""#
      ),
    ])
  func bad(_ marked: String, _ code: String, _ message: String) throws {
    let parts = marked.components(separatedBy: "‸")
    let error = try #require(failure(parts.joined()))
    #expect(error.code.description == code)
    #expect(error.place.byteOffset == parts[0].utf8.count)
    #expect(error.message.hasPrefix(message))
  }

  @Test(
    "JSONDecoder refuses what the fast reader refuses",
    arguments: [
      ("id", #""x""#), ("startTime", #""2024-05-01""#), ("coordinatesData", #""W10""#), ("duration", "-1"),
      ("distance", "-0.5"),
    ])
  func refused(_ key: String, _ value: String) {
    var members = [
      "id": #""5C2A3E0B-8D1F-8A47-9B61-0E6F2D9C4A35""#, "name": #""n""#, "duration": "1", "distance": "0",
      "coordinatesData": #""W10=""#,
    ]
    func document() -> [UInt8] {
      Array(("{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}").utf8)
    }
    #expect(throws: Never.self) { try JSONDecoder().decode(Drive.self, from: Data(document())) }
    #expect(throws: Never.self) { try DriveDocument.decode(document()) }
    members[key] = value
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Drive.self, from: Data(document())) }
    #expect(throws: TrackError.self) { try DriveDocument.decode(document()) }
  }
}
