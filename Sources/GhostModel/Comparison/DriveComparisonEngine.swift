/// The comparison of drives as the app Ghost Car does it.
///
/// The published description of the algorithm is followed to the letter. Where it leaves a choice, or where
/// this engine differs on purpose:
///
/// - Distances are geodesics on WGS 84, which is what `CLLocation.distance(from:)` measures; the description
///   also speaks of haversine.
/// - The end stays at the last point if nothing is idle there. Taken literally, `endIndex = idle.lowerBound`
///   is one past the last point then, and the slice is empty.
/// - A drive that never moves has all points but one idle at either end. Trimming the start leaves its last
///   point, which takes no time, so it is not ranked.
/// - A drive without a duration, or of one point, has no speed, and nothing of it is idle.
/// - Samples are the points 0, 5, 10, … of both trimmed drives while both last. The heading of a sample leads
///   to the point after it, not to the next sample; a sample without such a point is no divergence.
/// - Divergence has no latch: each sample beyond the radius and the angle is one, so a detour gives several.
///   ``RouteEvent/isRepeated`` marks those after the first. Only convergence has a latch.
/// - A convergence fires at most the radius apart, after more than twice the radius. A divergence fires
///   beyond the radius.
/// - An anchor is where the first drive is. With more than two drives, each is compared with the first; if
///   one of them has no anchor, all are aligned at the start.
/// - The shared clock reads 0 when the first trimmed drive begins, so the offset of the first drive is always
///   0.
/// - Ranking is not described; see ``compare(_:settings:)``.
///
/// ``GhostTrail`` differs from the description of the replay in two places: before the start the ghost is at
/// the first point (the description's loop ends with the last one), and across the antimeridian it takes the
/// short way.
///
/// Pure functions over values: they hold no state, touch nothing but what they are given, and can be called
/// from any actor. A drive has no time per point, so its duration is spread evenly over the gaps between its
/// points.
///
/// ```swift
/// let trails = drives.map(DriveTrail.init)
/// let alignment = DriveComparisonEngine.alignment(of: trails, settings: ComparisonSettings(mode: .lastConvergence))
/// if alignment.fellBack { … }
/// ```
///
/// Two drives are stepped through by index, which follows the road only while they have the same pace. Where
/// that is not enough, ``DriveComparison`` matches by place.
public enum DriveComparisonEngine {}
