import TrackModel

/// The meaning of the columns of a VBO file.
struct VBOColumns {
  enum Role {
    case satellites, time, latitude, longitude, speed, course, elevation

    /// Returns the role of a short or a long column name.
    init?(_ name: String) {
      switch name.lowercased() {
      case "sats", "satellites": self = .satellites
      case "time": self = .time
      case "lat", "latitude": self = .latitude
      case "long", "lng", "lon", "longitude": self = .longitude
      case "heading": self = .course
      case let name where name == "height" || name.hasPrefix("height "): self = .elevation
      case let name where name == "velocity" || name.hasPrefix("velocity "): self = .speed
      default: return nil
      }
    }
  }

  /// The role of each column. The first column with a role counts; names may repeat.
  private(set) var roles: [Role?] = []
  /// The columns without a role, and their indices in the extra values.
  private(set) var extraNames: [ExtraValues.Name] = []
  private(set) var extraIndices: [Int?] = []
  /// The units of the speed per metre per second.
  private(set) var speedScale = 3.6
  /// The metres of the unit of the elevation.
  private(set) var elevationScale = 1.0

  /// Whether commas, not blanks, separate the values.
  let areSeparatedByCommas: Bool

  init(_ head: VBOHead) {
    areSeparatedByCommas = head.hasCommas
    for name in head.names.isEmpty ? head.longNames : head.names {
      let role = Role(name)
      roles.append(roles.contains(role) ? nil : role)
      extraIndices.append(role == nil ? extraNames.count : nil)
      guard role == nil else { continue }
      let number = extraNames.count { $0.name == name || $0.name.hasPrefix(name + " ") }
      extraNames.append(ExtraValues.Name(number == 0 ? name : "\(name) \(number + 1)"))
    }
    let words = head.units.count == 1 ? head.units[0].split(separator: " ") : []
    if words.count > 1, words.count == roles.count {
      // Old logs have one line with the units of all columns.
      for (unit, index) in zip(words, extraIndices) {
        if let index, unit != "-" { extraNames[index].unit = String(unit) }
      }
    } else if head.units.count == extraNames.count {
      for (index, unit) in head.units.enumerated() where !unit.isEmpty && unit != "-" {
        extraNames[index].unit = unit
      }
    }
    if let name = head.longNames.first(where: { Role($0) == .elevation }),
      ["ft", "feet"].contains(where: name.lowercased().hasSuffix)
    {
      elevationScale = Geodesy.metresPerFoot
    }
    if let name = head.longNames.first(where: { Role($0) == .speed }) {
      switch name.lowercased().dropFirst("velocity".count).drop(while: { $0 == " " }) {
      case "mph": speedScale = 3600 / Geodesy.metresPerMile
      case "m/s", "ms": speedScale = 1
      case "knots", "kts", "kn": speedScale = 3600 / Geodesy.metresPerNauticalMile
      default: break
      }
    }
  }

  var hasPositions: Bool { roles.contains(.latitude) && roles.contains(.longitude) }
}
