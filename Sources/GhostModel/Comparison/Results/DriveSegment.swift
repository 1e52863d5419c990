public import TrackModel

/// The compared part of a drive and its offset.
///
/// Trimming and alignment only change indices and the offset, never the drive. ``init(_:id:label:color:)``
/// undoes both.
public struct DriveSegment: Sendable, Hashable, Identifiable {
  /// The index of the drive in the comparison.
  public let id: Int
  /// The drive that contains the segment.
  public let trail: DecodedDrive
  /// The index of the first compared coordinate. If it exceeds ``endIndex``, the segment is empty.
  public var startIndex: Int
  /// The index of the last compared coordinate, or −1 for a drive without coordinates.
  public var endIndex: Int
  /// The time on the shared clock at ``startIndex`` in seconds. The clock is 0 at the start of the first
  /// drive.
  public var timeOffset: Double
  /// The colour in which the app draws the segment.
  public let color: TrackColor
  /// The label that the app shows.
  public let label: String

  /// Creates a segment of the whole drive without an offset.
  ///
  /// - Parameters:
  ///   - trail: the drive with decoded coordinates.
  ///   - id: the index of the drive in the comparison.
  ///   - label: the label, or `nil` for the drive's name.
  ///   - color: the colour, or `nil` for one of eight colours suitable for every kind of colour vision.
  public init(_ trail: DecodedDrive, id: Int = 0, label: String? = nil, color: TrackColor? = nil) {
    self.id = id
    self.trail = trail
    self.label = label ?? trail.drive.name
    self.color = color ?? DriveSegment.palette(id)
    startIndex = 0
    endIndex = trail.coordinates.count - 1
    timeOffset = 0
  }

  /// The indices of the compared coordinates. Empty if the start exceeds the end or either is out of range.
  public var indices: Range<Int> {
    guard startIndex >= 0, endIndex < trail.coordinates.count, startIndex <= endIndex else { return 0..<0 }
    return startIndex..<endIndex + 1
  }

  /// The compared coordinates in driving order, as a slice with the drive's indices.
  public var coordinates: ArraySlice<Coordinate> { trail.coordinates[indices] }

  /// The duration in seconds: (end index − start index) × the average time per point, or 0 for an empty
  /// segment.
  public var duration: Double {
    let count = indices.count
    return count > 1 ? Double(count - 1) * trail.averageTimePerPoint : 0
  }

  /// Returns the time on the shared clock at a coordinate in seconds, or `nil` if it is not compared.
  public func time(at index: Int) -> Double? {
    guard indices.contains(index) else { return nil }
    return Double(index - startIndex) * trail.averageTimePerPoint + timeOffset
  }

  /// The colours of Masataka Okabe and Kei Ito, "Color Universal Design" (2008), black last.
  private static func palette(_ index: Int) -> TrackColor {
    let colors: [UInt32] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0xF0E442, 0x000000]
    return TrackColor(rgb: colors[Int(index.magnitude % UInt(colors.count))])
  }
}
