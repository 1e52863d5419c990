import GhostModel
import Testing
import TrackModel

@testable import ghost_convert

@Suite struct ComparisonTextTests {
  private func lines(_ change: (inout DriveComparison) -> Void = { _ in }) -> [String] {
    var comparison = HandMadeComparison.commute
    change(&comparison)
    return ComparisonText(comparison).lines
  }

  private func notes(_ change: (inout DriveComparison) -> Void) -> [String] {
    let lines = lines(change)
    return Array(lines[((lines.lastIndex(of: "") ?? -1) + 1)...])
  }

  @Test("A comparison is a headline, the legs, the drives and a note")
  func whole() {
    #expect(
      lines() == [
        "Thursday was faster by 0:42 over 9.0 km of shared road.",
        "",
        "  leg                    distance  tuesday  thursday      waiting            gap  won by",
        "  1 together              4.00 km     6:40      6:20                       -0:20  thursday",
        "  2 detour      2.00 km / 2.80 km     4:20      3:44  1:00 / 0:00          -0:36  thursday",
        "  3 together              5.00 km     8:20      8:34                       +0:14  tuesday",
        "  compared    11.00 km / 11.80 km    19:20     18:38  1:00 / 0:00  -0:42 ± 0.6 s  thursday",
        "",
        "  drive      time  distance         waiting  idle at start  idle at end",
        "  tuesday   19:35  11.00 km  1:00 in 1 stop           0:20         0:15",
        "  thursday  18:38  11.80 km            none           0:00         0:00",
        "",
        "The margin is certain to ± 0.6 s.",
      ])
  }

  @Test("From an anchor on, what lies behind it is summed up")
  func fromAnchor() {
    // Thursday takes 514 s for the last leg, tuesday 500.
    let lines = lines {
      $0.mode = .lastConvergence
      $0.requestedMode = .lastConvergence
      $0.pairs[0].finalGap = 14
      $0.winner = 0
      $0.margin = 14
    }
    #expect(lines[0] == "Tuesday was faster by 0:14 from where they last meet to the end of the shared road.")
    #expect(
      lines[6] == "  compared              5.00 km     8:20      8:34               +0:14 ± 0.6 s  tuesday")
  }

  @Test("A margin within the uncertainty is called a tie, and a real tie has no winner")
  func tie() {
    let close = lines {
      $0.margin = 1.1
      $0.pairs[0].finalGap = -1.1
    }
    #expect(close[0] == "Thursday was faster by 1.1 s over 9.0 km of shared road.")
    #expect(
      close.last == "The margin is certain to ± 0.6 s only: as far as these recordings tell, it is a tie.")
    let tie = lines {
      $0.winner = nil
      $0.margin = nil
      $0.pairs[0].finalGap = 0
    }
    #expect(tie[0] == "Neither was faster over 9.0 km of shared road.")
    #expect(tie.last?.hasPrefix("  thursday ") == true)
    let apart = lines {
      $0.winner = nil
      $0.margin = nil
      $0.pairs[0].finalGap = -0.4
    }
    #expect(apart.last == "They are 0.4 s apart, which is certain to ± 0.6 s only.")
  }

  @Test("What was fallen back from is said")
  func fallback() {
    let parting = notes {
      $0.requestedMode = .lastDivergence
      $0.fallback = .noSuchEvent
    }
    #expect(
      parting.last
        == "The drives never part, so they are aligned where they start and not where they last part.")
    let meeting = notes {
      $0.requestedMode = .firstConvergence
      $0.fallback = .noSuchEvent
    }
    #expect(meeting.last?.hasPrefix("The drives never meet after they were apart, so") == true)
  }

  @Test("Nothing shared, and opposite directions, are the headline", arguments: [true, false])
  func nothing(isReversed: Bool) {
    let lines = lines {
      $0.pairs[0] = PairComparison(first: 0, second: 1, relation: isReversed ? .reversed : .nothingShared)
      $0.winner = nil
      $0.margin = nil
      $0.fallback = isReversed ? .reversed : .nothingShared
    }
    #expect(
      lines[0]
        == (isReversed
          ? "Tuesday and thursday drove the same road in opposite directions, so neither was faster."
          : "Tuesday and thursday share no road, so neither was faster."))
    // No legs: the drives follow, and no note says that they are aligned where nobody asked for anything else.
    #expect(lines[2].hasPrefix("  drive "))
    #expect(lines.count == 5)
  }

  @Test("Of three drives of which one is elsewhere, the others are compared")
  func three() {
    let lines = lines {
      var wednesday = $0.drives[0]
      wednesday.label = "wednesday"
      $0.drives.append(wednesday)
      $0.pairs.append(PairComparison(first: 0, second: 2, relation: .nothingShared))
    }
    #expect(lines[0] == "Thursday was faster by 0:42 over the road shared with tuesday.")
    #expect(lines[2] == "thursday against tuesday:")
    #expect(lines.last == "Wednesday shares no road with tuesday.")
    let all = self.lines {
      var wednesday = $0.drives[0]
      wednesday.label = "wednesday"
      $0.drives.append(wednesday)
      var pair = $0.pairs[0]
      pair.second = 2
      pair.finalGap = 8
      $0.pairs.append(pair)
    }
    #expect(all[0] == "Thursday was the fastest of 3 by 0:42 over the road shared with tuesday.")
    #expect(all.contains("wednesday against tuesday:"))
  }

  @Test("Times spread evenly and coarse sources are said")
  func estimates() {
    var comparison = HandMadeComparison.commute
    comparison.timing = .even
    let lines = ComparisonText(
      comparison, coarseness: [nil, Coarseness(time: 60, position: 100)]
    ).lines
    #expect(
      lines.suffix(2) == [
        "The times are spread evenly: a drive has no time per point, so times on the way are estimates.",
        "The source of thursday tells times to 60 s and places to 100 m only.",
      ])
  }

  @Test("The app's engine knows no legs, no waiting and no uncertainty")
  func app() {
    let lines = lines {
      $0.engine = .app
      $0.timing = .even
      $0.pairs[0].legs = []
    }
    #expect(lines[0] == "Thursday was faster by 0:42, by the app's engine.")
    #expect(lines[2] == "  drive      time  distance  idle at start  idle at end")
    #expect(!lines.contains { $0.contains("±") })
    #expect(lines.last?.contains("does not ask whether they share a road") == true)
  }

  @Test("A label that would break the line does not")
  func labels() {
    let lines = lines { $0.drives[1].label = "a\nb" }
    #expect(lines[0] == "A b was faster by 0:42 over 9.0 km of shared road.")
    #expect(lines.allSatisfy { !$0.contains("\n") })
  }
}
