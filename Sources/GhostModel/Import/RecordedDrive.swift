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
  /// The number of points that this is about; nil if it is not known.
  public var points: Int?
  /// Whether the times of the points only count from ``DriveElement/unknownStart``.
  public var hasArtificialClock: Bool

  /// Nil for any other element.
  init?(_ element: ExtensionElement) {
    guard element.isDrive else { return nil }
    func quantity(_ name: String) -> Double? {
      element.value(of: name).flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
    id = element.value(of: DriveElement.identifier).flatMap { UUID(uuidString: $0) }
    duration = quantity(DriveElement.duration).flatMap {
      $0 > 0 && $0 <= ImportOptions.longestDuration ? $0 : nil
    }
    distance = quantity(DriveElement.distance)
    points = element.value(of: DriveElement.points).flatMap { Int($0) }
    hasArtificialClock = element.value(of: DriveElement.clock) == DriveElement.artificialClock
  }
}

extension Recording {
  /// Whether the times only count from ``DriveElement/unknownStart``, so that nothing says when the recording began.
  public var hasArtificialStart: Bool {
    drive?.hasArtificialClock == true || startTime == DriveElement.unknownStart
  }

  /// A drive without times, with times from 1970 on: its coordinates are even in time over its duration, or the one
  /// that the options give. Nil for any other recording, and for fewer than two points.
  func evenDrive(_ options: ImportOptions) -> Recording? {
    guard let drive, hasNoTimes, count > 1 else { return nil }
    let span = timeSpan.flatMap { span in span.begin.flatMap { begin in span.end?.seconds(since: begin) } }
    let seconds =
      options.duration ?? options.speed.map { length / $0 } ?? drive.duration
      ?? span.flatMap { $0 > 0 ? $0 : nil }
    guard let seconds, seconds > 0, seconds <= ImportOptions.longestDuration else { return nil }
    let count = count
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

  /// Metres along the points of each segment.
  private var length: Double {
    segments.reduce(0) { length, segment in
      length
        + Geodesy.length(
          latitudes: segment.latitudes.span, longitudes: segment.longitudes.span, rows: 0..<segment.count)
    }
  }
}

extension Drive {
  /// The same drive at other times.
  func at(_ start: Instant?, to end: Instant?) -> Drive {
    Drive(
      name: name, startTime: start, endTime: end, duration: duration, distance: distance,
      coordinatesData: coordinatesData)
  }

  /// The drive that a document described, whose points are all here.
  ///
  /// - Parameter hasOtherDuration: whether the user gave the duration.
  func asRecorded(_ recorded: RecordedDrive, _ span: TimeSpan?, hasOtherDuration: Bool) -> Drive {
    let made = Drive(
      name: name, startTime: span?.begin ?? startTime, endTime: span?.end ?? endTime,
      duration: hasOtherDuration ? duration : recorded.duration ?? duration,
      distance: recorded.distance ?? distance, coordinatesData: coordinatesData)
    guard let id = recorded.id else { return made }
    var result = made
    result.id = id
    return result
  }
}
