import TrackModel

/// The elements of a Suunto log.
enum SMLElement: UInt16, CaseIterable {
  case other = 0
  case sml, header, device, sample, activity, activityType, name, events, lap, type, dateTime, utc
  // Numbers of samples.
  case time, latitude, longitude, altitude, gpsAltitude, speed, gpsSpeed, distance, heading, gpsHeading
  case horizontalError, verticalError, satellites, heartRate, cadence, power, temperature

  private static let names: [String: SMLElement] = [
    "sml": .sml, "Header": .header, "Device": .device, "Sample": .sample, "Activity": .activity,
    "ActivityType": .activityType, "Name": .name, "Events": .events, "Lap": .lap,
    "Type": .type, "DateTime": .dateTime, "UTC": .utc, "Time": .time, "Latitude": .latitude,
    "Longitude": .longitude,
    "Altitude": .altitude, "GPSAltitude": .gpsAltitude, "Speed": .speed, "GPSSpeed": .gpsSpeed,
    "Distance": .distance, "Heading": .heading, "GPSHeading": .gpsHeading, "EHPE": .horizontalError,
    "EVPE": .verticalError,
    "NumberOfSatellites": .satellites, "HR": .heartRate, "Cadence": .cadence, "BikePower": .power,
    "Power": .power,
    "Temperature": .temperature,
  ]

  init(_ name: XMLName) { self = SMLElement.names[name.local] ?? .other }

  /// Returns nil for unknown names.
  init?(name: String) {
    guard let element = SMLElement.names[name] else { return nil }
    self = element
  }

  /// Whether the element is a number of a sample.
  var isNumber: Bool { rawValue > SMLElement.utc.rawValue }

  /// Returns the channel of an element and its value for a number; nil for other elements.
  ///
  /// Frequencies are in hertz, temperatures in kelvins and angles in radians.
  func value(_ number: Double) -> (channel: Channel, value: Double)? {
    switch self {
    case .altitude, .gpsAltitude: (.elevation, number)
    case .speed, .gpsSpeed: number >= 0 ? (.speed, number) : nil
    case .distance: (.distance, number)
    case .heading, .gpsHeading: number >= 0 && number < 2 * .pi ? (.course, number * 180 / .pi) : nil
    case .horizontalError: number >= 0 ? (.horizontalAccuracy, number) : nil
    case .verticalError: number >= 0 ? (.verticalAccuracy, number) : nil
    case .satellites: (.satellites, number)
    case .heartRate: (.heartRate, (number * 60).rounded())
    case .cadence: (.cadence, (number * 60).rounded())
    case .power: (.power, number)
    case .temperature: (.temperature, ((number - 273.15) * 100).rounded() / 100)
    default: nil
    }
  }
}
