/// The names of the supported members in Google's exports.
enum TimelineName: UInt16 {
  case other = 0
  // Whole exports.
  case locations, timelineObjects, semanticSegments, rawSignals, timelineEdits
  // Positions and fixes.
  case latLng, latitudeE7, longitudeE7, latitude, longitude, point, points, position, signal
  case accuracy, accuracyInMillimetres, verticalAccuracy, altitude, speed, heading, time
  // Activities and visits.
  case activity, activityRecord, activities, activitySegment, placeVisit, visit, path
  case startTime, endTime, start, end, duration, minutes, topCandidate, type, confidence, distance
  case transitPath, transitStops, stopTimes, parking, childVisits
  case waypointPath, simplifiedRawPath, location, name, address, placeId, semanticType

  private static let names = JSONNames([
    ("locations", TimelineName.locations), ("timelineObjects", .timelineObjects),
    ("semanticSegments", .semanticSegments), ("rawSignals", .rawSignals),
    ("timelineEdits", .timelineEdits), ("rawSignal", .signal), ("signal", .signal),
    ("accuracyMm", .accuracyInMillimetres),
    ("latLng", .latLng), ("LatLng", .latLng), ("latitudeE7", .latitudeE7), ("longitudeE7", .longitudeE7),
    ("latE7", .latitudeE7), ("lngE7", .longitudeE7), ("lat", .latitude), ("lon", .longitude),
    ("lng", .longitude), ("point", .point), ("points", .points),
    ("waypoints", .points), ("position", .position),
    ("accuracy", .accuracy), ("accuracyMeters", .accuracy), ("verticalAccuracy", .verticalAccuracy),
    ("altitude", .altitude), ("altitudeMeters", .altitude), ("velocity", .speed),
    ("speedMetersPerSecond", .speed), ("heading", .heading), ("timestamp", .time), ("timestampMs", .time),
    ("time", .time),
    ("activity", .activity), ("activitys", .activity), ("activityRecord", .activityRecord),
    ("activities", .activities), ("probableActivities", .activities), ("activitySegment", .activitySegment),
    ("placeVisit", .placeVisit), ("visit", .visit), ("timelinePath", .path),
    ("startTime", .startTime), ("startTimestamp", .startTime), ("startTimestampMs", .startTime),
    ("endTime", .endTime), ("endTimestamp", .endTime), ("endTimestampMs", .endTime),
    ("start", .start), ("startLocation", .start), ("end", .end), ("endLocation", .end),
    ("duration", .duration), ("durationMinutesOffsetFromStartTime", .minutes),
    ("topCandidate", .topCandidate), ("type", .type), ("activityType", .type), ("confidence", .confidence),
    ("probability", .confidence), ("distance", .distance), ("distanceMeters", .distance),
    ("waypointPath", .waypointPath), ("simplifiedRawPath", .simplifiedRawPath),
    ("transitPath", .transitPath), ("transitStops", .transitStops), ("stopTimesInfo", .stopTimes),
    ("parkingEvent", .parking), ("parking", .parking), ("childVisits", .childVisits),
    ("location", .location), ("placeLocation", .location), ("name", .name), ("address", .address),
    ("placeId", .placeId), ("placeID", .placeId), ("semanticType", .semanticType),
  ])

  /// The meaning of the current name.
  init(_ lexer: borrowing JSONLexer) {
    self = TimelineName(rawValue: lexer.code(in: TimelineName.names)) ?? .other
  }
}
