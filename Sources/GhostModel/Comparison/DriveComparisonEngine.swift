/// The comparison algorithm of the Ghost Car app.
///
/// It follows the published description of the algorithm exactly. The following details are left open by the
/// description or differ intentionally:
///
/// - Distances are geodesics on WGS 84, as in `CLLocation.distance(from:)`. The description also mentions
///   haversine.
/// - The end stays at the last point if nothing is idle there. Taken literally, `endIndex = idle.lowerBound`
///   would be one past the last point, and the slice would be empty.
/// - A drive that never moves has all points except one idle at either end. Trimming the start leaves its
///   last point, which has no duration, so it is not ranked.
/// - A drive without a duration or with a single point has no speed, and no part of it is idle.
/// - Samples are the points 0, 5, 10, … of both trimmed drives. The bearing of a sample is that to the next
///   point, not to the next sample. A sample without a next point is not a divergence.
/// - Divergence has no latch: each sample beyond the radius and the angle is a divergence, so one detour
///   yields several. ``RouteEvent/isRepeated`` marks those after the first. Only convergence has a latch.
/// - A convergence requires a distance of at most the radius, after more than twice the radius. A divergence
///   requires more than the radius.
/// - The anchor is the position of the first drive. With more than two drives, each is compared with the
///   first; if one has no anchor, all are aligned at the start.
/// - The shared clock is 0 at the start of the first trimmed drive, so the offset of the first drive is
///   always 0.
/// - The description does not define a ranking; see ``compare(_:settings:)``.
///
/// ``GhostTrail`` differs from the description of the replay in two places: before the start the ghost is at
/// the first point (the description's loop ends with the last one), and it crosses the antimeridian.
///
/// All functions are pure and can be called from any actor. A drive has no time per point, so its duration is
/// spread evenly over the intervals between its points.
///
/// ```swift
/// let trails = drives.map(DecodedDrive.init)
/// let settings = ComparisonSettings(mode: .lastConvergence)
/// let alignment = DriveComparisonEngine.alignment(of: trails, settings: settings)
/// if alignment.fellBack { … }
/// ```
///
/// Both drives are stepped through by index, which compares the same positions only while both drives have
/// the same pace. Otherwise, use ``DriveComparison``, which matches by position.
public enum DriveComparisonEngine {}
