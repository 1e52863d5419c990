import Foundation
import TestSupport
import Testing

@testable import TrackModel

@Suite struct Base64Tests {
  @Test(
    "The test vectors of RFC 4648 are encoded and decoded",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(_ text: String, _ encoded: String) {
    let bytes = Array(text.utf8)
    let characters = Array(encoded.utf8)
    #expect(Base64.encode(bytes.span) == characters)
    #expect(Base64.decode(characters.span) == bytes)
  }

  @Test("Random bytes of any length are encoded and decoded like in Foundation")
  func random() {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    for length in 0..<400 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let characters = Array(Data(bytes).base64EncodedString().utf8)
      #expect(Base64.encode(bytes.span) == characters, "seed \(seed)")
      let framed = Array("ab".utf8) + characters + Array("c".utf8)
      #expect(Base64.decode(framed.span.extracting(2..<(framed.count - 1))) == bytes, "seed \(seed)")
    }
  }

  @Test(
    "Invalid base64 is rejected",
    arguments: [
      "Zg", "Zg=", "Zg= =", "=", "====", "Zg==Zg==", "Zm9v\n", "Zm 9", "Z===", "Zm-_", "Zm9=vYmF", "Zm9é",
    ])
  func refused(_ text: String) {
    let characters = Array(text.utf8)
    #expect(Base64.decode(characters.span) == nil)
  }
}
