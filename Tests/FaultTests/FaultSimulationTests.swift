import Foundation
import Testing

/// Every command that writes, disturbed at a random system call: its files stay complete, and repeating the
/// command gives the result of an undisturbed run.
///
/// `FAULT_SEEDS` sets the number of seeds for each scenario (100), `FAULT_SEED` the first one (1),
/// `FAULT_REPORT` an existing file for the results.
@Suite("Fault simulation")
struct FaultSimulationTests {
  @Test("After any fault, outputs are complete or missing, and a repeated command completes the work")
  func simulation() async {
    // Faults affect the whole process, so it is a separate one.
    await #expect(processExitsWith: .success) {
      let environment = ProcessInfo.processInfo.environment
      let count = environment["FAULT_SEEDS"].flatMap { UInt64($0) } ?? 100
      let first = environment["FAULT_SEED"].flatMap { UInt64($0) } ?? 1
      let report = environment["FAULT_REPORT"].flatMap { FileHandle(forWritingAtPath: $0) }
      for scenario in Scenario.all {
        let simulation = try FaultSimulation(scenario)
        for seed in first..<(first + count) {
          do { try simulation.run(seed) } catch {
            // An error that is thrown here would not be shown.
            Issue.record("\(error)")
            return
          }
        }
        let line = "faults: \(scenario.name): \(count) seeds over \(simulation.callCount) calls survived\n"
        // The standard error of this process is not shown.
        try report?.write(contentsOf: Data(line.utf8))
      }
    }
  }
}

/// Runs of one scenario.
struct FaultSimulation {
  private let scenario: Scenario
  private let undisturbed: Folder
  /// System calls that an undisturbed run makes.
  let callCount: Int

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    undisturbed = try Folder()
    try FileManager.default.createDirectory(atPath: undisturbed.file("in"), withIntermediateDirectories: true)
    try scenario.prepare(undisturbed)
    Faults.begin(nil)
    defer { Faults.end() }
    try scenario.run(undisturbed)
    callCount = Faults.end()
  }

  func run(_ seed: UInt64) throws {
    let schedule = FaultSchedule(seed: seed, count: callCount)
    let folder = try Folder()
    do {
      try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
      try scenario.prepare(folder)
      Faults.begin(schedule)
      // A failure is reported, which is what a fault asks for.
      try? scenario.run(folder)
      Faults.end()
      try scenario.check(folder, undisturbed)
      try scenario.run(folder)
      try scenario.compare(folder, undisturbed)
    } catch {
      Faults.end()
      let command = "FAULT_SEED=\(seed) FAULT_SEEDS=1 swift test --filter FaultSimulationTests"
      throw Scenario.Violation("\(scenario.name), \(schedule): \(error)\nreplay: \(command)")
    }
  }
}
