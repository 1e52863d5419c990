import TrackModel

/// The fast path for nearly all points: a position with any of elevation, time, heart rate, cadence and air
/// temperature.
///
/// The output is the same as that of ``GPXPointWriter``, without a check of each point for other values.
struct GPXPlainPoints {
  /// The channels that these points may have.
  static let channels: ChannelSet = [
    ChannelSet(.elevation), ChannelSet(.heartRate), ChannelSet(.cadence), ChannelSet(.temperature),
  ]

  /// The text before and after the sensor values of a point.
  private var opening: [UInt8] = []
  private var closing: [UInt8] = []
  private var temperature = Tags()
  private var heartRate = Tags()
  private var cadence = Tags()
  private var clock = ISO8601Clock()

  /// The tags around a value.
  private struct Tags {
    var start: [UInt8] = []
    var end: [UInt8] = []

    init() {}

    init(_ prefix: String, _ name: String) {
      start = Array("<\(prefix):\(name)>".utf8)
      end = Array("</\(prefix):\(name)>".utf8)
    }
  }

  /// One point, with NaN for missing values.
  struct Point {
    var latitude: Double
    var longitude: Double
    var time: Int64
    var elevation: Double
    var temperature: Double
    var heartRate: Double
    var cadence: Double

    var hasSensors: Bool { !temperature.isNaN || !heartRate.isNaN || !cadence.isNaN }

    /// Whether the point has children and all of them are valid in the schema.
    fileprivate var isPlain: Bool {
      guard time == Instant.absent ? !elevation.isNaN || hasSensors : GPXPlainPoints.isWritable(time) else {
        return false
      }
      return (heartRate.isNaN || isWhole(heartRate, 1...255)) && (cadence.isNaN || isWhole(cadence, 0...254))
    }

    private func isWhole(_ value: Double, _ range: ClosedRange<Double>) -> Bool {
      range.contains(value) && value == Double(Int(value))
    }
  }

  /// Returns whether XML Schema and common readers support the year: 1 to 9999.
  static func isWritable(_ time: Int64) -> Bool {
    time >= -62_135_596_800_000_000 && time < 253_402_300_800_000_000
  }

  /// - Parameters:
  ///   - prefix: the prefix of the TrackPointExtension's namespace.
  ///   - declaration: the declaration of the prefix for the element if the root does not declare it.
  init(prefix: String = "gpxtpx", declaration: String = "") {
    opening = Array("<extensions><\(prefix):TrackPointExtension\(declaration)>".utf8)
    closing = Array("</\(prefix):TrackPointExtension></extensions>".utf8)
    temperature = Tags(prefix, "atemp")
    heartRate = Tags(prefix, "hr")
    cadence = Tags(prefix, "cad")
  }

  /// Appends a point as a line.
  ///
  /// - Parameter element: the five letters of its element's name, the first in the lowest bits.
  /// - Returns: false, without appending anything, if the point needs the general path.
  @inline(__always)
  mutating func append(_ point: Point, as element: UInt64, to bytes: inout ByteBuffer) -> Bool {
    guard point.isPlain else { return false }
    bytes.append("   <")
    bytes.append(word: element, count: 5)
    bytes.append(" lat=\"")
    bytes.append(decimal: point.latitude)
    bytes.append("\" lon=\"")
    // The schema allows -180 but not 180, which is the same meridian.
    bytes.append(decimal: point.longitude == 180 ? -180 : point.longitude)
    bytes.append("\">")
    if !point.elevation.isNaN {
      bytes.append("<ele>")
      bytes.append(decimal: point.elevation)
      bytes.append("</ele>")
    }
    if point.time != Instant.absent {
      bytes.append("<time>")
      clock.append(Instant(microseconds: point.time), to: &bytes)
      bytes.append("</time>")
    }
    if point.hasSensors {
      bytes.append(contentsOf: opening.span)
      GPXPlainPoints.append(point.temperature, temperature, to: &bytes)
      GPXPlainPoints.append(point.heartRate, heartRate, to: &bytes)
      GPXPlainPoints.append(point.cadence, cadence, to: &bytes)
      bytes.append(contentsOf: closing.span)
    }
    bytes.append("</")
    bytes.append(word: element, count: 5)
    bytes.append(">\n")
    return true
  }

  private static func append(_ value: Double, _ tags: borrowing Tags, to bytes: inout ByteBuffer) {
    guard !value.isNaN else { return }
    bytes.append(contentsOf: tags.start.span)
    bytes.append(decimal: value)
    bytes.append(contentsOf: tags.end.span)
  }
}
