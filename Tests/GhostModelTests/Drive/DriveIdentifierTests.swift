import Foundation
import GhostModel
import Testing
import TrackModel

@Suite struct DriveIdentifierTests {
  private let blob = Data(#"[{"lat":46.5,"lon":7.5},{"lat":46.6,"lon":7.6}]"#.utf8)
  private let start = Instant(microseconds: 1_714_543_929_000_000)

  @Test("Each copy has a different id, which is the same each time")
  func copies() {
    let id = DriveIdentifier.make(startTime: nil, duration: 1, coordinatesData: Data())
    let copies = [("a", 1), ("a", 2), ("b", 1)].map {
      DriveIdentifier.copy(of: id, from: $0.0, number: $0.1)
    }
    #expect(Set(copies + [id]).count == 4)
    #expect(copies[0] == DriveIdentifier.copy(of: id, from: "a", number: 1))
    // Version 8, variant 2 of RFC 9562.
    #expect(copies.allSatisfy { $0.uuid.6 >> 4 == 8 && $0.uuid.8 >> 6 == 2 })
  }

  @Test("The id is the hash of start, duration and blob, marked as version 8")
  func known() {
    // Computed with the Python package mmh3: hash_bytes(pack("<qd", start, 1470.5) + blob, 0, x64arch=True).
    // Version and variant were then set by hand.
    let id = DriveIdentifier.make(startTime: start, duration: 1470.5, coordinatesData: blob)
    #expect(id.uuidString == "73AFA4D4-527F-8E47-A625-5CFB47142F5B")
  }

  @Test("The id depends on each part of the content and on nothing else")
  func content() {
    let id = DriveIdentifier.make(startTime: start, duration: 10, coordinatesData: blob)
    #expect(DriveIdentifier.make(startTime: start, duration: 10, coordinatesData: blob) == id)
    #expect(DriveIdentifier.make(startTime: nil, duration: 10, coordinatesData: blob) != id)
    #expect(DriveIdentifier.make(startTime: start, duration: 10.000001, coordinatesData: blob) != id)
    #expect(DriveIdentifier.make(startTime: start, duration: 10, coordinatesData: blob.dropLast()) != id)
    // Hashing a slice of data begins at the start of the slice.
    let framed = Data("xx".utf8) + blob
    #expect(DriveIdentifier.make(startTime: start, duration: 10, coordinatesData: framed.dropFirst(2)) == id)
  }

  @Test("A hundred thousand drives that differ in one coordinate have different ids")
  func distinct() {
    var seen: Set<UUID> = []
    for index in 0..<100_000 {
      let blob = Data(#"[{"lat":46.\#(index),"lon":7.5},{"lat":46.6,"lon":7.6}]"#.utf8)
      let id = DriveIdentifier.make(startTime: start, duration: 10, coordinatesData: blob)
      #expect(seen.insert(id).inserted)
      #expect(id.uuid.6 >> 4 == 8)
      #expect(id.uuid.8 >> 6 == 0b10)
    }
  }
}
