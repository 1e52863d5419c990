import TrackModel

/// The waypoints of a course as FIT course points.
struct FITCoursePoints {
  private struct CoursePoint {
    let position: FITPosition
    let name: String?
    let type: UInt8
    /// The waypoint's own time and distance, which may differ from those of the course.
    let time: Instant?
    let distance: Double?
  }

  private var points: [CoursePoint] = []

  var count: Int { points.count }

  /// - Parameter losses: receives values that a course point cannot represent.
  mutating func add(_ waypoint: Waypoint, _ losses: inout LossReport) {
    var type = FITCoursePointType.generic
    if let name = waypoint.details.type {
      if let number = FITCoursePointType.number(named: name) {
        type = number
      } else {
        losses.add("types of waypoints")
      }
    }
    for channel in waypoint.values.keys.sorted(by: { $0.rawValue < $1.rawValue }) where channel != .distance {
      losses.add("\(channel.pluralTitle) of waypoints")
    }
    losses.add(words: waypoint.details, of: "waypoints", beside: [\.name, \.type])
    if let name = waypoint.details.name, FITWriter.shortened(name) != name {
      losses.add("names of waypoints of more than 254 bytes (shortened)")
    }
    points.append(
      CoursePoint(
        position: FITPosition(waypoint.coordinate), name: waypoint.details.name.map(FITWriter.shortened),
        type: type, time: waypoint.time, distance: waypoint.values[.distance]))
  }

  /// Appends the messages of all course points, ordered by their position along the course.
  ///
  /// - Parameters:
  ///   - line: the points of the course.
  ///   - type: the local type of the messages.
  ///   - losses: receives times and distances of waypoints that differ from those of the course.
  func append(
    to head: inout ByteBuffer, _ definitions: inout [UInt8: [UInt8]], along line: inout FITLine,
    local type: UInt8, _ losses: inout LossReport
  ) throws(TrackError) {
    var passages = points.map { FITLine.Passage($0.position) }
    try line.find(&passages)
    let order = passages.indices.sorted { left, right in
      (passages[left].centimetres, left) < (passages[right].centimetres, right)
    }
    for (number, index) in order.enumerated() {
      let place = points[index]
      var message = FITMessageBytes(FITMessageNumber.coursePoint, local: type)
      message.add(FITMessageNumber.messageIndexField, .uint16, number & 0x0FFF)
      message.add(1, .uint32, Int(passages[index].seconds))
      message.add(2, .sint32, Int(place.position.latitude))
      message.add(3, .sint32, Int(place.position.longitude))
      message.add(4, .uint32, Int(passages[index].centimetres))
      message.add(5, .enumeration, Int(place.type))
      if let name = place.name { message.add(6, name) }
      countLosses(of: place, at: passages[index], &losses)
      message.append(to: &head, &definitions)
    }
  }

  private func countLosses(
    of place: CoursePoint, at passage: FITLine.Passage, _ losses: inout LossReport
  ) {
    if let time = place.time,
      FITTime.fromInstant(time.microseconds) != FITTime.microseconds(passage.seconds)
    {
      losses.add("times of waypoints (replaced by the course's)")
    }
    if let distance = place.distance, FITRecordWriter.centimetres(distance) != passage.centimetres {
      losses.add("distances of waypoints (replaced by the course's)")
    }
  }
}
