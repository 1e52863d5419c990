import TrackModel

/// The meaning of the columns of a VBO file.
struct VBOColumns {
  enum Role {
    case satellites, time, latitude, longitude, speed, course, elevation

    /// Returns the role of a short or a long column name, such as `velocity kmh`.
    ///
    /// - Parameter isLoose: whether names of other programs count, such as `speed` and `velocity-kmh`, which
    ///   are used by other channels, too.
    init?(_ name: String, isLoose: Bool = false) {
      let (word, unit) = VBOColumns.parts(name)
      guard isLoose || unit.isEmpty || name.dropFirst(word.count).first == " " else { return nil }
      switch word {
      case "sats", "satellites": self = .satellites
      case "time": self = .time
      case "lat", "latitude": self = .latitude
      case "long", "lng", "lon", "longitude": self = .longitude
      case "heading": self = .course
      case "course" where isLoose: self = .course
      case "height": self = .elevation
      case "altitude" where isLoose: self = .elevation
      case "velocity": self = .speed
      case "speed" where isLoose: self = .speed
      default: return nil
      }
      let isUnit =
        switch self {
        case .speed: VBOColumns.speedScales[unit] != nil
        case .elevation: VBOColumns.elevationScales[unit] != nil
        default: false
        }
      guard unit.isEmpty || isUnit else { return nil }
    }
  }

  /// The units of speed per metre per second, and the metres of the units of elevation.
  private static let speedScales = [
    "kmh": SpeedUnits.kilometresPerHour, "km/h": SpeedUnits.kilometresPerHour,
    "kph": SpeedUnits.kilometresPerHour, "mph": SpeedUnits.milesPerHour, "m/s": 1, "ms": 1, "mps": 1,
    "knots": SpeedUnits.knots, "kts": SpeedUnits.knots,
    "kn": SpeedUnits.knots,
  ]
  private static let elevationScales = [
    "m": 1, "metres": 1, "meters": 1, "ft": Geodesy.metresPerFoot, "feet": Geodesy.metresPerFoot,
  ]

  /// Returns the first word of a name and the rest, in lower case: `velocity` and `km/h` of `Velocity
  /// (km/h)`.
  private static func parts(_ name: String) -> (word: String, unit: String) {
    let name = name.lowercased()
    let word = name.prefix { !" -_(".contains($0) }
    return (
      String(word), String(name.dropFirst(word.count).drop { " -_(".contains($0) }.prefix { $0 != ")" })
    )
  }

  /// The role of each column. The first column with a role counts; names may repeat.
  private(set) var roles: [Role?] = []
  /// The columns without a role, and their indices in the extra values.
  private(set) var extraNames: [ExtraValues.Name] = []
  private(set) var extraIndices: [Int?] = []
  /// The units of the speed per metre per second.
  private(set) var speedScale = SpeedUnits.kilometresPerHour
  /// The metres of the unit of the elevation.
  private(set) var elevationScale = 1.0

  /// Whether commas, not blanks, separate the values.
  let areSeparatedByCommas: Bool

  init(_ head: VBOHead) {
    areSeparatedByCommas = head.hasCommas
    let names = head.names.isEmpty ? head.longNames : head.names
    let usual = names.map { Role($0) }
    var named: [(role: Role?, name: String)] = []
    for (role, name) in zip(usual, names) {
      let loose = Role(name, isLoose: true)
      var role = role ?? (usual.contains(loose) || roles.contains(loose) ? nil : loose)
      if roles.contains(role) { role = nil }
      named.append((role, name))
      roles.append(role)
    }
    let titles = VBOColumns.titles(head.longNames, roles) ?? names
    for (role, title) in zip(roles, titles) {
      extraIndices.append(role == nil ? extraNames.count : nil)
      if role == nil { extraNames.append(ExtraValues.Name(title)) }
    }
    takeUnits(head)
    numberNames()
    named += head.longNames.map { name in
      let loose = Role(name, isLoose: true)
      return (Role(name) ?? (usual.contains(loose) ? nil : loose), name)
    }
    for (role, name) in named {
      let (_, unit) = VBOColumns.parts(name)
      switch role {
      case .speed: speedScale = VBOColumns.speedScales[unit] ?? speedScale
      case .elevation: elevationScale = VBOColumns.elevationScales[unit] ?? elevationScale
      default: break
      }
    }
  }

  /// Returns the long names if there is one for each column.
  private static func titles(_ names: [String], _ roles: [Role?]) -> [String]? {
    guard names.count == roles.count else { return nil }
    let isInOrder = zip(names, roles).allSatisfy { name, role in
      role == nil || Role(name, isLoose: true) == role
    }
    return isInOrder ? names : nil
  }

  /// Separates the units from names such as `vertical velocity kmh`, and adds those of `[channel units]`.
  private mutating func takeUnits(_ head: VBOHead) {
    let titles = extraNames.map { VBOColumns.withoutPrefix($0.name) }
    extraNames = titles.map(VBOColumns.extraName)
    let words = head.units.count == 1 ? head.units[0].split(separator: " ").map(String.init) : []
    // Old logs have one line with the units of all columns.
    let units = words.count > 1 && words.count == roles.count ? words : head.units
    // Racelogic's programs list the units of the further columns, without those that are in the names.
    // Others list the units of all columns.
    let all = Array(extraNames.indices)
    let lists: [[Int?]] = [all, all.filter { extraNames[$0].unit == nil }, extraIndices]
    guard let indices = lists.first(where: { $0.count == units.count }) else { return }
    for (unit, index) in zip(units, indices) where unit != "(null)" {
      guard let index, extraNames[index].unit != unit else { continue }
      extraNames[index] = ExtraValues.Name(titles[index], unit: unit == "-" ? nil : unit)
    }
  }

  /// The start of the names that ``VBOWriter`` gives to channels named like a usual column.
  static let channelPrefix = "channel "

  private static func withoutPrefix(_ title: String) -> String {
    guard title.hasPrefix(channelPrefix) else { return title }
    let name = String(title.dropFirst(channelPrefix.count))
    return Role(name, isLoose: true) == nil ? title : name
  }

  /// Returns the name and the unit in a name.
  private static func extraName(_ title: String) -> ExtraValues.Name {
    let words = title.split(separator: " ").map(String.init)
    guard words.count > 1, let unit = words.last, speedScales[unit.lowercased()] != nil || unit == "g" else {
      return ExtraValues.Name(heading: title)
    }
    return ExtraValues.Name(words.dropLast().joined(separator: " "), unit: unit)
  }

  /// Numbers names that repeat.
  private mutating func numberNames() {
    var used: Set<String> = []
    var numbers: [String: Int] = [:]
    for index in extraNames.indices {
      let name = extraNames[index].name
      var number = numbers[name] ?? 1
      defer { numbers[name] = number }
      while !used.insert(extraNames[index].name).inserted {
        number += 1
        extraNames[index].name = "\(name) \(number)"
      }
    }
  }

  var hasPositions: Bool { roles.contains(.latitude) && roles.contains(.longitude) }
}
