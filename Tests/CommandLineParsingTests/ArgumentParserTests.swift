import Testing

@testable import CommandLineParsing

struct ArgumentParserTests {
  typealias Options = Sample.ImportOptions

  /// Arguments of `import` with the expected options. Every case has the input `a.gpx`.
  static let accepted: [(arguments: [String], expected: @Sendable (inout Options) -> Void)] = [
    (["a.gpx"], { _ in }),
    (["--json", "a.gpx"], { $0.json = true }),
    (["a.gpx", "--json"], { $0.json = true }),
    (["-j", "a.gpx"], { $0.json = true }),
    (["--json", "-j", "a.gpx"], { $0.json = true }),
    (["--output", "b", "a.gpx"], { $0.output = "b" }),
    (["--output=b", "a.gpx"], { $0.output = "b" }),
    (["--shift=", "a.gpx"], { $0.shift = "" }),
    (["--shift", "", "a.gpx"], { $0.shift = "" }),
    (["--output=b=c", "a.gpx"], { $0.output = "b=c" }),
    (["--output=--json", "a.gpx"], { $0.output = "--json" }),
    (["--output", "-", "a.gpx"], { $0.output = "-" }),
    (["-o", "b", "a.gpx"], { $0.output = "b" }),
    (["-ob", "a.gpx"], { $0.output = "b" }),
    (["-o=b", "a.gpx"], { $0.output = "=b" }),
    (["-o-", "a.gpx"], { $0.output = "-" }),
    (["-o--json", "a.gpx"], { $0.output = "--json" }),
    (["-jv", "a.gpx"], { ($0.json, $0.verbose) = (true, true) }),
    (["-jvo", "b", "a.gpx"], { ($0.json, $0.verbose, $0.output) = (true, true, "b") }),
    (["-jvob", "a.gpx"], { ($0.json, $0.verbose, $0.output) = (true, true, "b") }),
    (["-joh", "a.gpx"], { ($0.json, $0.output) = (true, "h") }),
    (["-n3", "a.gpx"], { $0.rounds = 3 }),
    (["-n-3", "a.gpx"], { $0.rounds = -3 }),
    (["-n", "-3", "a.gpx"], { $0.rounds = -3 }),
    (["--shift", "-1h", "a.gpx"], { $0.shift = "-1h" }),
    (["--shift=-1h", "a.gpx"], { $0.shift = "-1h" }),
    (["--shift", "--far", "a.gpx"], { $0.shift = "--far" }),
    (["--shift", "1h", "--shift", "2h", "a.gpx"], { $0.shift = "2h" }),
    (["--tag", "x", "--tag=y", "a.gpx"], { $0.tags = ["x", "y"] }),
    (["--cadence", "0.5", "a.gpx"], { $0.cadence = .step(0.5) }),
    (["--cadence", "0.5", "--cadence=auto", "a.gpx"], { _ in }),
    (["--timing=moving", "a.gpx"], { $0.timing = .moving }),
    (["--maximum-accuracy", "2e1", "a.gpx"], { $0.accuracy = 20 }),
    (["--json", "--", "a.gpx"], { $0.json = true }),
  ]

  @Test("Every form of option is read", arguments: accepted.indices)
  func forms(index: Int) throws {
    let (arguments, expected) = Self.accepted[index]
    var options = Options()
    options.inputs = ["a.gpx"]
    expected(&options)
    #expect(try Sample.importParser.parse(arguments) == options, "\(arguments)")
  }

  @Test(
    "A second output is an error, in every spelling",
    arguments: [["--output", "b"], ["--output=a"], ["-o", "b"], ["-job"]])
  func secondOutput(again: [String]) {
    let expected = UsageError("--output is given twice", hint: "this command writes one output")
    #expect(throws: expected) { try Sample.importParser.parse(["a.gpx", "-o", "a"] + again) }
  }

  private struct WithLibrary: Sendable {
    var inputs: [String] = []
    var library: String?
    var json = false
  }

  @Test(
    "An optional value is missing at the end and before another option",
    arguments: [
      (["a", "--library"], missingArgumentValue, ["a"]),
      (["--library", "--json", "a"], missingArgumentValue, ["a"]),
      (["--library", "--", "a"], missingArgumentValue, ["a"]), (["--library", "l", "a"], "l", ["a"]),
      (["--library=l", "a"], "l", ["a"]), (["--library=", "a"], "", ["a"]),
      (["--library", "-", "a"], "-", ["a"]),
    ])
  func optionalValue(arguments: [String], library: String, inputs: [String]) throws {
    let parser = ArgumentParser(
      defaults: WithLibrary(),
      parameters: [
        .arguments("FILE", \.inputs, "Inputs."), .flag("--json", \.json, "JSON."),
        .option("--library", \.library, value: "[FILE]", "A library.", parse: { $0 }),
      ])
    let options = try #require(try parser.parse(arguments))
    #expect(options.library == library && options.inputs == inputs)
  }

