import TrackModel

/// The numbers of the messages that are read or written. Source: Garmin's FIT profile.
enum FITMessageNumber {
  static let fileID: UInt16 = 0
  static let sport: UInt16 = 12
  static let session: UInt16 = 18
  static let lap: UInt16 = 19
  static let record: UInt16 = 20
  static let event: UInt16 = 21
  static let deviceInfo: UInt16 = 23
  /// Location messages, which are not in the profile. Source: GPSBabel.
  static let location: UInt16 = 29
  static let course: UInt16 = 31
  static let coursePoint: UInt16 = 32
  static let activity: UInt16 = 34
  static let fileCreator: UInt16 = 49
  /// Heart rates of a chest strap between the records.
  static let heartRates: UInt16 = 132
  static let gpsMetadata: UInt16 = 160
  static let timestampCorrelation: UInt16 = 162
  static let fieldDescription: UInt16 = 206

  /// The numbers of the timestamp field and the message index field, which are the same in all messages.
  static let timestampField: UInt8 = 253
  static let messageIndexField: UInt8 = 254

  /// The profile's name of a message, or its number.
  static func name(_ number: UInt16) -> String {
    switch number {
    case fileID: "file_id"
    case sport: "sport"
    case session: "session"
    case lap: "lap"
    case record: "record"
    case event: "event"
    case deviceInfo: "device_info"
    case location: "location"
    case course: "course"
    case coursePoint: "course_point"
    case activity: "activity"
    case fileCreator: "file_creator"
    case gpsMetadata: "gps_metadata"
    case timestampCorrelation: "timestamp_correlation"
    case fieldDescription: "field_description"
    default: "message \(number)"
    }
  }
}

/// The sports. Source: Garmin's FIT profile, type `sport`.
enum FITSport {
  static let generic: UInt8 = 0
  static let transition: UInt8 = 3

  /// The names in the profile by number, or `nil` for unused numbers.
  private static let names: [String?] = [
    "generic", "running", "cycling", "transition", "fitness_equipment", "swimming", "basketball", "soccer",
    "tennis", "american_football", "training", "walking", "cross_country_skiing", "alpine_skiing",
    "snowboarding", "rowing", "mountaineering", "hiking", "multisport", "paddling", "flying", "e_biking",
    "motorcycling", "boating", "driving", "golf", "hang_gliding", "horseback_riding", "hunting", "fishing",
    "inline_skating", "rock_climbing", "sailing", "ice_skating", "sky_diving", "snowshoeing", "snowmobiling",
    "stand_up_paddleboarding", "surfing", "wakeboarding", "water_skiing", "kayaking", "rafting",
    "windsurfing", "kitesurfing", "tactical", "jumpmaster", "boxing", "floor_climbing", "baseball", nil, nil,
    nil, "diving", nil, nil, "shooting", nil, "winter_sport", "grinding", nil, nil, "hiit", "video_gaming",
    "racket", "wheelchair_push_walk", "wheelchair_push_run", "meditation", "para_sport", "disc_golf",
    "team_sport", "cricket", "rugby", "hockey", "lacrosse", "volleyball", "water_tubing", "wakesurfing",
    "water_sport", "archery", "mixed_martial_arts", "motor_sports", "snorkeling", "dance", "jump_rope",
    "pool_apnea", "mobility", "geocaching", "canoeing",
  ]

  /// The names in other formats; see `TrackInfo.plainType(_:)`.
  private static let synonyms: [String: UInt8] = [
    "run": 1, "trailrun": 1, "bike": 2, "biking": 2, "ride": 2, "onbicycle": 2, "virtualride": 2,
    "ebikeride": 21, "walk": 11, "onfoot": 11, "hike": 17, "swim": 5, "motorcycle": 22, "motorbike": 22,
    "inmotorcycle": 22, "car": 24, "drive": 24, "automobile": 24, "auto": 24, "incar": 24,
    "inpassengervehicle": 24, "invehicle": 24, "inroadvehicle": 24, "infourwheelervehicle": 24, "intaxi": 24,
    "inbus": 24, "other": 0, "motorsport": 81,
  ]

