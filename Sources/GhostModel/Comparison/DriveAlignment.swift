/// Drives laid on each other at a moment that they share.
public struct DriveAlignment: Sendable, Hashable {
  /// The mode that was asked for.
  public var requestedMode: ComparisonMode
  /// The mode that the segments are aligned by.
  public var mode: ComparisonMode
  /// One per drive, in the order given. The offset of the first is 0, and each other one is aligned with it.
  public var segments: [DriveSegment]
  /// The drives (from 1, in order) that have nothing to be anchored on with the first; empty unless the
  /// alignment fell back.
  public var unanchored: [Int]

  /// Whether there was nothing to anchor on, so that the drives are aligned at their starts instead.
  public var fellBack: Bool { mode != requestedMode }
}

extension DriveComparisonEngine {
  /// Trims drives and aligns them, as the app calls it: the segments of ``alignment(of:settings:)``.
  public static func alignDrives(_ drives: [Drive], settings: ComparisonSettings) -> [DriveSegment] {
    alignment(of: drives.map(DriveTrail.init), settings: settings).segments
  }

  /// Trims drives as the settings say and shifts each in time so that it is at the anchor when the first
  /// drive is.
  ///
  /// The anchor of ``ComparisonMode/startLocation`` and ``ComparisonMode/endLocation`` is the first and the
  /// last point behind the trimming; of the other modes, the first or last point that
  /// ``findDivergencePoints(between:and:settings:)`` or ``findConvergencePoints(between:and:settings:)``
  /// finds between the first drive and the other. Where any drive has no anchor with the first, all are
  /// aligned at their starts, since times that are counted from different moments cannot be compared.
  ///
  /// - Complexity: O(n) in the number of points.
  public static func alignment(of trails: [DriveTrail], settings: ComparisonSettings) -> DriveAlignment {
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

  /// A segment per drive, trimmed and not shifted.
  static func trimmed(_ trails: [DriveTrail], settings: ComparisonSettings) -> [DriveSegment] {
    trails.enumerated().map { index, trail in
      var segment = DriveSegment(trail, id: index)
      trim(&segment, settings: settings)
      return segment
    }
  }

  /// The indices into the coordinates of two drives that are to fall on the same time; nil where there is no
  /// anchor.
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
