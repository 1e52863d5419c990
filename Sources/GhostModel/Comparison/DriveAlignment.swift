/// Drives aligned at a common point.
public struct DriveAlignment: Sendable, Hashable {
  /// The requested mode.
  public var requestedMode: ComparisonMode
  /// The mode that was used.
  public var mode: ComparisonMode
  /// One segment per drive in input order. The offset of the first is 0, and the others are aligned with it.
  public var segments: [DriveSegment]
  /// The indices of the drives without an anchor with the first. Empty unless the alignment fell back.
  public var unanchored: [Int]

  /// Whether an anchor was missing, so that the drives are aligned at their starts.
  public var fellBack: Bool { mode != requestedMode }
}

extension DriveComparisonEngine {
  /// Trims and aligns drives, with the app's signature. Returns the segments of ``alignment(of:settings:)``.
  public static func alignDrives(_ drives: [Drive], settings: ComparisonSettings) -> [DriveSegment] {
    alignment(of: drives.map(DecodedDrive.init), settings: settings).segments
  }

  /// Trims drives, and shifts each in time so that it reaches the anchor at the same time as the first drive.
  ///
  /// The anchor of ``ComparisonMode/startLocation`` and ``ComparisonMode/endLocation`` is the first or last
  /// point after trimming. For other modes it is the first or last result of
  /// ``findDivergencePoints(between:and:settings:)`` or ``findConvergencePoints(between:and:settings:)``. If
  /// any drive has no anchor with the first, all drives are aligned at their starts, because times from
  /// different anchors cannot be compared.
  ///
  /// - Complexity: O(*n*) in the number of points.
  public static func alignment(of trails: [DecodedDrive], settings: ComparisonSettings) -> DriveAlignment {
    var alignment = DriveAlignment(
      requestedMode: settings.mode, mode: settings.mode, segments: trimmed(trails, settings: settings),
      unanchored: [])
    guard let first = alignment.segments.first else { return alignment }
    var offsets = [0.0]
    for second in alignment.segments.dropFirst() {
      if let anchor = anchor(first, second, settings) {
        offsets.append((first.time(at: anchor.first) ?? 0) - (second.time(at: anchor.second) ?? 0))
      } else {
        alignment.unanchored.append(second.id)
      }
    }
    if alignment.unanchored.isEmpty {
      for index in alignment.segments.indices { alignment.segments[index].timeOffset = offsets[index] }
    } else {
      alignment.mode = .startLocation
    }
    return alignment
  }

  /// Returns one trimmed segment per drive, without a shift.
  static func trimmed(_ trails: [DecodedDrive], settings: ComparisonSettings) -> [DriveSegment] {
    trails.enumerated().map { index, trail in
      var segment = DriveSegment(trail, id: index)
      trim(&segment, settings: settings)
      return segment
    }
  }

  /// Returns the indices of the anchor in the coordinates of two drives, or `nil` if there is none.
  static func anchor(
    _ first: DriveSegment, _ second: DriveSegment, _ settings: ComparisonSettings
  ) -> (first: Int, second: Int)? {
    let found: AnchorPoint?
    switch settings.mode {
    case .startLocation: return (first.startIndex, second.startIndex)
    case .endLocation: return (first.endIndex, second.endIndex)
    case .firstDivergence:
      found = findDivergencePoints(between: first, and: second, settings: settings).first
    case .lastDivergence:
      found = findDivergencePoints(between: first, and: second, settings: settings).last
    case .firstConvergence:
      found = findConvergencePoints(between: first, and: second, settings: settings).first
    case .lastConvergence:
      found = findConvergencePoints(between: first, and: second, settings: settings).last
    }
    return found.map { ($0.firstIndex, $0.secondIndex) }
  }
}
