import GhostModel
import Testing
import TrackModel

@testable import GhostExport

@Suite struct ComparisonTextTests {
  private func lines(_ change: (inout DriveComparison) -> Void = { _ in }) -> [String] {
    var comparison = HandMadeComparison.commute
    change(&comparison)
    return ComparisonText(ComparisonDocument(comparison, traces: [])).lines
  }

  private func notes(_ change: (inout DriveComparison) -> Void) -> [String] {
    let lines = lines(change)
    return Array(lines[((lines.lastIndex(of: "") ?? -1) + 1)...])
  }

  @Test("The text has a headline, the legs, the gap along the road and the drives")
  func whole() {
    #expect(
      lines() == [
        // The 11.8 km are Thursday's distance; it gained 20 s and lost 14 s on the shared road.
        "Thursday was faster by 0:42 over 11.8 km, including 9.0 km of shared road.",
        "On the shared road thursday was faster by 6.0 s; thursday gained 0:36 on the detour.",
        "The margin is uncertain by ± 0.6 s (one standard deviation).",
        "Timed from the start of the shared road.",
        "",
        "  leg                    distance  tuesday  thursday      waiting            gap  won by",
        "  1 together              4.00 km     6:40      6:20                       -0:20  thursday",
        "  2 detour      2.00 km / 2.80 km     4:20      3:44  1:00 / 0:00          -0:36  thursday",
        "  3 together              5.00 km     8:20      8:34                       +0:14  tuesday",
        "  compared    11.00 km / 11.80 km    19:20     18:38  1:00 / 0:00  -0:42 ± 0.6 s  thursday",
        "",
        // 60 columns: 30 bars of 200 m, the first 20 of them shared. In the first bar the gap is 0.5 s of
        // 19.5 s, drawn as level; a gap of 4.5 s fills a quarter, one of 14.5 s three quarters.
        "  who was ahead along the shared road (up: tuesday, down: thursday)",
        "  tuesday   ▁" + String(repeating: " ", count: 29) + "  never ahead",
        "  thursday   ▔▔▔▔▀▀▀▀▀▀▀▀▀▀█████" + String(repeating: " ", count: 10) + "  up to 0:56 ahead",
        "",
        "  drive      time  distance         waiting  idle at start  idle at end",
        // The times add up to the recording of 19:55.
        "  tuesday   19:20  11.00 km  1:00 in 1 stop           0:20         0:15",
        "  thursday  18:38  11.80 km            none           0:00         0:00",
      ])
  }

  @Test("Long labels of equal names and different dates remain distinguishable in every table")
  func longLabels() {
    let lines = lines {
      $0.drives[0].label = "Afternoon ride in the hills, 2025-07-01"
      $0.drives[1].label = "Afternoon ride in the hills, 2025-07-10"
    }
    // The ends of 12 characters in columns of 24, and of ten characters next to the bars.
    #expect(
      lines.contains {
        $0.hasPrefix("  leg  ") && $0.contains("Afternoon r…, 2025-07-01  Afternoon r…, 2025-07-10")
      })
    #expect(lines.contains { $0.hasPrefix("  1 together") && $0.hasSuffix("Afternoon r…, 2025-07-10") })
    #expect(lines.contains { $0.hasPrefix("  After…2025-07-10  ") })
    #expect(lines.contains { $0.hasPrefix("  Afternoon r…, 2025-07-01  19:20") })
  }

  @Test("The gap can be drawn in ASCII and in any width, and is left out without a profile")
  func sparkline() throws {
    let document = ComparisonDocument(HandMadeComparison.commute, traces: [])
    let plain = ComparisonText(document, width: 40, style: .ascii).lines
    let start = try #require(plain.firstIndex { $0.contains("who was ahead") })
    // 10 bars of 600 m: the gap of the fourth is 10.5 s, that of the seventh 19 s; the last three are not
    // shared.
    #expect(plain[start + 1] == "  tuesday" + String(repeating: " ", count: 15) + "never ahead")
    #expect(plain[start + 2] == "  thursday  +++####     up to 0:56 ahead")
    let none = lines { $0.pairs[0].profile = GapProfile() }
    #expect(!none.contains { $0.contains("who was ahead") || $0.contains("▀") })
  }

  @Test("With a later anchor, the headline covers only the road after it")
  func fromAnchor() {
    // On the last leg Thursday takes 514 s, Tuesday 500 s.
    let lines = lines {
      $0.mode = .lastConvergence
      $0.requestedMode = .lastConvergence
      $0.pairs[0].finalGap = 14
      $0.winner = 0
      $0.margin = 14
    }
    #expect(
      lines[0]
        == "Tuesday was faster by 0:14 over 5.0 km of shared road, from the last convergence."
    )
    #expect(
      lines[8] == "  compared              5.00 km     8:20      8:34               +0:14 ± 0.6 s  tuesday")
  }

  @Test(
    "Compared idle time at the start is a row, also if one recording begins elsewhere",
    arguments: [ComparisonMode.startLocation, .endLocation], [0.0, 300])
  func idle(mode: ComparisonMode, before: Double) {
    let lines = lines {
      $0.mode = mode
      $0.requestedMode = mode
      // Tuesday's 20 s before its departure, in addition to the 42 s on the legs.
      $0.pairs[0].finalGap = -62
      $0.margin = 62
      for index in $0.drives.indices { $0.drives[index].timeOffset = 0 }
      for index in $0.pairs[0].legs.indices {
        $0.pairs[0].legs[index].sides.second.fromElapsed += before
        $0.pairs[0].legs[index].sides.second.toElapsed += before
      }
    }
    let rows = lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
    #expect(rows.contains("idle 0:20 0:00 -0:20 thursday"), "\(rows)")
    #expect(rows.contains("compared 11.00 km / 11.80 km 19:40 18:38 1:00 / 0:00 -1:02 ± 0.6 s thursday"))
  }

  @Test("A margin below twice its uncertainty is called probable, and a tie has no winner")
  func tie() {
    let close = lines {
      $0.margin = 1.1
      $0.pairs[0].finalGap = -1.1
      $0.pairs[0].legs = []
    }
    #expect(close[0] == "Thursday was probably faster by 1.1 s over 9.0 km of shared road.")
    // 1.83 standard deviations.
    #expect(
      close[1]
        == "The margin is uncertain by ± 0.6 s (one standard deviation), "
        + "so the probability that thursday was faster is 97 %.")
    let tie = lines {
      $0.winner = nil
      $0.margin = nil
      $0.pairs[0].finalGap = 0
      $0.pairs[0].legs = []
    }
    #expect(tie[0] == "Too close to call over 9.0 km of shared road.")
    #expect(tie[1] == "Both took the same time, ± 0.6 s.")
    #expect(tie.last?.hasPrefix("  thursday ") == true)
    let apart = lines {
      $0.winner = nil
      $0.margin = nil
      $0.pairs[0].finalGap = -0.4
      $0.pairs[0].legs = []
    }
    #expect(apart[1] == "Thursday was ahead by 0.4 s, which is within the uncertainty of ± 0.6 s.")
  }

  @Test("A fallback is reported with the mode that was requested")
  func fallback() {
    let parting = notes {
      $0.requestedMode = .lastDivergence
      $0.fallback = .noSuchEvent
    }
    #expect(
      parting.last
        == "You asked for timing from the last divergence, but there is none: "
        + "the drives are timed from the start instead.")
    let meeting = notes {
      $0.requestedMode = .firstConvergence
      $0.fallback = .noSuchEvent
    }
    #expect(meeting.last?.contains("the first convergence, but there is none") == true)
  }

  @Test("No shared road and opposite directions are the headline", arguments: [true, false])
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
          ? "Same road, opposite directions." : "No road in common."))
    #expect(
      lines[1]
        == (isReversed
          ? "Tuesday and thursday drove the road in opposite directions, so there is no common start."
          : "Tuesday and thursday never drove the same road, so neither was ahead."))
    // Without legs the table of drives is next, and no note reports the fallback because no mode was
    // requested.
    #expect(lines[3].hasPrefix("  drive "))
    #expect(lines.count == 6)
  }

  @Test("If one of three drives is elsewhere, the other two are compared")
  func three() {
    let lines = lines {
      var wednesday = $0.drives[0]
      wednesday.label = "wednesday"
      $0.drives.append(wednesday)
      $0.pairs.append(PairComparison(first: 0, second: 2, relation: .nothingShared))
    }
    #expect(lines[0] == "Thursday was faster by 0:42 over 11.8 km, including 9.0 km of shared road.")
    #expect(lines[5] == "thursday against tuesday:")
    #expect(lines.last == "Wednesday shares no road with tuesday and is not ranked.")
    let all = self.lines {
      var wednesday = $0.drives[0]
      wednesday.label = "wednesday"
      $0.drives.append(wednesday)
      var pair = $0.pairs[0]
      pair.second = 2
      pair.finalGap = 8
      $0.pairs.append(pair)
    }
    #expect(
      all[0] == "Thursday was the fastest of 3 by 0:42 over the road shared with tuesday, detours included.")
    #expect(all[1] == "On its detour thursday gained 0:36 on tuesday.")
    #expect(all.contains("wednesday against tuesday:"))
  }

  @Test("Evenly spaced times and low-resolution sources are reported")
  func estimates() {
    var comparison = HandMadeComparison.commute
    comparison.timing = .even
    let lines = ComparisonText(
      ComparisonDocument(comparison, traces: [], resolution: [nil, Resolution(time: 60, position: 100)])
    ).lines
    let even =
      "At least one drive has no times per point: the duration is spread evenly over the points. "
      + "The gap along the road is therefore only an estimate."
    #expect(
      lines.suffix(2) == [
        even,
        "The source of thursday has a low resolution: times to about 60 s and positions to about 100 m.",
      ])
  }

  @Test("A comparison by the app's engine has no legs, no waiting and no uncertainty")
  func app() {
    let lines = lines {
      $0.engine = .app
      $0.timing = .even
      $0.pairs[0].legs = []
    }
    #expect(lines[0] == "Thursday was faster by 0:42, according to the app's engine.")
    #expect(lines[1] == "Timed from the start of the drives.")
    #expect(lines[3] == "  drive      time  distance  idle at start  idle at end")
    #expect(!lines.contains { $0.contains("±") })
    #expect(lines.last?.contains("does not check whether the drives share a road") == true)
  }

  @Test("A line break in a label is printed as a space")
  func labels() {
    let lines = lines { $0.drives[1].label = "a\nb" }
    #expect(lines[0] == "A b was faster by 0:42 over 11.8 km, including 9.0 km of shared road.")
    #expect(lines.allSatisfy { !$0.contains("\n") })
  }
}
