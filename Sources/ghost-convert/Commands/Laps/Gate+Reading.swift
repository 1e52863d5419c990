package import CommandLineParsing
import DriveMatching
import GhostExport
import TrackModel

extension Gate: ArgumentValue {
  /// Parses `46.2,7.1` or `46.2,7.1,95`, with the bearing in degrees.
  package init(argument: String) throws(InvalidValue) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let place = try? Coordinate(argument: parts.prefix(2).joined(separator: ","))
    guard (2...3).contains(parts.count), let place else {
      throw InvalidValue(
        "expected a latitude and a longitude such as 46.2,7.1, or with a bearing 46.2,7.1,95")
    }
    self.init(place)
    guard parts.count == 3 else { return }
    guard let bearing = Double(parts[2].filter { $0 != " " }), (0...360).contains(bearing) else {
      throw InvalidValue("expected a bearing from 0 to 360 degrees")
    }
    self.bearing = bearing == 360 ? 0 : bearing
  }
}

extension Text {
  /// Formats a gate as an argument: `46.200000,7.100000,95`.
  static func gate(_ gate: Gate) -> String {
    Text.place(gate.coordinate, separator: ",") + "," + Formatted.fixed(gate.bearing ?? 0, 0)
  }
}
