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
    coordinates: [Coordinate(latitude: 46.5, longitude: 7.5), Coordinate(latitude: 46.6, longitude: 7.6)])

  private func decoded(_ bytes: [UInt8]) throws -> Drive {
    try JSONDecoder().decode(Drive.self, from: Data(bytes))
  }

  @Test("A document is written as the format specifies")
  func form() {
    // 1714543929 is 2024-05-01T06:12:09Z (`date -u -d @1714543929`). The base64 was computed with coreutils.
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

  @Test("Unknown times are omitted")
  func withoutTimes() throws {
    var drive = drive
    drive.startTime = nil
    drive.endTime = nil
    let bytes = DriveDocument.encode(drive)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("Time"))
    #expect(try decoded(bytes) == drive)
    let nulls = String(decoding: bytes, as: UTF8.self)
      .replacingOccurrences(of: #""duration""#, with: #""startTime":null,"endTime": null,"duration""#)
    #expect(try decoded(Array(nulls.utf8)) == drive)
  }

  @Test("Both encoders write kind, notes and gear after the name if they are known")
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
    #expect(try decoded(bytes) == drive)
    #expect(try decoded(Array(try JSONEncoder().encode(drive))) == drive)
  }

  @Test("JSONDecoder decodes documents of both encoders with any strategies")
  func coders() throws {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let characters = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
        // Characters of all lengths in UTF-8.
        let bits = UInt32.random(in: 0...16, using: &generator)
        return Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator) >> bits)
      }
      let coordinates = (0..<Int.random(in: 0...100, using: &generator)).map { _ in
        Coordinate(
          latitude: .random(in: -90...90, using: &generator),
          longitude: .random(in: -180...180, using: &generator))
      }
      let start = Int64.random(in: -60_000_000_000_000_000...250_000_000_000_000_000, using: &generator)
      let drive = Drive(
        name: String(String.UnicodeScalarView(characters)),
        startTime: Bool.random(using: &generator) ? Instant(microseconds: start) : nil,
        endTime: Bool.random(using: &generator) ? Instant(microseconds: start + 1) : nil,
        duration: .random(in: 0...1e6, using: &generator), distance: .random(in: 0...1e-3, using: &generator),
        coordinates: coordinates)
      let bytes = DriveDocument.encode(drive)
      #expect(try decoded(bytes) == drive, "seed \(seed)")
      let encoder = JSONEncoder()
      encoder.dataEncodingStrategy = .deferredToData
      encoder.dateEncodingStrategy = .secondsSince1970
      #expect(try decoded(Array(try encoder.encode(drive))) == drive, "seed \(seed)")
    }
  }

  @Test(
    "JSONDecoder rejects values that are invalid for a drive",
    arguments: [
      ("id", #""x""#), ("startTime", #""2024-05-01""#), ("startTime", "7"), ("coordinatesData", #""W10""#),
      // `[{]` in base64.
      ("coordinatesData", #""W3td""#), ("duration", "-1"), ("duration", "1e13"),
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
    #expect(throws: Never.self) { try decoded(document()) }
    members[key] = value
    #expect(throws: DecodingError.self) { try decoded(document()) }
  }
}
