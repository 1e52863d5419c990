import CFuzzSupport

/// Code that takes bytes from elsewhere, with everything that must hold for any bytes.
///
/// The same targets run under libFuzzer (`make fuzz`) and, for the inputs that once failed, in the tests.
package struct FuzzTarget: Sendable {
  /// The name for the command line, and of the folders of seeds and regressions.
  package let name: String
  /// How many bytes may be held at a time, and allocated in all, for each byte of the input.
  let allocation: AllocationBudget
  /// Whether inputs are XML, which has a separate mutator.
  let isXML: Bool
  private let body: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, allocation: AllocationBudget = AllocationBudget(), isXML: Bool = false,
    _ body: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.name = name
    self.allocation = allocation
    self.isXML = isXML
    self.body = body
  }

  /// Runs the code with an input.
  ///
  /// - Throws: ``FuzzFinding`` if something does not hold.
  package func run(_ input: [UInt8]) throws {
    fuzz_reset_allocations()
    try body(input)
    try allocation.check(inputSize: input.count)
  }

  /// All targets.
  package static let all: [FuzzTarget] =
    readers + [
      writers, doctype, rows, detection, json, blob, drive, comparison, laps, library, walk, arguments,
    ]

  /// The target with a name.
  package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Something that must hold for any input and does not hold for one.
package struct FuzzFinding: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Limits of memory for one run of a target. Checked where a sanitizer reports allocations.
struct AllocationBudget: Sendable {
  /// Bytes held at a time: for any input, and for each of its bytes.
  var held = (base: 48 << 20, perByte: 2_000)
  /// Bytes allocated in all.
  var total = (base: 256 << 20, perByte: 40_000)

  func check(inputSize: Int) throws {
    let peak = fuzz_peak()
    let heldLimit = UInt64(held.base + held.perByte * inputSize)
    if peak > heldLimit { throw FuzzFinding("held \(peak) bytes for \(inputSize), limit \(heldLimit)") }
    let allocated = fuzz_allocated()
    let totalLimit = UInt64(total.base + total.perByte * inputSize)
    if allocated > totalLimit {
      throw FuzzFinding("allocated \(allocated) bytes for \(inputSize), limit \(totalLimit)")
    }
  }
}