  @Test("An empty file name is an error", arguments: [["--output="], ["--output", ""], ["-o", ""]])
  func emptyName(arguments: [String]) throws {
    #expect {
      try Sample.importParser.parse(arguments + ["a.gpx"])
    } throws: { error in
      (error as? UsageError)?.message.hasSuffix(": expected the name of a file") == true
    }
  }

  @Test(
    "Operands keep their order, and all arguments after -- are operands",
    arguments: [
      (["-"], ["-"]),
      (["a", "-", "b"], ["a", "-", "b"]),
      (["a", "--json", "b"], ["a", "b"]),
      (["--", "--json", "-j", "--", "-h"], ["--json", "-j", "--", "-h"]),
      (["a", "--", "b"], ["a", "b"]),
      ([""], [""]),
    ])
  func operands(arguments: [String], inputs: [String]) throws {
    #expect(try Sample.importParser.parse(arguments)?.inputs == inputs)
  }

  @Test(
    "Help can be requested at every position of an option",
    arguments: [
      ["--help"], ["-h"], ["a", "--help"], ["-jh"], ["--cadence", "x", "--help"], ["-h", "--bogus"],
    ])
  func help(arguments: [String]) throws {
    #expect(try Sample.importParser.parse(arguments) == nil)
  }

  struct CopyOptions: CommandOptions, Equatable {
    var sources: [String] = []
    var target = ""
    var note: String?
  }

  @Test("Required operands get a value before an operand that accepts several")
  func distribution() throws {
    let parser = ArgumentParser(
      defaults: CopyOptions(),
      parameters: [
        .arguments("SOURCE", \.sources, minimum: 2, "From."), .argument("TARGET", \.target, "To."),
      ])
    #expect(try parser.parse(["a", "b", "c", "d"]) == CopyOptions(sources: ["a", "b", "c"], target: "d"))
    #expect(throws: UsageError(.missingOperand("TARGET", minimum: 1, given: 0))) {
      try parser.parse(["a", "b"])
    }
    #expect(throws: UsageError(.missingOperand("SOURCE", minimum: 2, given: 1))) { try parser.parse(["a"]) }
  }

  @Test("An optional operand gets a value only after the required ones")
  func optionalOperand() throws {
    let parser = ArgumentParser(
      defaults: CopyOptions(),
      parameters: [.argument("NOTE", \.note, required: false, "Note."), .argument("TARGET", \.target, "To.")])
    #expect(try parser.parse(["a"]) == CopyOptions(target: "a"))
    #expect(try parser.parse(["a", "b"]) == CopyOptions(target: "b", note: "a"))
    #expect(throws: UsageError(.unexpectedOperand("c"))) { try parser.parse(["a", "b", "c"]) }
  }

  @Test("The first value of a repeated option replaces the defaults")
  func repeatedDefaults() throws {
    let parser = ArgumentParser(
      defaults: CopyOptions(sources: ["x", "y"]),
      parameters: [.repeated("--source", \.sources, value: "S", "From.")])
    #expect(try parser.parse([])?.sources == ["x", "y"])
    #expect(try parser.parse(["--source", "a", "--source", "b"])?.sources == ["a", "b"])
    #expect(parser.descriptions.map(\.fullHelp) == ["From. (default: x, y; may be repeated)"])
  }

  @Test("Several flags can set one property, and the last one wins")
  func flagValues() throws {
    let parser = ArgumentParser(
      defaults: Options(),
      parameters: [
        .flag("--even", \.cadence, sets: .step(1), "Even."), .flag("--auto", \.cadence, sets: .auto, "Auto."),
      ])
    #expect(try parser.parse(["--auto", "--even"])?.cadence == .step(1))
    #expect(try parser.parse(["--even", "--auto"])?.cadence == .auto)
  }

  @Test("Operands can be converted by a closure")
  func parsedOperands() throws {
    let parser = ArgumentParser(
      defaults: CopyOptions(),
      parameters: [
        .argument("TARGET", \.target, "To.", parse: { $0.uppercased() }),
        .arguments("SOURCE", \.sources, minimum: 0, "From.", parse: { $0 + "!" }),
      ])
    #expect(try parser.parse(["t", "a", "b"]) == CopyOptions(sources: ["a!", "b!"], target: "T"))
    #expect(try parser.parse(["t"]) == CopyOptions(target: "T"))
  }

  @Test("Random arguments are accepted or rejected without a crash")
  func random() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SplitMix(state: seed)
    let pieces = ["-", "--", "=", "j", "o", "n", "h", "x", "json", "output", "tag", "3", "é", "\n", ""]
    for _ in 0..<5_000 {
      let arguments = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          pieces.randomElement(using: &generator) ?? ""
        }.joined()
      }
      do throws(UsageError) {
        guard let options = try Sample.importParser.parse(arguments) else { continue }
        #expect(!options.inputs.isEmpty, "seed \(seed): \(arguments)")
      } catch {
        #expect(!error.line(program: "tracks").contains("\n"), "seed \(seed): \(arguments)")
      }
    }
  }

  @Test("An ambiguous declaration stops the program")
  func unsound() async {
    await #expect(processExitsWith: .failure) {
      _ = ArgumentParser(
        defaults: CopyOptions(),
        parameters: [
          .option("--a", \.target, value: "A", "Once."), .option("--a", \.note, value: "A", "Twice."),
        ])
    }
    await #expect(processExitsWith: .failure) {
      _ = ArgumentParser(
        defaults: CopyOptions(), parameters: [.option("--host", short: "-h", \.note, value: "H", "Host.")])
    }
  }
}

/// SplitMix64, after the reference implementation by Sebastiano Vigna: a reproducible generator with a
/// seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