  /// The name in the profile, or `nil` for `generic` and unknown numbers.
  static func name(_ number: Int?) -> String? {
    guard let number, names.indices.contains(number), number != Int(generic) else { return nil }
    return names[number]
  }

  /// Returns the number for a name in this or another format, or `nil` if it is unknown.
  static func number(named name: String) -> UInt8? {
    let plain = TrackInfo.plainType(name)
    if let number = synonyms[plain] { return number }
    let index = names.firstIndex { $0.map(TrackInfo.plainType) == plain }
    return index.flatMap { UInt8(exactly: $0) }
  }
}

/// The triggers that end a lap. Source: Garmin's FIT profile, type `lap_trigger`.
enum FITLapTrigger {
  static let manual: UInt8 = 0

  /// The name in TCX if there is one, so that triggers convert between the formats.
  private static let names = [
    "Manual", "Time", "Distance", "PositionStart", "Location", "PositionWaypoint", "PositionMarked",
    "SessionEnd", "FitnessEquipment",
  ]

  static func name(_ number: Int?) -> String? {
    number.flatMap { names.indices.contains($0) ? names[$0] : nil }
  }

  static func number(named name: String) -> UInt8? {
    names.firstIndex { $0.lowercased() == name.lowercased() }.flatMap { UInt8(exactly: $0) }
  }
}

/// The types of course points. Source: Garmin's FIT profile, type `course_point`.
enum FITCoursePointType {
  static let generic: UInt8 = 0

  /// The name in TCX if there is one.
  private static let names: [String?] = [
    "Generic", "Summit", "Valley", "Water", "Food", "Danger", "Left", "Right", "Straight", "First Aid",
    "4th Category", "3rd Category", "2nd Category", "1st Category", "Hors Category", "Sprint", "Left Fork",
    "Right Fork", "Middle Fork", "Slight Left", "Sharp Left", "Slight Right", "Sharp Right", "U Turn",
    "Segment Start", "Segment End", nil, "Campsite", "Aid Station", "Rest Area", "General Distance",
    "Service", "Energy Gel", "Sports Drink", "Mile Marker", "Checkpoint", "Shelter", "Meeting Spot",
    "Overlook", "Toilet", "Shower", "Gear", "Sharp Curve", "Steep Incline", "Tunnel", "Bridge", "Obstacle",
    "Crossing", "Store", "Transition", "Navaid", "Transport", "Alert", "Info",
  ]

  /// The name, or `nil` for `Generic` and unknown numbers.
  static func name(_ number: Int?) -> String? {
    guard let number, number > 0, names.indices.contains(number) else { return nil }
    return names[number]
  }

  static func number(named name: String) -> UInt8? {
    names.firstIndex { $0?.lowercased() == name.lowercased() }.flatMap { UInt8(exactly: $0) }
  }
}

/// The manufacturers of common recorders. Source: Garmin's FIT profile, type `manufacturer`.
enum FITManufacturer {
  /// For programs without a manufacturer number.
  static let development = 255

  private static let names: [Int: String] = [
    1: "Garmin", 13: "Dynastream", 15: "Dynastream", 23: "Suunto", 32: "Wahoo", 40: "Concept2", 48: "Pioneer",
    63: "Specialized", 67: "Bkool", 68: "CatEye", 69: "Stages Cycling", 70: "Sigma Sport", 71: "TomTom",
    76: "Moxy", 89: "Tacx", 115: "iGPSPORT", 123: "Polar", 258: "Lezyne", 260: "Zwift", 263: "Favero",
    265: "Strava", 267: "Bryton", 282: "The Sufferfest", 289: "Hammerhead", 294: "COROS",
    331: "MyWhoosh",
  ]

  static func name(_ number: Int?) -> String? { number.flatMap { names[$0] } }
}
