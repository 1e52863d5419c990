import TrackModel

/// Writes the elements of a lap around its points: figures before them, notes and extensions after them.
struct TCXLapWriter {
  private let planned: TCXLapPlan.PlannedLap
  /// The elements that the model cannot represent and that have not been written yet.
  private var rest: [ExtensionElement]
  private(set) var losses = LossReport()

  init(_ planned: TCXLapPlan.PlannedLap, _ rest: TCXLapRest?) {
    self.planned = planned
    self.rest = rest?.children ?? []
  }

  /// Appends a lap's start tag and the elements before its tracks.
  mutating func appendHead(start: Instant, to bytes: inout ByteBuffer) {
    bytes.append("   <Lap StartTime=\"")
    ISO8601.append(start, to: &bytes)
    bytes.append("\">\n    ")
    appendTotals(to: &bytes)
    if let speed = takeNumber("MaximumSpeed") { bytes.append(element: "MaximumSpeed", speed) }
    bytes.append(element: "Calories", calories)
    appendHeartRates(to: &bytes)
    appendIntensity(to: &bytes)
    bytes.append(element: "TriggerMethod", trigger)
    bytes.append("\n")
  }

  /// Appends the elements after a lap's tracks, and its end tag.
  mutating func appendTail(_ points: inout TCXPointWriter, to bytes: inout ByteBuffer) {
    if let notes = take("Notes") {
      bytes.append("    ")
      bytes.append(element: "Notes", notes.text)
      bytes.append("\n")
    }
    appendExtensions(&points, to: &bytes)
    bytes.append("   </Lap>\n")
  }

  /// Appends the lap of a course, which contains no points.
  ///
  /// - Parameter ends: the ends of the course, if the lap spans all of it.
  mutating func appendCourseLap(
    ends: (begin: Coordinate, end: Coordinate)?, _ points: inout TCXPointWriter, to bytes: inout ByteBuffer
  ) {
    if planned.lap.start != nil { losses.add("starts of laps of courses") }
    if planned.lap.calories != nil { losses.add("calorie counts of laps of courses") }
    if planned.lap.trigger != nil { losses.add("triggers of laps of courses") }
    bytes.append("   <Lap>")
    appendTotals(to: &bytes)
    if let ends {
      points.append(ends.begin, as: "BeginPosition", to: &bytes)
      if let height = takeNumber("BeginAltitudeMeters") {
        bytes.append(element: "BeginAltitudeMeters", height)
      }
      points.append(ends.end, as: "EndPosition", to: &bytes)
      if let height = takeNumber("EndAltitudeMeters") { bytes.append(element: "EndAltitudeMeters", height) }
      // The positions themselves are taken from the points.
      _ = take("BeginPosition")
      _ = take("EndPosition")
    }
    appendHeartRates(to: &bytes)
    appendIntensity(to: &bytes)
    appendExtensions(&points, to: &bytes)
    bytes.append("</Lap>\n")
  }

  // MARK: Parts

  private mutating func appendTotals(to bytes: inout ByteBuffer) {
    let lap = planned.lap
    if let timer = lap.timerTime, let elapsed = lap.elapsedTime, timer != elapsed {
      losses.add("elapsed times of laps")
    }
    bytes.append(element: "TotalTimeSeconds", planned.timerTime)
    bytes.append(element: "DistanceMeters", planned.distance)
  }

  private var calories: Double {
    mutating get {
      guard let value = planned.lap.calories else { return 0 }
      guard (0...65_535).contains(value.rounded()) else {
        losses.add("calorie counts out of range")
        return 0
      }
      if value != value.rounded() { losses.add("fractional calorie counts (rounded)") }
      return value.rounded()
    }
  }

  private mutating func appendHeartRates(to bytes: inout ByteBuffer) {
    for tag in ["AverageHeartRateBpm", "MaximumHeartRateBpm"] as [StaticString] {
      guard let element = take("\(tag)") else { continue }
      let text = element.children.first { $0.name == "Value" }?.text ?? element.text
      guard let value = TCXLapWriter.number(text), (1...255).contains(value.rounded()) else {
        losses.add("heart rates of laps")
        continue
      }
      bytes.open(tag)
      bytes.append(element: "Value", value.rounded())
      bytes.close(tag)
    }
  }

  private mutating func appendIntensity(to bytes: inout ByteBuffer) {
    let intensity = take("Intensity").map { TCXSource.token($0.text) }
    bytes.append(element: "Intensity", intensity == "Resting" ? "Resting" : "Active")
    if let cadence = take("Cadence") {
      if let value = TCXLapWriter.number(cadence.text), (0...254).contains(value.rounded()) {
        bytes.append(element: "Cadence", value.rounded())
      } else {
        losses.add("cadences of laps")
      }
    }
  }

  private var trigger: String {
    mutating get {
      guard let trigger = planned.lap.trigger else { return "Manual" }
      if ["Manual", "Distance", "Location", "Time", "HeartRate"].contains(trigger) { return trigger }
      losses.add("triggers of laps")
      return "Manual"
    }
  }

  /// Appends the remaining elements, except those in TCX's namespace, which the schema does not allow here.
  private mutating func appendExtensions(_ points: inout TCXPointWriter, to bytes: inout ByteBuffer) {
    let kept = rest.filter { !$0.isTCX }
    losses.add("details of laps", rest.count - kept.count)
    guard !kept.isEmpty else { return }
    bytes.append("    ")
    points.append(extensions: kept, to: &bytes)
    bytes.append("\n")
  }

  /// Removes and returns an element of TCX.
  private mutating func take(_ name: String) -> ExtensionElement? {
    guard let index = rest.firstIndex(where: { $0.name == name && $0.isTCX }) else { return nil }
    return rest.remove(at: index)
  }

  private mutating func takeNumber(_ name: String) -> Double? {
    guard let element = take(name) else { return nil }
    let value = TCXLapWriter.number(element.text)
    if value == nil { losses.add("details of laps") }
    return value
  }

  private static func number(_ text: String) -> Double? { DecimalReading.read(text.utf8Bytes.span) }
}
