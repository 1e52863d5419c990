/// A measured quantity of a trackpoint other than position and time, in a fixed unit.
public enum Channel: UInt8, Sendable, CaseIterable {
  /// Metres above mean sea level, or above the ellipsoid if the format does not distinguish them.
  case elevation
  /// Horizontal accuracy in metres, never negative.
  case horizontalAccuracy
  /// Vertical accuracy in metres, never negative.
  case verticalAccuracy
  /// Speed over ground in metres per second, never negative.
  case speed
  /// Course over ground in degrees clockwise from true north, 0..<360.
  case course
  /// Beats per minute.
  case heartRate
  /// Revolutions (or steps of one foot) per minute.
  case cadence
  /// Watts.
  case power
  /// Air temperature in degrees Celsius.
  case temperature
  /// Water temperature in degrees Celsius.
  case waterTemperature
  /// Metres below the surface.
  case depth
  /// Metres since the start of the recording, as counted by the device.
  case distance
  /// Horizontal, vertical and position dilution of precision, dimensionless.
  case hdop, vdop, pdop
  /// The number of satellites used for the fix.
  case satellites
  /// Height of the geoid above the ellipsoid in metres.
  case geoidHeight
  /// Magnetic variation in degrees, as GPX defines it: 0..<360.
  case magneticVariation
  /// Age of the differential correction in seconds.
  case differentialAge
  /// Bearing to the destination in degrees clockwise from true north, 0..<360.
  case bearing

  /// The channel as text, such as `heart rate`.
  public var title: String {
    switch self {
    case .hdop, .vdop, .pdop: "\(self)".uppercased()
    default:
      // The case name split into words.
      "\(self)".reduce(into: "") { text, character in
        text += character.isUppercase ? " " + character.lowercased() : String(character)
      }
    }
  }
}

extension Channel {
  /// The symbol of the unit, such as `m/s`, or `nil` for a dimensionless channel.
  public var unit: String? {
    switch self {
    case .elevation, .horizontalAccuracy, .verticalAccuracy, .depth, .distance, .geoidHeight: "m"
    case .speed: "m/s"
    case .course, .magneticVariation, .bearing: "°"
    case .heartRate, .cadence: "1/min"
    case .power: "W"
    case .temperature, .waterTemperature: "°C"
    case .differentialAge: "s"
    case .hdop, .vdop, .pdop, .satellites: nil
    }
  }
}

/// A set of channels. Each channel's raw value is its bit.
public struct ChannelSet: OptionSet, Sendable, Hashable {
  /// A bit for each channel, at the position of its raw value.
  public let rawValue: UInt32
  /// Creates a set from the bits of its channels.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Creates a set of one channel.
  @inlinable public init(_ channel: Channel) { rawValue = 1 << UInt32(channel.rawValue) }

  /// All channels.
  public static let all = ChannelSet(rawValue: 1 << UInt32(Channel.allCases.count) - 1)

  /// Returns whether the set has a channel.
  @inlinable public func contains(_ channel: Channel) -> Bool {
    rawValue & (1 << UInt32(channel.rawValue)) != 0
  }

  /// The channels of the set in declaration order.
  public var channels: [Channel] {
    var channels: [Channel] = []
    var rest = rawValue
    while rest != 0 {
      if let channel = Channel(rawValue: UInt8(rest.trailingZeroBitCount)) { channels.append(channel) }
      rest &= rest - 1
    }
    return channels
  }
}
