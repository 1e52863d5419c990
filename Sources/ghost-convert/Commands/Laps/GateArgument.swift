import CommandLineParsing
import DriveMatching
import TrackModel

/// Parses gates in options.
enum GateArgument {
  /// Parses `46.2,7.1` or `46.2,7.1,95`, with the bearing in degrees.
  static func gate(_ text: String) throws(InvalidValue) -> Gate {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let place = try? DriveSelection.place(parts.prefix(2).joined(separator: ","))
    guard (2...3).contains(parts.count), let place else {
      throw InvalidValue(
        "expected a latitude and a longitude such as 46.2,7.1, or with a bearing 46.2,7.1,95")
    }
    guard parts.count == 3 else { return Gate(place) }
    guard let bearing = Double(parts[2].filter { $0 != " " }), (0...360).contains(bearing) else {
      throw InvalidValue("expected a bearing from 0 to 360 degrees")
    }
    return Gate(place, bearing: bearing == 360 ? 0 : bearing)
  }
}
