import TestSupport
import Testing
import TrackModel

@testable import TrackFormats

/// Tests `gx:Track` elements whose positions are delivered before the end of the element.
@Suite("KML tracks that are delivered while they are read")
struct KMLStreamedTrackTests {
  /// Times that are one second apart.
  private static func whens(_ count: Int) -> String {
    (0..<count).map { "<when>2024-05-01T10:\(10 + $0 / 60):\(10 + $0 % 50)Z</when>\n" }.joined()
  }

  private static func coords(_ count: Int, elevation: Double = 500) -> [String] {
    (0..<count).map { "<gx:coord>7.\(1000 + $0) 46.\(2000 + $0) \(elevation + Double($0))</gx:coord>\n" }
  }

  /// Returns a file whose track is not part of its opening, which is always read at once.
  private static func file(_ track: String) -> [UInt8] {
    let comment = "<!--\(String(repeating: " ", count: XMLOpening.length))-->"
    return Array(
      KMLTesting.file("\(comment)<Placemark><name>a</name><gx:Track>\(track)</gx:Track></Placemark>").utf8)
  }

  private static let sensors = """
    <ExtendedData><SchemaData><gx:SimpleArrayData name="heartrate">\
    \((0..<40).map { "<gx:value>\(100 + $0)</gx:value>" }.joined())</gx:SimpleArrayData></SchemaData></ExtendedData>
    """

  /// Tracks of forty positions. In some of them only positions follow the first one.
  private static let tracks: [String] = {
    let plain = coords(40)
    var invalid = plain
    invalid[20] = "<gx:coord>7.5 91 3</gx:coord>\n"
    var empty = plain
    empty[20] = "<gx:coord/>\n"
    var blank = plain
    blank[20] = "<gx:coord> </gx:coord>\n"
    var badElevation = plain
    badElevation[21] = "<gx:coord>7.5 46 x</gx:coord>\n"
    var pause = plain
    pause[20] = "<gx:coord>0.0 100.0</gx:coord>\n"
    pause[21] = "<gx:coord>0.0 200.0</gx:coord>\n"
    var attribute = plain
    attribute[30] = "<gx:coord id='1'>7.5 46 3</gx:coord>\n"
    var comment = plain
    comment[30] = "<!-- a --><gx:coord>7.5 46 3</gx:coord>\n"
    var time = plain
    time[30] = "<when>2024-05-01T12:00:00Z</when>\n"
    var malformed = plain
    malformed[30] = "<gx:coord>7.5 46 3&</gx:coord>\n"
    var open = plain
    open[30] = "<gx:coord>7.5 46 3</gx:other>\n"
    var flat = coords(40, elevation: 0)
    flat[0] = "<gx:coord>7.5 46 0</gx:coord>\n"
    let mode = "<altitudeMode>"
    return [
      plain, invalid, empty, blank, badElevation, pause, attribute, comment, time, malformed, open, flat,
    ]
    .map { whens(40) + $0.joined() } + [
      plain.joined(), whens(30) + plain.joined(), whens(50) + plain.joined(), plain.joined() + whens(40),
      whens(40) + plain.joined() + sensors, sensors + whens(40) + plain.joined(),
      "\(mode)absolute</altitudeMode>" + whens(40) + flat.joined(),
      "\(mode)relativeToGround</altitudeMode>" + whens(40) + plain.joined(),
      whens(40) + plain.joined() + "\(mode)absolute</altitudeMode>",
      whens(40) + coords(40).map { $0.replacing(" 5", with: " ") }.joined(),
    ]
  }()

  @Test("Tracks are the same as if they were held until their end", arguments: 0..<22)
  func sameAsHeld(index: Int) {
    let bytes = Self.file(Self.tracks[index])
    for isStrict in [false, true] {
      // The whole file is one chunk.
      let held = Transcript(kml: bytes, isStrict: isStrict)
      for chunk in [64, 100, 300, 1000] {
        for capacity in [1, 3, 64] {
          let streamed = Transcript(kml: bytes, chunk: chunk, capacity: capacity, isStrict: isStrict)
          #expect(streamed.text == held.text, "chunk \(chunk), capacity \(capacity)")
          #expect(streamed.violations == [])
        }
      }
    }
  }

  @Test("A truncated track keeps its complete positions")
  func truncated() {
    let bytes = Self.file(Self.tracks[0])
    for end in stride(from: XMLOpening.length + 1500, to: bytes.count, by: 97) {
      let part = Array(bytes[..<end])
      #expect(Transcript(kml: part, chunk: 300).text == Transcript(kml: part).text, "\(end) bytes")
    }
  }

  /// Reads up to the first points, and returns whether a later invalid position has not been read by then.
  ///
  /// A first position that is cut by the end of a chunk is held, so one of several sizes is sufficient.
  private func isStreamed(_ track: String) throws -> Bool {
    for chunk in stride(from: 200, through: 400, by: 20) {
      var reader = KMLReader(ByteInput(bytes: Self.file(track), chunk: chunk))
      var batch = PointBatch(capacity: 8)
      while let event = try reader.next(into: &batch) {
        guard case .points = event else { continue }
        if reader.warnings.isEmpty { return true }
        break
      }
    }
    return false
  }

  @Test("Positions are delivered before the following ones are read if nothing else follows")
  func delivery() throws {
    let coords = (Self.coords(40) + ["<gx:coord>7.5 91 3</gx:coord>"]).joined()
    #expect(try isStreamed(Self.whens(41) + coords))
    #expect(try isStreamed(Self.sensors + Self.whens(41) + coords))
    #expect(try !isStreamed(Self.whens(41) + coords + Self.sensors))
    // If all altitudes are zero, the track has no elevations, which only the last position shows.
    #expect(try !isStreamed(Self.whens(41) + "<gx:coord>7 46 0</gx:coord>" + coords))
  }
}
