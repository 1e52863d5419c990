import Foundation
import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Compares the lexer with Foundation's parser: same verdict and same values.
@Suite("JSON lexer compared with Foundation")
struct JSONDifferentialTests {
  /// Generates arbitrary JSON, reproducible by its seed.
  private struct RandomJSON {
    var generator: SeededGenerator

    mutating func text(depth: Int = 0) -> String {
      switch Int.random(in: 0...(depth > 4 ? 4 : 7), using: &generator) {
      case 0: return pick(["null", "true", "false"])
      case 1, 2: return number()
      case 3, 4: return string()
      case 5:
        let count = Int.random(in: 0...4, using: &generator)
        return "[" + blank() + (0..<count).map { _ in text(depth: depth + 1) }.joined(separator: comma())
          + blank()
          + "]"
      default:
        let count = Int.random(in: 0...4, using: &generator)
        // Names are unique, because readers disagree on which of two equal names is used.
        return "{" + blank()
          + (0..<count).map {
            "\"\($0)" + string().dropFirst() + blank() + ":" + blank() + text(depth: depth + 1)
          }
          .joined(separator: comma()) + blank() + "}"
      }
    }

    mutating func number() -> String {
      switch Int.random(in: 0...4, using: &generator) {
      case 0: return "\(Int64.random(in: -1000...1000, using: &generator))"
      case 1: return "\(Double.random(in: -180...180, using: &generator))"
      case 2: return "\(Double(bitPattern: UInt64.random(in: 0..<0x7FE0_0000_0000_0000, using: &generator)))"
      case 3:
        return pick([
          "0", "-0", "0.0", "1e5", "1E+5", "-1.25e-7", "123456789012345678", "0.30000000000000004",
        ])
      default:
        return (1...Int.random(in: 1...25, using: &generator)).map { _ in pick(["1", "5", "9"]) }.joined()
          + "."
          + (1...Int.random(in: 1...25, using: &generator)).map { _ in pick(["0", "3", "7"]) }.joined()
      }
    }

    private mutating func string() -> String {
      let parts = [
        "a", "é", "日本", "🚗", " ", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\uD83D\\uDE97", "\\u0000",
        "\u{7F}",
        "{", "]", ",", "//",
      ]
      return "\"" + (0..<Int.random(in: 0...6, using: &generator)).map { _ in pick(parts) }.joined() + "\""
    }

    private mutating func blank() -> String { pick(["", "", " ", "\n", "\t ", "\r\n"]) }
    private mutating func comma() -> String { blank() + "," + blank() }

    mutating func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }
  }

  @Test("Any JSON yields the same values")
  func values() throws {
    let seed = SeededGenerator.printedSeed()
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    for _ in 0..<1500 {
      let text = random.text()
      let bytes = Array(text.utf8)
      let expected = try JSONTree.foundation(bytes)
      let chunk = random.pick([1, 5, 64, 4096])
      let lexed = try JSONTree.lexed(bytes, chunk: chunk)
      #expect(lexed.agrees(with: expected), "\(text)")
      if !lexed.agrees(with: expected) { return }
    }
  }

  @Test("Every number is the closest to its text")
  func numbers() throws {
    let seed = SeededGenerator.printedSeed()
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    for _ in 0..<5000 {
      let text = random.number()
      #expect(try JSONTree.lexed(Array(text.utf8)) == .number(Double(text)), "\(text)")
    }
  }

  @Test("JSON with changed, removed or inserted bytes gets the same verdict")
  func verdicts() throws {
    let seed = SeededGenerator.printedSeed()
    var random = RandomJSON(generator: SeededGenerator(seed: seed))
    let alphabet =
      Array("{}[],:\"\\/ \n0123456789eE+-.truefalsn\u{7F}".utf8) + [0x01, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
    var refused = 0
    var accepted = 0
    while accepted < 300 || refused < 1500 {
      var bytes = Array(random.text().utf8)
      for _ in 0...Int.random(in: 0...2, using: &random.generator) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random.generator)
        switch Int.random(in: 0...2, using: &random.generator) {
        case 0: bytes[index] = random.pick(alphabet)
        case 1: bytes.remove(at: index)
        default: bytes.insert(random.pick(alphabet), at: index)
        }
      }
      let expected = try? JSONTree.foundation(bytes)
      let lexed = try? JSONTree.lexed(bytes, chunk: random.pick([1, 7, 4096]))
      // Foundation rejects a number out of range for a `Double`, which is valid in JSON.
      if expected == nil, let lexed, lexed.holdsNumberOutOfRange { continue }
      let text = String(decoding: bytes, as: UTF8.self)
      // Foundation on Linux allows a comma before a closing bracket, which RFC 8259 does not.
      if lexed == nil, expected != nil, text.contains(/,[ \t\r\n]*[\]}]/.matchingSemantics(.unicodeScalar)) {
        continue
      }
      if (lexed == nil) != (expected == nil) {
        Issue.record(
          "\(text.debugDescription): \(lexed?.description ?? "refused"), Foundation \(expected?.description ?? "refused")"
        )
        return
      }
      if lexed == nil { refused += 1 } else { accepted += 1 }
    }
  }
}

extension JSONTree {
  /// Returns whether two values are the same, except for the last digits of numbers: Foundation's are off by
  /// a few units in the last place. The exact values are tested above.
  fileprivate func agrees(with other: JSONTree) -> Bool {
    switch (self, other) {
    case (.number(let left?), .number(let right?)): abs(left - right) <= abs(right) * 1e-14
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.agrees(with: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count && left.allSatisfy { name, value in right[name].map(value.agrees) ?? false }
    default: self == other
    }
  }

  fileprivate var holdsNumberOutOfRange: Bool {
    switch self {
    case .number(let number): number == nil
    case .array(let elements): elements.contains { $0.holdsNumberOutOfRange }
    case .object(let members): members.values.contains { $0.holdsNumberOutOfRange }
    default: false
    }
  }
}
