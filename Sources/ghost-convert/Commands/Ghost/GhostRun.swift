import BulkImport
import DriveMatching
import GhostExport
import GhostModel
import LiveReceivers
import TrackFormats
import TrackModel
import TrackTransforms

/// Runs the ghost command.
struct GhostRun {
  private let options: GhostConvert.GhostOptions
  private let trail: GhostTrail

  /// Reads the ghost.
  init(_ options: GhostConvert.GhostOptions) throws(TrackError) {
    self.options = options
    let name = InputPath.name(options.input)
    do throws(TrackError) {
      let ghost = try GhostInput(options.input, options.reading) { RunProgress($0) }
      RunProgress.clear()
      Console.report(ghost.warnings, file: name)
      trail = ghost.trail
    } catch {
      throw error.inFile(name)
    }
  }

  func run() throws(TrackError) {
    if let follow = options.follow { return try self.follow(follow) }
    if options.plays { return GhostReplay(trail, rate: options.speed?.rate ?? 1).run { show($0, $1) } }
    let moments = try moments()
    guard let format = options.format else {
      for seconds in moments { trail.state(at: seconds).map { show($0, seconds) } }
      return
    }
    let output = options.output ?? "-"
    do throws(TrackError) {
      try trail.write(at: moments, name: InputPath.baseName(options.input), as: format, to: output)
    } catch {
      throw error.inFile(output)
    }
  }

  /// Returns the times of the positions to print, in seconds since the start.
  private func moments() throws(TrackError) -> [Double] {
    if let step = options.step { return try trail.moments(every: step) }
    var moments: [Double] = []
    for moment in options.moments {
      switch moment {
      case .elapsed(let seconds):
        moments.append(seconds)
        // A duration of three fields looks like a time of day.
        if seconds > trail.duration,
          let elapsed = trail.elapsed(atTimeOfDay: seconds, utcOffset: LocalTime.offset),
          (0...trail.duration).contains(elapsed)
        {
          let clock = Text.clock(seconds)
          Console.note("warning: \(clock) is a time since the start; for the time of day, write T\(clock)")
        }
      case .timeOfDay(let seconds):
        moments.append(
          try timed(trail.elapsed(atTimeOfDay: seconds, utcOffset: LocalTime.offset)))
      case .moment(let moment):
        // If the time occurs twice because clocks are set back, it is the one within the drive.
        let elapsed = trail.startTime.map { start in moment.localBegins.map { $0.seconds(since: start) } }
        moments.append(
          try timed(elapsed?.first { (0...trail.duration).contains($0) } ?? elapsed?.first))
      }
    }
    return moments
  }

  private func timed(_ seconds: Double?) throws(TrackError) -> Double {
    if let seconds { return seconds }
    throw TrackError(
      .noTimes, "the drive has no start time", file: InputPath.name(options.input),
      suggestion: .text("use a time since the start, such as --at 12:30"))
  }

  private func show(_ state: GhostPosition, _ seconds: Double) {
    Console.print(options.json ? trail.json(state, at: seconds).text : text(state, seconds))
  }

  /// `12:30  46.500110, 7.500330  512 m  55 km/h  45°`
  private func text(_ state: GhostPosition, _ seconds: Double) -> String {
    var parts = [Text.clock(seconds), Text.place(state.coordinate)]
    if let altitude = state.altitude { parts.append(UnitSystem.current.short(metres: altitude)) }
    parts.append(UnitSystem.current.speed(metresPerSecond: state.speed))
    if let course = state.course { parts.append("\(Formatted.fixed(course, 0))°") }
    if seconds < 0 {
      parts.append("not started")
    } else if seconds > trail.duration {
      parts.append("arrived \(Text.clock(seconds - trail.duration)) ago")
    }
    return parts.joined(separator: "  ")
  }

  /// Returns a hint for a gate that was not crossed in its direction.
  private static func hint(_ timer: LapTimer) -> String {
    timer.hasCrossedBackwards
      ? "the gate was passed only in the direction opposite to its bearing; omit the bearing, or set another gate"
      : "the gate was not passed; set another gate"
  }

  private func follow(_ path: String) throws(TrackError) {
    var live = try LiveGap(trail)
    var timer = try options.gate.map { gate throws(TrackError) in try LapTimer(gate: gate, on: trail) }
    var setbacks = ClockSetbacks()
    var hasFix = false
    let isStrict = options.reading.isStrict
    let fixes = LiveFixes(.path(path, isStrict: isStrict), endsWithDevice: isStrict)
    defer { fixes.close() }
    while true {
      switch fixes.next() {
      case .fix(let fix):
        hasFix = true
        if case .confirmed(let correction) = setbacks.take(fix), correction.since == nil {
          Console.note("the receiver has set its clock back by \(Text.clockDifference(correction.seconds))")
        }
        // The timing continues if the receiver sets its clock back.
        var timed = fix
        timed.time = fix.time.advanced(bySeconds: setbacks.offset) ?? fix.time
        let reading = live.add(timed)
        let lap = timer?.add(timed)
        if let finished = lap?.finished, !options.json { Console.print(GhostReading.text(finished)) }
        Console.print(
          options.json ? reading.json(fix, lap).text : GhostReading.text(reading, lap))
      case .unavailable(let outage): Console.note(outage.text)
      case .available(let outage): Console.note(outage.endText)
      case .began: break
      case .undated(let count): Console.note("\(Counted.of(count, "position")) without a time, skipped")
      case .warnings(let warnings): Console.report(warnings, file: InputPath.name(path))
      case .end(let error):
        if let timer, !timer.hasCrossed { Console.note(Self.hint(timer)) }
        if let error { throw error.inFile(InputPath.name(path)) }
        guard hasFix else { throw TrackError.noFix.inFile(InputPath.name(path)) }
        return
      case nil: break
      }
    }
  }
}
