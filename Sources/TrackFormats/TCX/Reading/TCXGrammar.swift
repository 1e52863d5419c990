import TrackModel

/// The names of TCX and of Garmin's activity extensions.
enum TCXElement: UInt16 {
  /// An unknown name; also the tape's code for unknown names.
  case other = 0
  case database, activities, courses, multiSportSession, firstSport, nextSport, transition
  case activity, course, lap, track, trackpoint, coursePoint, extensions
  // Attributes.
  case sport, startTime
  case id, name, notes
  case totalTime, distance, calories, intensity, trigger
  case time, position, latitude, longitude, altitude, heartRate, value, cadence, sensorState, pointType
  // The container inside `Extensions` whose children are sensor values, and its children.
  case sensors, speed, runCadence, watts

  /// The elements of TCX by name.
  private static let core: [String: TCXElement] = [
    "TrainingCenterDatabase": .database, "Activities": .activities, "Courses": .courses,
    "MultiSportSession": .multiSportSession, "FirstSport": .firstSport, "NextSport": .nextSport,
    "Transition": .transition, "Activity": .activity, "Course": .course, "Lap": .lap, "Track": .track,
    "Trackpoint": .trackpoint, "CoursePoint": .coursePoint, "Extensions": .extensions, "Sport": .sport,
    "StartTime": .startTime, "Id": .id, "Name": .name, "Notes": .notes, "TotalTimeSeconds": .totalTime,
    "DistanceMeters": .distance, "Calories": .calories, "Intensity": .intensity, "TriggerMethod": .trigger,
    "Time": .time, "Position": .position, "LatitudeDegrees": .latitude, "LongitudeDegrees": .longitude,
    "AltitudeMeters": .altitude, "HeartRateBpm": .heartRate, "Value": .value, "Cadence": .cadence,
    "SensorState": .sensorState, "PointType": .pointType,
  ]

  /// Garmin's ActivityExtension, versions 1 and 2.
  private static let extension12: [String: TCXElement] = [
    "TPX": .sensors, "ActivityTrackpointExtension": .sensors, "Speed": .speed, "RunCadence": .runCadence,
    "Watts": .watts, "Extensions": .other,
  ]

  /// Returns the element for a name. Names are matched by namespace, never by prefix.
  ///
  /// - Parameter core: the namespace of the root element, which is treated as that of TCX.
  static func classify(_ name: XMLName, core coreNamespace: String?) -> TCXElement {
    guard let namespace = name.namespace, !namespace.isEmpty, namespace != coreNamespace,
      namespace != TCXNamespace.v2
    else {
      // This includes sensor values with an undeclared prefix.
      return core[name.local] ?? extension12[name.local] ?? .other
    }
    switch namespace {
    case TCXNamespace.activity1, TCXNamespace.activity2: return extension12[name.local] ?? .other
    default: return .other
    }
  }
}
