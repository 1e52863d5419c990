public import TrackModel

/// The part of a drive that takes part in a comparison, and when.
///
/// A few numbers over a drive that never changes: to trim and to align move indices and the offset only, and
/// ``init(_:id:label:color:)`` undoes both exactly.
public struct DriveSegment: Sendable, Hashable, Identifiable {
  /// The place of the drive among those compared, from 0.
  public let id: Int
  public let trail: DriveTrail
  /// Of the first coordinate that takes part. May pass ``endIndex``; the segment is empty then.
  public var startIndex: Int
  /// Of the last coordinate that takes part; −1 for the whole of a drive without any.
  public var endIndex: Int
  /// Seconds: when the drive is at ``startIndex`` on the clock that the compared drives share. That clock
  /// reads 0 when the first drive begins.
  public var timeOffset: Double
  public let color: Color
  public let label: String

  /// The whole drive, neither trimmed nor shifted.
  ///
  /// - Parameters:
  ///   - id: the place of the drive among those compared, from 0.
  ///   - label: the drive's name where it is nil.
  ///   - color: where it is nil, one of eight that people with any kind of colour vision can tell apart.
  public init(_ trail: DriveTrail, id: Int = 0, label: String? = nil, color: Color? = nil) {
    self.id = id
    self.trail = trail
    self.label = label ?? trail.drive.name
    self.color = color ?? DriveSegment.palette(id)
    startIndex = 0
    endIndex = trail.coordinates.count - 1
    timeOffset = 0
  }

  /// The indices of the coordinates that take part; empty where the start passes the end or either lies
  /// outside of the drive.
  public var indices: Range<Int> {
    guard startIndex >= 0, endIndex < trail.coordinates.count, startIndex <= endIndex else { return 0..<0 }
    return startIndex..<endIndex + 1
  }

  /// The coordinates that take part, in driving order; a slice of the drive's own, with its indices.
  public var coordinates: ArraySlice<Coordinate> { trail.coordinates[indices] }

  /// Seconds from the first coordinate to the last: (end index − start index) × the average time per point; 0
  /// for an empty segment.
  public var duration: Double {
    let count = indices.count
    return count > 1 ? Double(count - 1) * trail.averageTimePerPoint : 0
  }

  /// Seconds on the shared clock at which the drive is at a coordinate; nil for one that does not take part.
  public func time(at index: Int) -> Double? {
    guard indices.contains(index) else { return nil }
    return Double(index - startIndex) * trail.averageTimePerPoint + timeOffset
  }

  /// The colours of Masataka Okabe and Kei Ito, "Color Universal Design" (2008), black last.
  private static func palette(_ index: Int) -> Color {
    let colors = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0xF0E442, 0x000000]
    let value = colors[Int(index.magnitude % UInt(colors.count))]
    return Color(red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
  }
}
