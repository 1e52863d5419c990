import TrackModel

/// A payload of GoPro telemetry (GPMF): about a second of all sensors.
///
/// Values are big-endian: four letters, a type, the size of a structure, the number of structures, and their
/// bytes up to a multiple of four. Values of type 0 contain further ones.
struct GPMFPayload {
  /// The fixes in streams of the kinds GPS5 and GPS9.
  private(set) var fixes: [CameraFix] = []
  private(set) var datedFixes: [CameraFix] = []
  /// Whether the payload has a stream of the kind GPS9.
  private(set) var hasDatedFixes = false
  /// The time of the first fix of GPS5.
  private(set) var time: Int64?
  /// The microseconds since the start of the recording at the first fix of GPS5.
  private(set) var timestamp: UInt64?
  /// The name of the camera.
  private(set) var camera: String?
  /// The device of the fixes.
  private(set) var device: Device?
  /// The number of samples of other devices.
  private(set) var others = 0
  /// The number of samples without a fix, and of those with an invalid position.
  private(set) var lost = 0
  private(set) var invalid = 0
  /// Whether a value ends after the payload.
  private(set) var isCut = false
  /// Whether the bytes after a value are not another one.
  private(set) var isDamaged = false
  /// Whether all bytes are zeros, as in a part of a film that was never written to the card.
  private(set) var isBlank = false

  /// A device of the recording. Cameras and their drones can have the same number.
  struct Device: Equatable {
    fileprivate var number: UInt64 = 0
    fileprivate var name: String?
  }

  private var currentDevice = Device()

  /// The values of a stream that describe its samples.
  private struct Stream {
    var fix: Int?
    var precision = Double.nan
    var time: Int64?
    var timestamp: UInt64?
    var scale: [Double] = []
  }

  /// - Parameter device: the device of earlier fixes; other devices are ignored.
  init(_ bytes: Span<UInt8>, device: Device?) {
    self.device = device
    isBlank = bytes.isBlank
    guard !isBlank else { return }
    var stream = Stream()
    scan(bytes, 0..<bytes.count, depth: 0, &stream)
  }

