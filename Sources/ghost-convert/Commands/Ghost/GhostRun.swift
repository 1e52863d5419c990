import BulkImport
import DriveMatching
import GhostExport
import GhostModel
import LiveReceivers
import TrackFormats
import TrackModel
import TrackTransforms

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs the ghost command.
struct GhostRun {
  private let options: GhostConvert.GhostOptions
  private let trail: GhostTrail
  private let name: String

  /// Reads the ghost.
  init(_ options: GhostConvert.GhostOptions) throws(TrackError) {
    self.options = options
    name = Input.baseName(options.input)
    do throws(TrackError) {
      let reading = options.reading
      var opening = reading.opening
      opening.stages = GhostInput.stages
      var input = try Input.open(options.input, opening)
      let ghost = try GhostInput(
        &input, track: reading.track, isStrict: reading.isStrict, rules: reading.rules)
      RunProgress.clear()
      Console.report(ghost.warnings, file: InputPath.name(options.input))
      trail = ghost.trail
    } catch {
      throw error.inFile(InputPath.name(options.input))
    }
  }

  func run() throws(TrackError) {
    if let follow = options.follow { return try self.follow(follow) }
    if options.plays {
      GhostPlay(trail: trail, rate: options.speed?.rate ?? 1).run(.system) { state, seconds in
        Console.print(options.json ? json(state, seconds).text : text(state, seconds))
      }
      return
    }
    let moments = try moments()
    if let format = options.format {
      let output = options.output ?? "-"
      do throws(TrackError) {
        try trail.write(at: moments, name: name, as: format, to: output)
      } catch {
        throw error.inFile(output)
      }
    } else {
      for seconds in moments {
        guard let state = trail.state(at: seconds) else { continue }
        Console.print(options.json ? json(state, seconds).text : text(state, seconds))
      }
    }
  }

  /// Returns the times of the positions to print, in seconds since the start.
  private func moments() throws(TrackError) -> [Double] {
    if let step = options.step {
      guard trail.duration / step < 1e7 else {
        throw TrackError(.usage, "more than ten million positions", suggestion: .text("use a longer --every"))
      }
      var moments = (0...Int(trail.duration / step)).map { Double($0) * step }
      // Always include the end.
      if let last = moments.last, last < trail.duration { moments.append(trail.duration) }
      return moments
    }
    var moments: [Double] = []
    for moment in options.moments {
      switch moment {
      case .elapsed(let seconds):
        moments.append(seconds)
        // A duration of three fields looks like a time of day.
        if seconds > trail.duration, let start = trail.startTime,
          (0...trail.duration).contains(elapsed(atTimeOfDay: seconds, start))
        {
          let clock = Text.clock(seconds)
          Console.note("warning: \(clock) is a time since the start; for the time of day, write T\(clock)")
        }
      case .timeOfDay(let seconds): moments.append(elapsed(atTimeOfDay: seconds, try startTime()))
      case .moment(let moment): moments.append(moment.localBegin.seconds(since: try startTime()))
      }
    }
    return moments
  }

  private func startTime() throws(TrackError) -> Instant {
    if let start = trail.startTime { return start }
    throw TrackError(
      .noTimes, "the drive has no start time", file: InputPath.name(options.input),
      suggestion: .text("use a time since the start, such as --at 12:30"))
  }

  /// Returns the seconds from the start to a time of day, on the following day if the drive lasts until then.
  private func elapsed(atTimeOfDay seconds: Double, _ start: Instant) -> Double {
    let local = start.secondsSince1970 + Double(LocalTime.offset(at: start))
    let elapsed = seconds - (local - (local / 86_400).rounded(.down) * 86_400)
    return elapsed < 0 && elapsed + 86_400 <= trail.duration ? elapsed + 86_400 : elapsed
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

  private func json(_ state: GhostPosition, _ seconds: Double) -> JSONValue {
    .object([
      ("elapsed_s", .number(seconds)), ("time", .time(trail.startTime?.advanced(bySeconds: seconds))),
      ("lat", .number(state.coordinate.latitude)), ("lon", .number(state.coordinate.longitude)),
      ("altitude_m", .optional(state.altitude)), ("speed_mps", .number(state.speed)),
      ("course_deg", .optional(state.course)), ("index", .integer(state.index)),
      ("fraction", .number(state.fraction)),
    ])
  }

  /// Returns the timer of the given gate. A gate without a bearing is crossed in the ghost's direction.
  private func lapTimer() throws(TrackError) -> LapTimer? {
    guard let gate = options.gate else { return nil }
    let ghost = try TimedDrive(
      label: name, coordinates: trail.coordinates, elapsed: trail.elapsed,
      segmentStarts: [0] + trail.segmentStarts)
    return try LapTimer(LapCourse(gate: gate, in: [ghost]))
  }

  /// Returns a hint for a gate that was not crossed in its direction.
  private static func hint(_ timer: LapTimer) -> String {
    timer.hasCrossedBackwards
      ? "the gate was passed only in the direction opposite to its bearing; omit the bearing, or set another gate"
      : "the gate was not passed; set another gate"
  }

  private func follow(_ path: String) throws(TrackError) {
    var live = try LiveGap(trail)
    var timer = try lapTimer()
    var setbacks = ClockSetbacks()
    let isStrict = options.reading.isStrict
    let fixes = LiveFixes(.path(path, isStrict: isStrict), endsWithDevice: isStrict)
    while true {
      switch fixes.next() {
      case .fix(let fix):
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
        return
      case nil: break
      }
    }
  }
}
