package import TrackModel

extension Coordinate: ArgumentValue {
  /// Parses `52.52,13.40`.
  package init(argument: String) throws(InvalidValue) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      case let place = Coordinate(latitude: latitude, longitude: longitude), place.isValid
    else { throw InvalidValue("expected a latitude and a longitude such as 52.52,13.40") }
    self = place
  }
}
