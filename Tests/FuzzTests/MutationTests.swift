import Foundation
import TestSupport
import Testing

@testable import FuzzTargets

/// Runs each target with random changes of its seeds, as a fuzzer without coverage does.
@Suite("Fuzz mutations")
struct MutationTests {
  /// The number of changed inputs for each target.
  private static let runs = Effort.rounds(100)

  /// Numbers at which parsers often fail.
  private static let numbers = ["-1", "0", "65536", "4294967295", "9223372036854775808", "1e999", "NaN"]

  @Test("Changed seeds keep the promises of each target", arguments: FuzzTarget.all.map(\.name))
  func changed(target name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let seeds = try RegressionTests.inputs(of: name)
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed("mutations of \(name)"))
    for _ in 0..<Self.runs {
      var input = seeds.randomElement(using: &generator) ?? []
      for _ in 0...Int.random(in: 0..<4, using: &generator) { change(&input, seeds, &generator) }
      do {
        try target.run(input)
      } catch {
        Issue.record("\(error): \(Data(input).base64EncodedString().prefix(100_000))")
        return
      }
    }
  }

  private func change(_ input: inout [UInt8], _ seeds: [[UInt8]], _ generator: inout SeededGenerator) {
    let place = Int.random(in: 0...input.count, using: &generator)
    let length = Int.random(in: 0...min(64, input.count - place), using: &generator)
    let range = place..<(place + length)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: input.removeSubrange(range)
    case 2: input.insert(contentsOf: Array(input[range]), at: place)
    case 3: input.removeSubrange(place...)
    case 4: input.replaceSubrange(range, with: (Self.numbers.randomElement(using: &generator) ?? "").utf8)
    default:
      let other = seeds.randomElement(using: &generator) ?? []
      let start = Int.random(in: 0...other.count, using: &generator)
      input.replaceSubrange(range, with: other[start...].prefix(256))
    }
  }
}
