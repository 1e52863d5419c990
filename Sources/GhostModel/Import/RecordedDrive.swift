import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a drive document says of a drive beside its points, name and times; kept as ``DriveElement``.
public struct RecordedDrive: Sendable, Hashable {
  public var id: UUID?
  /// Seconds, above zero.
  public var duration: Double?
  /// Miles of 1609.344 m.
  public var distance: Double?

  /// Nil for any other element.
  init?(_ element: ExtensionElement) {
    guard element.namespace == DriveElement.namespace, element.name == DriveElement.name else { return nil }
    func value(_ name: String) -> String? { element.attributes.first { $0.name == name }?.value }
    func quantity(_ name: String) -> Double? {
      value(name).flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    id = value(DriveElement.identifier).flatMap { UUID(uuidString: $0) }
    duration = quantity(DriveElement.duration).flatMap {
      $0 > 0 && $0 <= ImportOptions.longestDuration ? $0 : nil
    }
    distance = quantity(DriveElement.distance)
  }
}

extension Recording {
  /// The recording with times from 1970 on that spread a duration evenly over its points, as the app does; nil
  /// where the points of a drive have no times and are fewer than two.
  func evenlyTimed(over seconds: Double) -> Recording? {
    let count = count
    guard count > 1 else { return nil }
    var result = self
    var index = 0
    result.segments = segments.map { segment in
      var times: [Int64] = []
      for _ in 0..<segment.count {
        times.append(Int64((seconds * 1e6 * Double(index) / Double(count - 1)).rounded()))
        index += 1
      }
      return segment.with(times: times)
    }
    return result
  }
}

extension Drive {
  /// The same drive without times.
  var timeless: Drive {
    Drive(
      name: name, startTime: nil, endTime: nil, duration: duration, distance: distance,
      coordinatesData: coordinatesData)
  }

  /// The drive that a document described, whose points are all here.
  func asRecorded(_ recorded: RecordedDrive, _ span: TimeSpan?) -> Drive {
    let duration = recorded.duration ?? duration
    let startTime = span?.begin ?? startTime
    let made = Drive(
      name: name, startTime: startTime, endTime: span?.end ?? endTime, duration: duration,
      distance: recorded.distance ?? distance, coordinatesData: coordinatesData)
    guard let id = recorded.id else { return made }
    var result = made
    result.id = id
    return result
  }
}