  private mutating func scan(_ bytes: Span<UInt8>, _ range: Range<Int>, depth: Int, _ stream: inout Stream) {
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
      let key = FourCC(bytes, at: index)
      guard key.isPrintable else {
        // Zeros fill up a payload.
        if !bytes.extracting(index..<range.upperBound).isBlank { isDamaged = true }
        return
      }
      let type = bytes[index + 4]
      let size = Int(bytes[index + 5])
      let length = size * Int(bytes.number(index + 6, 2))
      let start = index + 8
      let end = min(start + length, range.upperBound)
      if start + length > range.upperBound { isCut = true }
      if type == 0 {
        if key == "DEVC" { currentDevice = Device() }
        var inner = Stream()
        if depth < 8 { scan(bytes, start..<end, depth: depth + 1, &inner) }
      } else {
        take(key, type, size, bytes.extracting(start..<end), &stream)
      }
      index = start + (length + 3) & ~3
    }
  }

  private mutating func take(
    _ key: FourCC, _ type: UInt8, _ size: Int, _ value: Span<UInt8>, _ stream: inout Stream
  ) {
    switch key {
    case "DVID": if value.count == 4 { currentDevice.number = value.number(0, 4) }
    case "DVNM": currentDevice.name = value.trimmedText
    case "GPSF": if value.count == 4 { stream.fix = Int(value.number(0, 4)) }
    case "GPSP": if value.count == 2 { stream.precision = Self.precision(Int(value.number(0, 2))) }
    case "GPSU": stream.time = Self.time(value)
    case "STMP": if value.count == 8 { stream.timestamp = value.number(0, 8) }
    case "SCAL": stream.scale = Self.scale(type, value)
    case "GPS5" where type == UInt8(ascii: "l") && size == 20: takeFixes(value, stream)
    case "GPS9" where size == 32: takeDatedFixes(value, stream)
    default: break
    }
  }

  /// Reads latitude, longitude, altitude, and speeds in two and three dimensions.
  private mutating func takeFixes(_ value: Span<UInt8>, _ stream: Stream) {
    let count = value.count / 20
    guard accepts(count) else { return }
    guard stream.fix != 0, stream.precision != .infinity else {
      lost += count
      return
    }
    if fixes.isEmpty {
      time = stream.time
      timestamp = stream.timestamp
    }
    for sample in 0..<count {
      guard var fix = fix(value, sample * 20, stream.scale) else { continue }
      fix.precision = stream.precision
      fix.dimensions = stream.fix ?? 0
      // The position within the payload, until its duration is known.
      fix.media = Double(sample) / Double(count)
      fixes.append(fix)
    }
  }

  /// Reads the values of GPS5, the days since 2000, milliseconds since midnight, precision and fix.
  private mutating func takeDatedFixes(_ value: Span<UInt8>, _ stream: Stream) {
    let count = value.count / 32
    guard accepts(count) else { return }
    hasDatedFixes = true
    for sample in 0..<count {
      let index = sample * 32
      let dimensions = Int(value.number(index + 30, 2))
      let precision = Self.precision(Int(value.number(index + 28, 2)))
      guard dimensions > 0, precision != .infinity else {
        lost += 1
        continue
      }
      guard var fix = fix(value, index, stream.scale) else { continue }
      let days = Int64(value.number(index + 20, 4))
      let scale = stream.scale.count > 6 ? stream.scale[6] : 1000
      let seconds = Double(value.number(index + 24, 4)) / scale
      // Beyond a century, and beyond a leap second, the clock is wrong.
      if days < 36_525, seconds >= 0, seconds <= 86_401 {
        fix.time =
          (Self.daysTo2000 + days) * CivilCalendar.dayLength + Instant.microseconds(inSeconds: seconds)
      }
      fix.precision = precision
      fix.dimensions = dimensions
      fix.media = Double(sample) / Double(count)
      datedFixes.append(fix)
    }
  }

  /// Returns whether a stream with samples belongs to the device whose fixes are read.
  private mutating func accepts(_ count: Int) -> Bool {
    guard count > 0, device == nil || device == currentDevice else {
      others += count
      return false
    }
    device = currentDevice
    camera = camera ?? currentDevice.name
    return true
  }

  /// Returns the fix at an index, or nil if its position is invalid.
  private mutating func fix(_ value: Span<UInt8>, _ index: Int, _ scale: [Double]) -> CameraFix? {
    func number(_ field: Int) -> Double {
      let number = Double(Int32(truncatingIfNeeded: value.number(index + field * 4, 4)))
      let scale = scale.count > field ? scale[field] : scale.count == 1 ? scale[0] : Self.usualScale[field]
      return number / scale
    }
    let coordinate = Coordinate(latitude: number(0), longitude: number(1))
    guard coordinate.isValid else {
      invalid += 1
      return nil
    }
    return CameraFix(coordinate: coordinate, elevation: number(2), speed: number(3))
  }

  private static let usualScale = [1e7, 1e7, 1000, 1000, 100]
  private static let daysTo2000 = Int64(CivilCalendar.days(year: 2000, month: 1, day: 1))

  /// Returns the dilution of precision in hundredths as a number. 99.99, which cameras write without a lock,
  /// is infinite.
  private static func precision(_ hundredths: Int) -> Double {
    hundredths >= 9999 ? .infinity : Double(hundredths) / 100
  }

  /// Reads the divisors of a stream's fields. A divisor of zero is ignored.
  private static func scale(_ type: UInt8, _ value: Span<UInt8>) -> [Double] {
    let width = type == UInt8(ascii: "s") || type == UInt8(ascii: "S") ? 2 : 4
    return stride(from: 0, to: min(value.count, 64) / width * width, by: width).map { index in
      let number = Int32(truncatingIfNeeded: value.number(index, width))
      return number == 0 ? 1 : Double(number)
    }
  }

  /// Reads `yymmddhhmmss.sss`.
  private static func time(_ value: Span<UInt8>) -> Int64? {
    guard let year = value.digits(0..<2), let month = value.digits(2..<4), let day = value.digits(4..<6),
      let hour = value.digits(6..<8), let minute = value.digits(8..<10), let second = value.digits(10..<12),
      let time = CameraTime.microseconds(year, month, day, hour, minute, second)
    else { return nil }
    return time + Int64(value.digits(13..<16) ?? 0) * 1000
  }
}

/// The calendar of cameras.
enum CameraTime {
  /// Returns the microseconds since 1970, or nil for an invalid date or time of day.
  ///
  /// - Parameter year: the year, or the years since 2000.
  static func microseconds(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> Int64? {
    let year = year < 100 ? year + 2000 : year
    guard (1980...2099).contains(year),
      let days = CivilCalendar.days(validating: year, month: month, day: day),
      let time = CivilCalendar.timeOfDay(hour, minute, second)
    else { return nil }
    return Int64(days) * CivilCalendar.dayLength + time
  }
}
