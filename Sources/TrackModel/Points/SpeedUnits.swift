/// The values of a speed of one metre per second in other units.
///
/// Divide by them to convert to metres per second: 36 km/h are then exactly 10 m/s. Computed properties, so
/// that other modules can use them as constants.
public enum SpeedUnits {
  /// Kilometres per hour.
  @inlinable public static var kilometresPerHour: Double { 3.6 }
  /// Miles per hour.
  @inlinable public static var milesPerHour: Double { 3600 / Geodesy.metresPerMile }
  /// Knots.
  @inlinable public static var knots: Double { 3600 / Geodesy.metresPerNauticalMile }
}
