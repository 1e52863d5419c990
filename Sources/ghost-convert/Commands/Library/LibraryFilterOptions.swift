import CommandLineParsing
import DriveLibrary
import TrackModel

/// Selects the drives of a library that a command applies to.
struct DriveSelection: Sendable {
  var since: DateArgument?
  var until: DateArgument?
  var near: Coordinate?
  /// In metres.
  var radius: Double?
  var name: String?
  var kind: String?

  /// The radius in metres if none is given.
  static let usualRadius = 250.0

  var filter: LibraryFilter {
    var filter = LibraryFilter()
    filter.since = since?.localBegin
    filter.until = until?.localEnd
    filter.near = near.map { LibraryFilter.Area(place: $0, radius: radius ?? Self.usualRadius) }
    filter.name = name
    filter.kind = kind
    return filter
  }

  /// Whether any selection option is given.
  var isGiven: Bool { filter != LibraryFilter() }

  /// Checks the combination of options.
  ///
  /// - Throws: if options cannot be used together.
  func check() throws(UsageError) {
    if radius != nil, near == nil {
      throw UsageError("--radius requires --near", hint: "add --near LAT,LON")
    }
    if let since, let until, until.localEnd <= since.localBegin {
      throw UsageError("--until is before --since", hint: "no drive can match")
    }
  }

  // MARK: Parsing

  static func radius(_ text: String) throws(InvalidValue) -> Double {
    guard let metres = try? QuantityArgument.metres(text), metres > 0, metres < 20_100_000 else {
      throw InvalidValue("expected a radius such as 500m or 2km")
    }
    return metres
  }
}

/// A command with the options of a ``DriveSelection``.
protocol LibraryFilterOptions: LibraryCommandOptions {
  var selection: DriveSelection { get set }
}

extension ParameterSection where Options: LibraryFilterOptions {
  /// The options of ``DriveSelection``.
  static var selection: ParameterSection {
    ParameterSection(
      "Selection",
      [
        .option(
          "--since", \.selection.since, value: "DATE",
          "Select drives that started at DATE or later: "
            + "2025, 2025-01, 2025-01-31 or 2025-01-31T07:30, in local time unless it has a zone."
        ),
        .option(
          "--until", \.selection.until, value: "DATE",
          "Select drives that started at DATE or earlier, "
            + "including the whole year, month, day, minute or second."),
        .option(
          "--near", \.selection.near, value: "LAT,LON",
          "Select drives that passed within the radius of this place, for example 52.52,13.40."),
        .option(
          "--radius", \.selection.radius, value: "METRES", default: "250m",
          "Set the radius for --near, for example 1km.", parse: DriveSelection.radius),
        .option(
          "--name", \.selection.name, value: "TEXT",
          "Select drives with TEXT in the name, ignoring case and accents."),
        .option(
          "--kind", \.selection.kind, value: "KIND",
          "Select drives of this kind, as named in the source. " + KindGroups.help,
          completion: KindGroups.completion),
      ])
  }
}
