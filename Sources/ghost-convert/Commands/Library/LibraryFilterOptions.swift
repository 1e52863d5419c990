import CommandLineParsing
import DriveLibrary
import TrackModel

/// Which drives of a library a command is about.
struct DriveSelection: Sendable {
  var since: DateArgument?
  var until: DateArgument?
  var near: Coordinate?
  /// Metres.
  var radius: Double?
  var name: String?
  var kind: String?

  /// Without a radius that was asked for.
  static let usualRadius = 250.0

  var filter: LibraryFilter {
    var filter = LibraryFilter()
    filter.since = since?.localBegin
    filter.until = until?.localEnd
    filter.near = near.map { ($0, radius ?? Self.usualRadius) }
    filter.name = name
    filter.kind = kind
    return filter
  }

  /// Whether anything was asked for.
  var isGiven: Bool { filter != LibraryFilter() }

  /// - Throws: for what cannot go together.
  func check() throws(UsageError) {
    if radius != nil, near == nil {
      throw UsageError("--radius without a place", hint: "name it with --near")
    }
    if let since, let until, until.localEnd <= since.localBegin {
      throw UsageError("--until lies before --since", hint: "no drive is in between")
    }
  }

  // MARK: Parsing

  /// Reads `52.52,13.40`.
  static func place(_ text: String) throws(InvalidValue) -> Coordinate? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      case let place = Coordinate(latitude: latitude, longitude: longitude), place.isValid
    else { throw InvalidValue("expected a latitude and a longitude such as 52.52,13.40") }
    return place
  }

  static func radius(_ text: String) throws(InvalidValue) -> Double? {
    guard let metres = try? Text.metres(text), metres > 0, metres < 20_100_000 else {
      throw InvalidValue("expected a radius such as 500m or 2km")
    }
    return metres
  }
}

/// A command whose options hold a ``DriveSelection``.
protocol LibraryFilterOptions: LibraryCommandOptions {
  var selection: DriveSelection { get set }
}

extension ParameterSection where Options: LibraryFilterOptions {
  /// The options of ``DriveSelection``.
  static var selection: ParameterSection {
    ParameterSection(
      "Which drives",
      [
        .option(
          "--since", \.selection.since, value: "DATE",
          "Begun then or later: 2025, 2025-01, 2025-01-31 or a time such as 2025-01-31T07:30Z; in local time unless it names a zone.",
          parse: { .some(try DateArgument.read($0)) }),
        .option(
          "--until", \.selection.until, value: "DATE",
          "Begun then or earlier; of a year, a month or a day all of it counts.",
          parse: { .some(try DateArgument.read($0)) }),
        .option(
          "--near", \.selection.near, value: "LAT,LON", "Came by this place, such as 52.52,13.40.",
          parse: { try DriveSelection.place($0) }),
        .option(
          "--radius", \.selection.radius, value: "METRES", default: "250m", "How near that is, such as 1km.",
          parse: { try DriveSelection.radius($0) }),
        .option("--name", \.selection.name, value: "TEXT", "With this in the name, in capitals or not."),
        .option(
          "--kind", \.selection.kind, value: "KIND",
          "Of this kind, as the file named it; driving takes every kind of road vehicle.",
          completion: .values(["driving"])),
      ])
  }
}
