/// The comparison of drives as the app Ghost Car does it.
///
/// Pure functions over values: they hold no state, touch nothing but what they are given, and can be called from
/// any actor. A drive has no time per point, so its duration is spread evenly over the gaps between its points.
///
/// ```swift
/// let trails = try drives.map(DriveTrail.init)
/// let alignment = DriveComparisonEngine.alignment(of: trails, settings: ComparisonSettings(mode: .lastConvergence))
/// if alignment.fellBack { … }
/// ```
///
/// Two drives are stepped through by index, which follows the road only while they have the same pace. Where that
/// is not enough, ``DriveComparison`` matches by place.
public enum DriveComparisonEngine {}
