import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BulkImport

@Suite("Stopping work", .waiting)
struct WorkStopTests {
  @Test("Stopped work returns immediately, with complete items in order", arguments: [1, 2, 5])
  func stop(jobs: Int) {
    let stop = WorkStop()
    var seen: [Int] = []
    let started = Atomic(0)
    OrderedParallelMap<Int, Int>(jobs: jobs, stop: stop).run(
      produce: { intake in
        var number = 0
        while !stop.isRequested {
          intake.submit(number)
          number += 1
        }
      },
      work: { number, _, emit in
        started.add(1, ordering: .relaxed)
        _ = emit(number)
      },
      consume: {
        seen.append($0)
        if $0 == 99 { stop.request() }
        return true
      })
    #expect(seen == Array(0..<100))
    #expect(started.load(ordering: .relaxed) <= 100 + jobs * 4 + 4 + jobs)
  }

  @Test("A stop wakes a consumer that waits for a slow item")
  func wakes() {
    let stop = WorkStop()
    let isReleased = Atomic(false)
    let helper = Thread {
      Thread.sleep(forTimeInterval: 0.1)
      stop.request()
    }
    helper.start()
    let began = ContinuousClock.now
    OrderedParallelMap<Int, Int>(jobs: 1, stop: stop).run(
      produce: { $0.submit(0) },
      work: { _, _, _ in while !isReleased.load(ordering: .relaxed) { Thread.sleep(forTimeInterval: 0.01) } },
      consume: { _ in true })
    #expect(ContinuousClock.now - began < .seconds(5))
    isReleased.store(true, ordering: .relaxed)
  }

  @Test("Work that is stopped before it starts does nothing")
  func before() {
    let stop = WorkStop()
    stop.request()
    OrderedParallelMap<Int, Int>(jobs: 2, stop: stop).run(
      produce: { intake in for number in 0..<10 { intake.submit(number) } },
      work: { number, _, emit in _ = emit(number) },
      consume: { _ in
        Issue.record("consumed")
        return true
      })
  }

  @Test("Large results delay the next items")
  func outputCost() {
    let started = Atomic(0)
    var consumed = 0
    var farthest = 0
    OrderedParallelMap<Int, Int>(jobs: 2, heldLimit: 1000, slack: 1000, outputCost: { _ in 400 }).run(
      produce: { intake in for number in 0..<200 { intake.submit(number) } },
      work: { number, _, emit in
        started.add(1, ordering: .sequentiallyConsistent)
        _ = emit(number)
      },
      consume: { _ in
        farthest = max(farthest, started.load(ordering: .sequentiallyConsistent) - consumed)
        consumed += 1
        Thread.sleep(forTimeInterval: 0.001)
        return true
      })
    #expect(consumed == 200)
    // Three results exceed the limit; two more are in progress and one is being consumed. Another two may
    // have started just before.
    #expect(farthest <= 8)
  }
}
