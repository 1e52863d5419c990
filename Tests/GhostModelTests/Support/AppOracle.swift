import Foundation
import GhostModel
import TrackModel

/// The app's comparison, transliterated line by line from its published description, independent of the
/// engine.
///
/// `CLLocation.distance(from:)` is not available everywhere, so callers pass the distances. If the
/// description is ambiguous, a comment explains the choice.
enum AppOracle {
  struct Drive {
    var duration: Double
    var coordinates: [(lat: Double, lon: Double)]
  }

  struct Settings {
    var mode = "startLocation"
    var trimStartIdle = true
    var trimEndIdle = false
    var idleSpeedThreshold = 5.0
    var convergenceRadius = 30.0
    var divergenceAngle = 30.0
    var stride = 5
  }

  struct DriveSegment {
    var drive: Drive
    var startIndex: Int
    var endIndex: Int
    var timeOffset = 0.0

    var coordinates: [(lat: Double, lon: Double)] {
      let coords = drive.coordinates
      guard startIndex >= 0, endIndex < coords.count, startIndex <= endIndex else { return [] }
      return Array(coords[startIndex...endIndex])
    }
  }

  struct Event: Equatable {
    var first: Int
    var second: Int
  }

  static func distance(_ a: (lat: Double, lon: Double), _ b: (lat: Double, lon: Double)) -> Double {
    Geodesy.distance(
      from: Coordinate(latitude: a.lat, longitude: a.lon), to: Coordinate(latitude: b.lat, longitude: b.lon))
  }

  static func bearing(_ a: (lat: Double, lon: Double), _ b: (lat: Double, lon: Double)) -> Double {
    let lat1 = a.lat * .pi / 180
    let lat2 = b.lat * .pi / 180
    let dLon = b.lon * .pi / 180 - a.lon * .pi / 180
    let y = sin(dLon) * cos(lat2)
    let x = cos(lat1) * sin(lat2) - sin(lat1) * cos(lat2) * cos(dLon)
    return (atan2(y, x) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
  }

  enum Position { case start, end }

  static func detectIdlePeriod(_ drive: Drive, at position: Position, threshold: Double) -> Range<Int> {
    let coords = drive.coordinates
    var idleCount = 0
    // The description does not define the result for drives without a gap between points.
    guard coords.count > 1 else { return position == .start ? 0..<0 : coords.count..<coords.count }
    let avgTimePerPoint = drive.duration / Double(coords.count - 1)
    for step in 0..<(coords.count - 1) {
      let i = position == .start ? step : coords.count - 2 - step
      let meters = distance(coords[i], coords[i + 1])
      let mph = (meters / 1609.34) / (avgTimePerPoint / 3600.0)
      if mph < threshold { idleCount += 1 } else { break }
    }
    return position == .start ? 0..<idleCount : (coords.count - idleCount)..<coords.count
  }

  static func trimmed(_ drive: Drive, _ settings: Settings) -> DriveSegment {
    var segment = DriveSegment(drive: drive, startIndex: 0, endIndex: drive.coordinates.count - 1)
    if settings.trimStartIdle {
      let idle = detectIdlePeriod(drive, at: .start, threshold: settings.idleSpeedThreshold)
      segment.startIndex = idle.upperBound
    }
    if settings.trimEndIdle {
      let idle = detectIdlePeriod(drive, at: .end, threshold: settings.idleSpeedThreshold)
      segment.endIndex = idle.lowerBound
    }
    return segment
  }

  static func findDivergencePoints(_ a: DriveSegment, _ b: DriveSegment, _ settings: Settings) -> [Event] {
    let first = a.coordinates
    let second = b.coordinates
    var events: [Event] = []
    // The next step of a path ends at its next point, so both paths must have one.
    for i in Swift.stride(from: 0, to: min(first.count, second.count) - 1, by: settings.stride) {
      guard distance(first[i], second[i]) > settings.convergenceRadius else { continue }
      var difference = abs(bearing(first[i], first[i + 1]) - bearing(second[i], second[i + 1]))
      if difference > 180 { difference = 360 - difference }
      if difference > settings.divergenceAngle {
        events.append(Event(first: a.startIndex + i, second: b.startIndex + i))
      }
    }
    return events
  }

  static func findConvergencePoints(_ a: DriveSegment, _ b: DriveSegment, _ settings: Settings) -> [Event] {
    let first = a.coordinates
    let second = b.coordinates
    var events: [Event] = []
    var wasDiverged = false
    for i in Swift.stride(from: 0, to: min(first.count, second.count), by: settings.stride) {
      let meters = distance(first[i], second[i])
      if meters > 2 * settings.convergenceRadius {
        wasDiverged = true
      } else if meters <= settings.convergenceRadius, wasDiverged {
        events.append(Event(first: a.startIndex + i, second: b.startIndex + i))
        wasDiverged = false
      }
    }
    return events
  }

  static func alignDrives(_ drives: [Drive], _ settings: Settings) -> [DriveSegment] {
    alignSegments(drives.map { trimmed($0, settings) }, settings)
  }

  static func alignSegments(_ segments: [DriveSegment], _ settings: Settings) -> [DriveSegment] {
    var segments = segments
    func elapsed(_ segment: DriveSegment, _ index: Int) -> Double {
      let count = segment.drive.coordinates.count
      guard count > 1, !segment.coordinates.isEmpty else { return 0 }
      return Double(index - segment.startIndex) * (segment.drive.duration / Double(count - 1))
    }
    guard let reference = segments.first, settings.mode != "startLocation" else { return segments }
    var offsets = [0.0]
    for segment in segments.dropFirst() {
      if settings.mode == "endLocation" {
        offsets.append(elapsed(reference, reference.endIndex) - elapsed(segment, segment.endIndex))
        continue
      }
      let events =
        settings.mode.hasSuffix("Divergence")
        ? findDivergencePoints(reference, segment, settings)
        : findConvergencePoints(reference, segment, settings)
      guard let event = settings.mode.hasPrefix("first") ? events.first : events.last else { return segments }
      offsets.append(elapsed(reference, event.first) - elapsed(segment, event.second))
    }
    for index in segments.indices { segments[index].timeOffset = offsets[index] }
    return segments
  }
}
