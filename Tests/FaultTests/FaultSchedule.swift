import CFaultVFS
import Synchronization
import TestSupport

@testable import TrackFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One fault at one call, from a seed: a call fails, writes only part, or stops the process for good.
struct FaultSchedule: Sendable, CustomStringConvertible {
  enum Kind: Sendable, CaseIterable {
    /// This call and all later calls of the same type fail: a disk that is full or broken.
    case failure
    /// One call fails, and the next one succeeds.
    case passingFailure
    /// A write is short, as the system allows.
    case shortWrite
    /// Part of a write reaches the file, and then the process ends: no later call does anything.
    case torn
    /// The process ends before the call.
    case stop
  }

  let kind: Kind
  /// The call that it happens to, from 0, over all calls of a run.
  let index: Int
  private let reason: Int32
  private let share: Double

  /// - Parameter count: how many calls an undisturbed run makes.
  init(seed: UInt64, count: Int) {
    var generator = SeededGenerator(seed: seed)
    kind = Kind.allCases.randomElement(using: &generator) ?? .stop
    index = Int.random(in: 0..<max(count, 1), using: &generator)
    reason = [ENOSPC, EIO, EDQUOT, EACCES, EMFILE].randomElement(using: &generator) ?? EIO
    share = Double.random(in: 0..<1, using: &generator)
  }

  var description: String { "\(kind) at call \(index)" }

  /// The outcome of a call, given how many calls came before it.
  fileprivate func effect(
    _ call: SystemFaults.Call, count: Int, number: Int, struck: inout SystemFaults.Call?
  )
    -> SystemFaults.Effect
  {
    let part = Int(Double(count) * share)
    if number < index { return .success }
    if number == index { struck = call }
    switch kind {
    case .failure: return call == struck ? .failure(reason) : .success
    case .passingFailure: return number == index ? .failure(reason) : .success
    case .shortWrite:
      return number == index && call == .write && part > 0 ? .partial(part) : .success
    case .torn: return number == index && call == .write && part > 0 ? .partial(part) : .failure(EIO)
    case .stop: return .failure(EIO)
    }
  }
}

/// Faults for the whole process: files through ``SystemFaults``, libraries through a layer of SQLite.
enum Faults {
  private struct State {
    var schedule: FaultSchedule?
    var count = 0
    var struck: SystemFaults.Call?
  }
  private static let state = Mutex(State())

  /// Counts calls from now on, and disturbs them if there is a schedule.
  static func begin(_ schedule: FaultSchedule?) {
    state.withLock { $0 = State(schedule: schedule) }
    SystemFaults.install { call, count in decide(call, count) }
    _ = fault_vfs_install { call, bytes in
      guard let call = SystemFaults.Call(rawValue: call) else { return 0 }
      switch Faults.decide(call, Int(bytes)) {
      case .success: return 0
      // SQLITE_IOERR or SQLITE_FULL.
      case .failure(let reason): return reason == ENOSPC || reason == EDQUOT ? 13 : 10
      // SQLite knows no short writes: the part is written, and the disk is full.
      case .partial(let part): return -1 - Int32(part)
      }
    }
  }

  /// Lets all calls succeed again.
  ///
  /// - Returns: how many calls there were.
  @discardableResult
  static func end() -> Int {
    SystemFaults.install(nil)
    _ = fault_vfs_install(nil)
    return state.withLock { $0.count }
  }

  private static func decide(_ call: SystemFaults.Call, _ count: Int) -> SystemFaults.Effect {
    state.withLock { state in
      defer { state.count += 1 }
      guard let schedule = state.schedule else { return .success }
      return schedule.effect(call, count: count, number: state.count, struck: &state.struck)
    }
  }
}
